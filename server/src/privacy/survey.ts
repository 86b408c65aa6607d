import { type Groups, writeJoiners } from './numbers.ts';

// One pass over a text says which characters it has and where its digits stand, so that most recognisers need not look at it at all.

/** Kinds of characters, as bits. */
export const DIGIT = 1;
export const HANGUL = 2;
export const UPPER = 4;
export const AT = 8;
/** An opening bracket, round or square. */
export const BRACKET = 16;
export const COLON = 32;
/** Characters that normalising may change. */
const IRREGULAR = 64;
/** First characters of escapes that normalising decodes. */
const ESCAPE = 128;
/** Letters, digits, dash and underscore: what keys and wallets consist of. */
const CODE = 256;

/** What a text consists of. Valid until the next text is surveyed. */
export interface Survey {
  /** The kinds of its characters: the bits above. */
  readonly kinds: number;
  readonly groups: Groups;
  /** Lengths of its groups of digits: bit n for n digits, the last bit for as many or more. */
  readonly lengths: number;
  /** Units of the longest run of letters, digits, dashes and underscores. */
  readonly longestCode: number;
}

const MAX_LENGTH_BIT = 30;

/** What the patterns of normalise.ts begin with, from the first to the last of each range. */
const irregular: readonly (readonly [from: number, to: number])[] = [
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x660, 0x669],
  [0x6f0, 0x6f9],
  [0x1100, 0x1112],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180e],
  [0x2000, 0x2015],
  [0x2024, 0x2024],
  [0x202a, 0x202f],
  [0x2043, 0x2043],
  [0x205f, 0x2070],
  [0x2074, 0x2079],
  [0x207b, 0x207b],
  [0x2080, 0x2089],
  [0x208b, 0x208b],
  [0x2212, 0x2212],
  [0x3000, 0x3000],
  [0x30fc, 0x30fc],
  [0x3161, 0x3161],
  [0x3164, 0x3164],
  [0xd835, 0xd835],
  [0xfe00, 0xfe0f],
  [0xfe58, 0xfe58],
  [0xfe63, 0xfe63],
  [0xfeff, 0xfeff],
  [0xff01, 0xff5e],
  [0xffa0, 0xffa0],
];

function kindTable(): Uint16Array {
  const table = new Uint16Array(65_536);
  const add = (from: number, to: number, kind: number) => {
    for (let code = from; code <= to; code++) table[code] = (table[code] ?? 0) | kind;
  };
  const addEach = (chars: string, kind: number) => {
    for (let at = 0; at < chars.length; at++) add(chars.charCodeAt(at), chars.charCodeAt(at), kind);
  };
  add(0x30, 0x39, DIGIT | CODE);
  add(0x41, 0x5a, UPPER | CODE);
  add(0x61, 0x7a, CODE);
  addEach('-_', CODE);
  addEach('@', AT);
  addEach('([', BRACKET);
  addEach(':', COLON);
  addEach('\\%', ESCAPE);
  for (const [from, to] of irregular) add(from, to, IRREGULAR);
  return table;
}
const kindOf = kindTable();

/** Room for so many groups of digits. One for all texts: a search never waits, and never begins another. */
const roomFor = (count: number) => ({
  starts: new Uint32Array(count),
  ends: new Uint32Array(count),
  joined: new Uint8Array(count),
});
let room = roomFor(256);
/** The room of a text with more groups is given back with the next text. */
const MAX_KEPT_GROUPS = 65_536;

function growRoom(): void {
  const larger = roomFor(room.starts.length * 2);
  larger.starts.set(room.starts);
  larger.ends.set(room.ends);
  room = larger;
}

/** Surveys a text. Takes time in proportion to it. */
export function survey(text: string): Survey {
  if (room.starts.length > MAX_KEPT_GROUPS) room = roomFor(256);
  let kinds = 0;
  let count = 0;
  let lengths = 0;
  let code = 0;
  let longestCode = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Most of a Korean text, without a look into the table.
    if (unit >= 0xac00 && unit <= 0xd7a3) {
      kinds |= HANGUL;
      code = 0;
      continue;
    }
    const kind = kindOf[unit] ?? 0;
    kinds |= kind;
    if ((kind & CODE) === 0) {
      code = 0;
      continue;
    }
    if (++code > longestCode) longestCode = code;
    if ((kind & DIGIT) === 0) continue;
    const start = at;
    while (at + 1 < text.length && ((kindOf[text.charCodeAt(at + 1)] ?? 0) & DIGIT) !== 0) at++;
    const length = at + 1 - start;
    code += length - 1;
    if (code > longestCode) longestCode = code;
    if (count === room.starts.length) growRoom();
    room.starts[count] = start;
    room.ends[count] = at + 1;
    lengths |= 1 << Math.min(length, MAX_LENGTH_BIT);
    count++;
  }
  const groups = { count, ...room };
  writeJoiners(text, groups);
  return { kinds, groups, lengths, longestCode };
}

/** Whether a text has a group of so many digits. */
export const hasLength = ({ lengths }: Survey, length: number): boolean => (lengths & (1 << length)) !== 0;

/** Whether normalising may change a text, apart from spaces between its digits. */
export const mayBeIrregular = (text: string, { kinds }: Survey): boolean =>
  (kinds & IRREGULAR) !== 0 || ((kinds & ESCAPE) !== 0 && (text.includes('\\u') || text.includes('%40')));

/** Whether three digits stand with one space between each: only then spaces may be taken out. */
export function hasSpacedDigits({ groups: { count, starts: begins, ends: over, joined } }: Survey): boolean {
  for (let at = 1; at + 1 < count; at++) {
    const [start = 0, end = 0] = [begins[at], over[at]];
    if (end - start !== 1 || joined[at - 1] !== SPACE || joined[at] !== SPACE) continue;
    if (start - (over[at - 1] ?? 0) === 1 && (begins[at + 1] ?? 0) - end === 1) return true;
  }
  return false;
}
const SPACE = 2;
