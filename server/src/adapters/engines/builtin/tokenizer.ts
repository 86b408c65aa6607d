/** Words of Latin letters in pieces, runs of digits, pairs of Hangul syllables, single other signs; white space goes with what follows. */
const TOKEN = /\s*(?:[A-Za-z]{1,6}|\d{1,3}|[가-힣]{1,2}|[\u3040-\u30ff\u4e00-\u9fff]|[^\s])|\s+/gu;

/** The engine's own tokens: joined they are the text. Linear in its length. */
export const tokenize = (text: string): string[] => text.match(TOKEN) ?? [];

/** Number of tokens of a text. */
export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(TOKEN)) count++;
  return count;
}
