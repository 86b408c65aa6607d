import { createRequire } from 'node:module';
import type { Span } from '../../document.ts';

// The typefaces of written PDF files: Pretendard (OFL), and others for letters that it has not. The letters that a file needs are put into it.

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
  /** Name of another typeface, for letters that the first has not. */
  readonly spare?: string;
}

/** Boxes to tick, which are drawn, as the typeface has none. */
export const boxes: ReadonlySet<string> = new Set(['☐', '☑', '☒', '◪']);
/** Stands for letters that no typeface has. */
export const UNKNOWN = '□';

/** Signs that say how others look, and stand for nothing by themselves. */
const unseen = /[\p{Cc}\p{Cf}\uFE00-\uFE0F\p{Emoji_Modifier}]/gu;

/** The text in letters as they are set: without signs that are not seen, its blanks alike. */
const lettersOf = (text: string): string[] =>
  Array.from(
    text
      .normalize('NFC')
      .replaceAll('\t', '    ')
      .replaceAll(/[^\S\n]/gu, ' ')
      .replaceAll(/\r\n?/g, '\n'),
    (letter) => (letter === '\n' ? letter : letter.replaceAll(unseen, '')),
  );

/** Letters of a text that the first typeface has not. */
export function lettersBeyond(text: string, has: (codePoint: number) => boolean): ReadonlySet<string> {
  const beyond = new Set<string>();
  for (const given of new Set(text.normalize('NFC'))) {
    const letter = given.replaceAll(unseen, '');
    if (letter.trim() !== '' && !boxes.has(letter) && !has(letter.codePointAt(0) ?? 0)) beyond.add(letter);
  }
  return beyond;
}

/** A stretch of letters of one typeface. */
export interface Run {
  readonly text: string;
  /** Name of the typeface; left out: the first. */
  readonly spare?: string;
}

/** Tells in which typeface letters are, and keeps those that are in none. `spareOf`: name of the other typeface that has a letter. */
export function createLetters(has: (codePoint: number) => boolean, spareOf: ReadonlyMap<string, string>) {
  const missing = new Set<string>();
  const known = new Map<string, string>();
  const written = (letter: string): string => {
    const found = known.get(letter);
    if (found !== undefined) return found;
    const isThere = boxes.has(letter) || has(letter.codePointAt(0) ?? 0) || spareOf.has(letter);
    if (!isThere) missing.add(letter);
    const instead = isThere ? letter : UNKNOWN;
    known.set(letter, instead);
    return instead;
  };
  return {
    missing,
    /** The text in letters that there are. */
    of: (text: string): string =>
      lettersOf(text)
        .map((letter) => (letter === '\n' || letter === '' ? letter : written(letter)))
        .join(''),
    /** What `of` gave, by typefaces. */
    runsOf(text: string): readonly Run[] {
      if (spareOf.size === 0) return [{ text }];
      const runs: Run[] = [];
      for (const letter of text) {
        const spare = spareOf.get(letter);
        const last = runs.at(-1);
        if (last !== undefined && last.spare === spare) runs[runs.length - 1] = { ...last, text: last.text + letter };
        else runs.push({ text: letter, ...(spare === undefined ? {} : { spare }) });
      }
      return runs;
    },
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
