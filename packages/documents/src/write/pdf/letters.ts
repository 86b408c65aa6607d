import { createRequire } from 'node:module';
import type { Span } from '../../document.ts';

// The typefaces of written PDF files: Pretendard (OFL), of which the letters that a file needs are put into it.

const require = createRequire(import.meta.url);
/** Files of the typefaces, by the names that they have here. */
export const faces = {
  regular: () => require.resolve('pretendard/dist/public/static/alternative/Pretendard-Regular.ttf'),
  bold: () => require.resolve('pretendard/dist/public/static/alternative/Pretendard-Bold.ttf'),
} as const;
export type Face = keyof typeof faces;

/** How a piece of text looks. */
export interface Look {
  readonly size: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly script?: 'super' | 'sub';
  readonly link?: string;
}

/** Boxes to tick, which are drawn, as the typeface has none. */
export const boxes: ReadonlySet<string> = new Set(['☐', '☑', '☒', '◪']);
/** Stands for letters that the typeface has not. */
export const UNKNOWN = '□';

/** The typeface has no ㉮ to ㉻. */
const CIRCLED_GA = 0x32_6e;
const syllables = '가나다라마바사아자차카타파하';
const plainly = (letter: string): string => {
  const at = (letter.codePointAt(0) ?? 0) - CIRCLED_GA;
  return at >= 0 && at < syllables.length ? `(${syllables[at]})` : letter;
};

/** Signs that say how others look, and stand for nothing by themselves. */
const unseen = /[\p{Cc}\p{Cf}\uFE00-\uFE0F]/gu;

/** Tells which letters there are, and keeps those that are not. */
export function createLetters(has: (codePoint: number) => boolean) {
  const missing = new Set<string>();
  const known = new Map<string, string>();
  const written = (letter: string): string => {
    const found = known.get(letter);
    if (found !== undefined) return found;
    const codePoint = letter.codePointAt(0) ?? 0;
    const isThere = boxes.has(letter) || has(codePoint);
    const instead = isThere ? letter : plainly(letter) === letter ? UNKNOWN : plainly(letter);
    if (instead === UNKNOWN) missing.add(letter);
    known.set(letter, instead);
    return instead;
  };
  return {
    missing,
    /** The text in letters that the typeface has. */
    of: (text: string): string =>
      Array.from(
        text
          .normalize('NFC')
          .replaceAll('\t', '    ')
          .replaceAll(/[^\S\n]/gu, ' ')
          .replaceAll(/\r\n?/g, '\n'),
      )
        .map((letter) => (letter === '\n' ? letter : written(letter.replaceAll(unseen, ''))))
        .join(''),
  };
}
export type Letters = ReturnType<typeof createLetters>;

/** How a span looks whose text is so large. */
export const lookOf = ({ bold, italic, strike, script, link }: Span, base: Look): Look => ({
  ...base,
  ...(bold ? { bold } : {}),
  ...(italic ? { italic } : {}),
  ...(strike ? { strike } : {}),
  ...(script === undefined ? {} : { script }),
  ...(link === undefined ? {} : { link }),
});
