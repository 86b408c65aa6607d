import { type Placed, isText } from './flow.ts';

/** A font of titles has at least so many lines of its own, which hold at least this share of its letters. */
const MIN_TITLE_LINES = 3;
const MIN_TITLE_LETTERS_SHARE = 0.7;
/** Titles are no longer. */
export const MAX_TITLE_LENGTH = 80;

/**
 * Fonts of titles: what is written in them stands on short lines alone for the most part. Many files name their fonts so that
 * nothing tells which of them are bold.
 */
export function titleFaces(flow: readonly Placed[]): ReadonlySet<string> {
  const faces = new Map<string, { letters: number; titles: number; lines: number }>();
  const texts = flow.map((one) => (isText(one) && !one.entry.hidden && one.entry.code === null ? one.entry : null));
  const lettersOf = (face: string) => faces.get(face) ?? { letters: 0, titles: 0, lines: 0 };
  for (const entry of texts) {
    if (entry === null) continue;
    const count = lettersOf(entry.face);
    faces.set(entry.face, { ...count, letters: count.letters + entry.text.length });
  }
  faces.delete('');
  const [body] = [...faces].toSorted((a, b) => b[1].letters - a[1].letters)[0] ?? [''];
  for (const [at, entry] of texts.entries()) {
    const next = texts[at + 1];
    // The line above paragraphs of the running text.
    if (entry === null || next == null || next.face !== body || next.lines < 2 || !faces.has(entry.face)) continue;
    if (entry.lines > 1 || entry.text.length > MAX_TITLE_LENGTH || !/^[\p{Lu}\p{Lo}\p{N}]/u.test(entry.text)) continue;
    const count = lettersOf(entry.face);
    faces.set(entry.face, { ...count, titles: count.titles + entry.text.length, lines: count.lines + 1 });
  }
  return new Set(
    [...faces].flatMap(([face, { letters, titles, lines }]) =>
      face !== body && lines >= MIN_TITLE_LINES && titles >= MIN_TITLE_LETTERS_SHARE * letters ? [face] : [],
    ),
  );
}
