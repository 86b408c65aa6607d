import { anyOf, literal } from './text.ts';

/** Deeper prefixes of prefixes are written one beside the other. */
const MAX_DEPTH = 60;

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  // Half a pair is no character.
  const last = a.charCodeAt(length - 1);
  return length > 0 && last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}

/** The first text after `from` that does not begin with the same character. */
function groupEnd(texts: readonly string[], from: number, to: number, at: number): number {
  const first = texts[from]?.codePointAt(at);
  let end = from + 1;
  while (end < to && texts[end]?.codePointAt(at) === first) end++;
  return end;
}

/** Sorted texts from one place on, which all have the same characters before it. */
function branch(texts: readonly string[], from: number, to: number, at: number, depth: number): string {
  const bodies: string[] = [];
  for (let start = from; start < to;) {
    const end = depth > MAX_DEPTH ? start + 1 : groupEnd(texts, start, to, at);
    const first = texts[start] ?? '';
    if (end === start + 1) bodies.push(literal(first.slice(at)));
    else {
      const length = at + commonPrefix(first.slice(at), (texts[end - 1] ?? '').slice(at));
      bodies.push(`${literal(first.slice(at, length))} ${branch(texts, start, end, length, depth + 1)}`);
    }
    start = end;
  }
  return anyOf(bodies);
}

/**
 * One of the texts. Those that begin alike share their beginning, so that llama.cpp follows one way at each character
 * however many texts there are.
 */
export function literals(texts: readonly string[]): string {
  const sorted = [...new Set(texts)].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return branch(sorted, 0, sorted.length, 0, 0);
}
