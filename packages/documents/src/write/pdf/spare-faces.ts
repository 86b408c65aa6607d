import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

// Typefaces for letters that the first has not: Noto Sans KR with the Chinese characters of KS X 1001, and Noto Emoji (both OFL). They come in parts
// by ranges of letters, of which a file opens those that it needs.

const require = createRequire(import.meta.url);
/** Which letters each part of a typeface has, by what the typeface is called. */
const families = {
  NotoSansKR: () => require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
  NotoEmoji: () => require.resolve('@fontsource-variable/noto-emoji/unicode.json'),
} as const;
const WEIGHTS = { regular: 400, bold: 700 } as const;

/** A part of a typeface. */
interface Part {
  readonly name: string;
  readonly family: string;
  readonly file: string;
  /** First and last letter of its ranges. */
  readonly ranges: readonly (readonly [number, number])[];
}

const codeOf = (hex: string): number => Number.parseInt(hex, 16);

/** Its parts, by the file that a package of Fontsource tells them in: names with ranges such as `U+4e00-4e2d,U+4e30`. */
function partsOf([family, list]: readonly [string, () => string]): readonly Part[] {
  const home = dirname(list());
  const told = JSON.parse(readFileSync(list(), 'utf8')) as Record<string, string>;
  return Object.entries(told).map(([bracketed, ranges]) => {
    const part = bracketed.replaceAll(/[[\]]/g, '');
    return {
      name: `${family} ${part}`,
      family,
      file: join(home, 'files', `${basename(home)}-${part}-wght-normal.woff2`),
      ranges: ranges.split(',').map((range) => {
        const [first = '', last = first] = range.slice('U+'.length).split('-');
        return [codeOf(first), codeOf(last)] as const;
      }),
    };
  });
}

let known: readonly Part[] | undefined;
const holding = (letter: string): Part | undefined => {
  const code = letter.codePointAt(0) ?? 0;
  known ??= Object.entries(families).flatMap(partsOf);
  return known.find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last));
};

/** Letters of a part, as a TrueType file for each weight. */
export interface SpareFace {
  readonly name: string;
  readonly family: string;
  readonly letters: readonly string[];
  readonly files: Readonly<Record<keyof typeof WEIGHTS, Buffer>>;
}

/** Opens the parts that hold these letters; of those that no part holds nothing comes. */
export async function openSpareFaces(letters: Iterable<string>): Promise<readonly SpareFace[]> {
  const wanted = new Map<Part, string[]>();
  for (const letter of letters) {
    const part = holding(letter);
    if (part === undefined) continue;
    const others = wanted.get(part);
    if (others === undefined) wanted.set(part, [letter]);
    else others.push(letter);
  }
  if (wanted.size === 0) return [];
  const { default: subsetFont } = await import('subset-font');
  const faces: SpareFace[] = [];
  for (const [{ name, family, file }, held] of wanted) {
    const font = await readFile(file);
    const inWeight = (wght: number) =>
      subsetFont(font, held.join(''), { targetFormat: 'truetype', variationAxes: { wght } });
    const files = { regular: await inWeight(WEIGHTS.regular), bold: await inWeight(WEIGHTS.bold) };
    faces.push({ name, family, letters: held, files });
  }
  return faces;
}
