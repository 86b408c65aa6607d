/** A line or a paragraph, with where it begins. */
interface Begun {
  readonly text: string;
  readonly x0: number;
  readonly size: number;
}

const letterPoint = /^([a-z])\.\s+\S/;
/** Left edges of items may differ by this share of their letters. */
const MAX_INDENT_EM = 0.6;
/** Items that are open at a time: each indent has one, and those of earlier lists are not returned to. */
const MAX_OPEN_ITEMS = 12;

/** What begins such an item, as `a.`. */
export const letterMark = (text: string): string => text.slice(0, 2);

/** Items that begin with a letter and a point: at least two that follow each other at one indent. One alone is an abbreviation or a name. */
export function letteredItems<One extends Begun>(rows: Iterable<One>): ReadonlySet<One> {
  const found = new Set<One>();
  const open: { one: One; code: number }[] = [];
  for (const one of rows) {
    const code = letterPoint.exec(one.text)?.[1]?.charCodeAt(0);
    if (code === undefined) continue;
    const at = open.findLastIndex((other) => Math.abs(other.one.x0 - one.x0) < MAX_INDENT_EM * one.size);
    const before = open[at];
    if (before?.code === code - 1) found.add(before.one).add(one);
    // What stood further in has ended.
    if (at !== -1) open.length = at;
    open.push({ one, code });
    if (open.length > MAX_OPEN_ITEMS) open.shift();
  }
  return found;
}

/** True for the next item behind one that a letter and a point begin. */
export function followsLetter(above: string, below: string): boolean {
  const [first, next] = [above, below].map((text) => letterPoint.exec(text)?.[1]?.charCodeAt(0));
  return first !== undefined && next === first + 1;
}
