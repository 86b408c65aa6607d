/** A stretch of a text that the other has too, or has not. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** Words, and what stands between them. */
const wordsOf = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? [];

/** Above this many word pairs the texts are marked as changed as a whole: the comparison would take too long. */
const MAX_PAIRS = 2_000_000;

/** For each word, whether it is in the longest common subsequence. */
function commonWords(before: readonly string[], after: readonly string[]): readonly [boolean[], boolean[]] {
  const [inBefore, inAfter] = [before.map(() => false), after.map(() => false)];
  if (before.length * after.length > MAX_PAIRS) return [inBefore, inAfter];
  const width = after.length + 1;
  // Length of that subsequence from here on, for each pair of positions.
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0;
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      lengths[one * width + other] =
        before[one] === after[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  for (let one = 0, other = 0; one < before.length && other < after.length;) {
    if (before[one] === after[other]) {
      inBefore[one] = true;
      inAfter[other] = true;
      one += 1;
      other += 1;
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return [inBefore, inAfter];
}

function piecesOf(words: readonly string[], both: readonly boolean[]): readonly Piece[] {
  const pieces: { text: string; changed: boolean }[] = [];
  for (const [place, text] of words.entries()) {
    const changed = both[place] !== true;
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  }
  return pieces;
}

/** Diff of two texts by words. The pieces of each side, joined, are its text. */
export function diffWords(
  before: string,
  after: string,
): { readonly before: readonly Piece[]; readonly after: readonly Piece[] } {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [inOld, inNow] = commonWords(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const around = (inside: readonly boolean[]) => [
    ...Array.from({ length: start }, () => true),
    ...inside,
    ...Array.from({ length: end }, () => true),
  ];
  return { before: piecesOf(old, around(inOld)), after: piecesOf(now, around(inNow)) };
}
