/** Where a top-level member of a JSON object stands in its text: offsets in characters (bytes, as the text is latin1). */
export interface Member {
  readonly key: string;
  /** Start of the key's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** One past the value's last character. */
  readonly end: number;
}

export interface ScannedObject {
  readonly members: readonly Member[];
  readonly duplicates: boolean;
}

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The first character from `from` on that is no white space; the text's length where there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return at;
    at++;
  }
}

/** Characters that are read one by one behind an escaped quote before the next is searched natively: a search takes as long as these. */
const MAX_STEPS = 64;

/** Whether a quote ends its string: there are no backslashes before it, or an even number. The character at `from` is not escaped. */
function isEnd(text: string, from: number, quote: number): boolean {
  let at = quote;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}

/**
 * `from` is the opening quote; returns one past the closing one, or the text's length where there is none. The end is searched natively, as
 * strings are most of a large body; but between many escaped quotes that would take longer than to read them.
 */
export function skipString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    if (isEnd(text, at, quote)) return quote + 1;
    at = quote + 1;
    const stop = Math.min(at + MAX_STEPS, text.length);
    while (at < stop) {
      const unit = text.charCodeAt(at++);
      if (unit === QUOTE) return at;
      if (unit === BACKSLASH) at++;
    }
  }
}

/** One past the value that begins at `from`, or the text's length where it has no end. What is no JSON ends anywhere. */
export function skipValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return skipString(text, from);
  let at = from;
  if (first !== 0x7b && first !== 0x5b) {
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x2c || c === 0x7d || c === 0x5d || c <= 0x20) break;
    }
    return at;
  }
  let depth = 0;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if (c === 0x7b || c === 0x5b) depth++;
    else if (c === 0x7d || c === 0x5d) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return at;
}

/** Up to so many keys are compared with each other; a set of them costs more. */
const MAX_PAIRWISE_KEYS = 24;

function hasDuplicates(members: readonly Member[]): boolean {
  if (members.length > MAX_PAIRWISE_KEYS) return new Set(members.map(({ key }) => key)).size < members.length;
  for (let i = 1; i < members.length; i++) {
    const key = members[i]?.key;
    for (let j = 0; j < i; j++) if (members[j]?.key === key) return true;
  }
  return false;
}

/** Whether the string whose opening quote is at `start` is this one; `name` has no quotes, backslashes or control characters. */
const isName = (text: string, start: number, name: string): boolean =>
  text.startsWith(name, start + 1) && text.charCodeAt(start + 1 + name.length) === QUOTE;

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/**
 * Finds the top-level members of an object in JSON text that `JSON.parse` has accepted already. `names`: those of its keys, as far as they
 * are known, in their order; without quotes, backslashes and control characters. A key that is the name at its place is that very string,
 * which need not be made and hashed again.
 */
export function scanObject(text: string, names: readonly string[] = []): ScannedObject {
  const members: Member[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const start = at;
    const name = names[members.length];
    const isKnown = name !== undefined && isName(text, start, name);
    const keyEnd = isKnown ? start + name.length + 2 : skipString(text, at);
    const key = isKnown ? name : readKey(text, start, keyEnd);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, valueStart);
    members.push({ key, start, valueStart, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === 0x2c) at = skipSpace(text, at + 1);
  }
  return { members, duplicates: hasDuplicates(members) };
}
