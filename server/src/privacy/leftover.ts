import type { Finding } from './finding.ts';
import type { Masked } from './mask.ts';
import { MAX_GAP, MIN_DIGITS, MIN_RUN } from './windows.ts';

// Masking looks at its own result again. What it finds there are numbers that were left, with other words near them than before: all that
// overlaps a placeholder is dropped. So only what is around enough digits outside of placeholders has to be looked through, as in windows.ts.

/** Characters before and behind digits that may say what they are, and some more: 48 and 20 are read at most. */
const BEFORE = 64;
const BEHIND = 32;
const MIDDLE_DOT = 0xb7;

const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;

/** Reads digits, and what may belong to the same number, from a digit on. Returns where they end; negative where no value can be among them. */
function readCluster(text: string, from: number, end: number): number {
  let [gap, digits, run, longest, last] = [0, 0, 0, 0, from];
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits++;
      if (++run > longest) longest = run;
      last = at + 1;
      gap = 0;
      continue;
    }
    if (run > 0 && isLetter(code)) {
      if (++run > longest) longest = run;
    } else run = 0;
    if (++gap > MAX_GAP || (code > 0x7f && code !== MIDDLE_DOT)) break;
  }
  return digits >= MIN_DIGITS || longest >= MIN_RUN ? last : -last;
}

/** The part of a masked text from the first to the last number that was left, with what may say what they are; null where there is none. */
function leftRange({ text, findings }: Masked): { readonly start: number; readonly end: number } | null {
  let [first, last] = [-1, -1];
  /** Looks at what stands between two placeholders. */
  const look = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (!isDigit(text.charCodeAt(at))) continue;
      const end = readCluster(text, at, to);
      if (end > 0) {
        if (first < 0) first = at;
        last = end;
      }
      at = Math.abs(end) - 1;
    }
  };
  let from = 0;
  let offset = 0;
  for (const { start, end, replacement } of findings) {
    look(from, start + offset);
    from = start + offset + replacement.length;
    offset += replacement.length - (end - start);
  }
  look(from, text.length);
  if (first < 0) return null;
  // Cut at spaces, which no placeholder holds.
  const start = first <= BEFORE ? 0 : text.lastIndexOf(' ', first - BEFORE) + 1;
  const end = text.indexOf(' ', last + BEHIND);
  return { start, end: end < 0 ? text.length : end };
}

/**
 * Finds in a masked text what `find` finds in all of it. For texts without characters that are read as others, policies that look for
 * numbers alone (`isFoundInWindows`), and placeholders that are whole words.
 */
export function findLeft(
  masked: Masked,
  find: (text: string) => readonly Finding[] | Promise<readonly Finding[]>,
): readonly Finding[] | Promise<readonly Finding[]> {
  const range = leftRange(masked);
  if (range === null) return [];
  const { start, end } = range;
  const toWhole = (found: readonly Finding[]) =>
    found.map((finding) => ({ ...finding, start: finding.start + start, end: finding.end + start }));
  const found = find(masked.text.slice(start, end));
  return found instanceof Promise ? found.then(toWhole) : toWhole(found);
}
