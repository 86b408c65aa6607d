import { markerOf } from './korean-headings.ts';

/** A line of the running text as the rule for lists sees it. */
export interface ListLine {
  readonly text: string;
  /** Larger or bolder letters than the running text, a level of its own: it is no item. */
  readonly standsOut: boolean;
}

interface Mark {
  readonly style: string;
  /** Null where the mark is no figure. */
  readonly number: number | null;
}

const markOf = (line: ListLine | null): Mark | null => {
  const marker = line === null || line.standsOut ? null : markerOf(line.text);
  if (marker === null || marker.always) return null;
  const digits = /\d+(?=\D*$)/.exec(marker.text)?.[0];
  return { style: marker.style, number: digits === undefined ? null : Number(digits) };
};

/** Whether one item counts on from the other. */
const goesOn = (one: Mark, next: Mark): boolean =>
  one.style === next.style && (one.number === null || next.number === null || next.number === one.number + 1);

/**
 * Which lines are items of lists and head nothing: numbered lines that follow each other under one kind of number, with nothing
 * below them but items of inner lists. Null stands for what is no line (tables, pictures).
 */
export function listedLines(lines: readonly (ListLine | null)[]): readonly boolean[] {
  const marks = lines.map(markOf);
  const listed = marks.map(() => false);
  for (const [at, mark] of marks.entries()) {
    if (mark === null) continue;
    for (const step of [1, 2]) {
      const next = marks[at + step] ?? null;
      if (next === null) break;
      if (!goesOn(mark, next)) continue;
      listed[at] = true;
      listed[at + step] = true;
      break;
    }
  }
  return listed;
}
