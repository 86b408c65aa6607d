/**
 * The engine's own tokens: up to eight letters of a word, up to three digits, a pair of Hangul syllables, or one other
 * character; one blank before it belongs to it, longer white space is a token of its own. Joined they are the text.
 */

const MAX_LETTERS = 8;
const MAX_DIGITS = 3;
const MAX_BLANKS = 16;

const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isHangul = (code: number) => code >= 0xac00 && code <= 0xd7a3;
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 0xc0 && code <= 0x24f) ||
  (code >= 0x370 && code <= 0x52f);

function run(text: string, from: number, most: number, is: (code: number) => boolean): number {
  let at = from;
  while (at - from < most && is(text.charCodeAt(at))) at++;
  return at;
}

/** Where the token that begins at `from` ends. Never inside a surrogate pair. */
function tokenEnd(text: string, from: number): number {
  let at = from;
  let code = text.charCodeAt(at);
  if (isBlank(code)) {
    const next = text.charCodeAt(at + 1);
    if (code !== 32 || Number.isNaN(next) || isBlank(next)) return run(text, from, MAX_BLANKS, isBlank);
    at++;
    code = next;
  }
  if (isLetter(code)) return run(text, at, MAX_LETTERS, isLetter);
  if (isHangul(code)) return run(text, at, 2, isHangul);
  if (isDigit(code)) return run(text, at, MAX_DIGITS, isDigit);
  const low = text.charCodeAt(at + 1);
  return code >= 0xd800 && code <= 0xdbff && low >= 0xdc00 && low <= 0xdfff ? at + 2 : at + 1;
}

/** The tokens of a text, in order. Linear in its length. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = tokenEnd(text, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

/** Number of tokens of a text. Linear in its length, and makes no strings. */
export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) count++;
  return count;
}
