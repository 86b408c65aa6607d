import { wordsOf } from '../analyzer/words.ts';

/** Letters that a word and a slip of it have in common, in a row; a syllable says more. */
const RUN_LENGTH = 3;
const SYLLABLE_RUN_LENGTH = 2;
/** Runs of a query that are looked for; more say no more. */
const MAX_RUNS = 512;

/**
 * Tells whether a text shares any n-gram with the words of a query. The cosine cannot tell, as hashed pieces of words collide in
 * vectors.
 */
export function createOverlapMatcher(query: string): (text: string) => boolean {
  const runs = new Set<string>();
  for (const { kind, text } of wordsOf(query)) {
    const letters = Array.from(text);
    const length = Math.min(letters.length, kind === 'letters' || kind === 'number' ? RUN_LENGTH : SYLLABLE_RUN_LENGTH);
    for (let at = 0; at + length <= letters.length && runs.size < MAX_RUNS; at++)
      runs.add(letters.slice(at, at + length).join(''));
  }
  return (text) => {
    const folded = text
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .normalize('NFKC')
      .toLowerCase();
    return [...runs].some((run) => folded.includes(run));
  };
}
