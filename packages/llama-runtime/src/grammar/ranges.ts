import type { Ranges } from './text.ts';

const LAST = 0x10ffff;
/** Halves of pairs, which are no characters. */
const SURROGATES = [0xd800, 0xdfff] as const;

/** Sorted, without overlaps. */
export function normalised(ranges: Ranges): Ranges {
  const out: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** All other characters. */
export function inverted(ranges: Ranges): Ranges {
  const out: [number, number][] = [];
  let from = 0;
  for (const [start, end] of normalised([...ranges, SURROGATES])) {
    if (start > from) out.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= LAST) out.push([from, LAST]);
  return out;
}

/** Characters of both; each is {@link normalised}. */
export function common(a: Ranges, b: Ranges): Ranges {
  const out: [number, number][] = [];
  let [i, j] = [0, 0];
  for (let x = a[i], y = b[j]; x && y; x = a[i], y = b[j]) {
    const [from, to] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
    if (from <= to) out.push([from, to]);
    if (x[1] < y[1]) i++;
    else j++;
  }
  return out;
}

export const EVERY: Ranges = inverted([]);

const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** Classes of characters of regular expressions. Source: ECMA-262, CharacterClassEscape. */
export const classes = {
  any: inverted(LINE_ENDS),
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
} as const satisfies Record<string, Ranges>;

/** Properties that are looked up: each costs a test of every character, once. */
const PROPERTY =
  /^(L[ulmot]?|N[dlo]?|P[cdseifo]?|S[mcko]?|M[nce]?|Z[slp]?|Letter|Number|Punctuation|Alphabetic|Emoji|(Script|sc)=(Hangul|Han|Latin|Hiragana|Katakana|Cyrillic|Greek|Arabic|Thai))$/;
const properties = new Map<string, Ranges>();

/** Characters of a Unicode property, such as `L` or `Script=Hangul`; null for one that is not known. */
export function unicodeProperty(name: string): Ranges | null {
  if (!PROPERTY.test(name)) return null;
  const known = properties.get(name);
  if (known) return known;
  const has = new RegExp(`^\\p{${name}}$`, 'u');
  const out: [number, number][] = [];
  for (let code = 0; code <= LAST; code++) {
    if (code === SURROGATES[0]) code = SURROGATES[1] + 1;
    if (!has.test(String.fromCodePoint(code))) continue;
    const last = out.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else out.push([code, code]);
  }
  properties.set(name, out);
  return out;
}
