import { setImmediate as nextTurn } from 'node:timers/promises';

/** Units that are counted in one go. */
const PART = 50_000;

/** Parts of a text, each with the end of its last line: no token reaches over such an end, so that their counts add up. */
function* partsOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PART) {
    let cut = text.indexOf('\n', from + PART);
    // Blank lines and indents belong to one token with the end of the line.
    while (cut >= 0 && /\s/.test(text.charAt(cut + 1))) cut = text.indexOf('\n', cut + 1);
    if (cut < 0) break;
    yield text.slice(from, cut + 1);
    from = cut + 1;
  }
  yield text.slice(from);
}

/** Tokens of all texts, with turns for other requests in between. */
export async function countInTurns(
  texts: readonly string[],
  count: (text: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const text of texts) {
    for (const part of partsOf(text)) {
      sum += await count(part);
      await nextTurn();
    }
  }
  return sum;
}
