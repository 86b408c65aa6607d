import { setImmediate as nextTurn } from 'node:timers/promises';

/** UTF-16 units that are counted at once. */
const PART_LENGTH = 50_000;

/** Splits a text after ends of lines: no token crosses one, so the counts of the parts add up. */
function* splitAtLines(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PART_LENGTH) {
    let cut = text.indexOf('\n', start + PART_LENGTH);
    // Blank lines and indents belong to one token with the end of the line.
    while (cut >= 0 && /\s/.test(text.charAt(cut + 1))) cut = text.indexOf('\n', cut + 1);
    if (cut < 0) break;
    yield text.slice(start, cut + 1);
    start = cut + 1;
  }
  yield text.slice(start);
}

/** Counts the tokens of all texts, and lets other requests run in between. */
export async function countYielding(
  texts: readonly string[],
  count: (text: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const text of texts) {
    for (const part of splitAtLines(text)) {
      sum += await count(part);
      await nextTurn();
    }
  }
  return sum;
}
