import { wordsOf } from '../analyzer/words.ts';

/** Letters that a word and a slip of it have in common, in a row; a syllable says more. */
const RUN = 3;
const SYLLABLES = 2;
/** Runs of a query that are looked for; more say no more. */
const MAX_RUNS = 512;

/**
 * Whether a text has anything of a query: some run of letters of its words. The cosine does not tell that, as pieces of words meet by
 * chance in vectors; a text that has none was found by nothing else.
 */
export function sharing(query: string): (text: string) => boolean {
  const runs = new Set<string>();
  for (const { kind, text } of wordsOf(query)) {
    const letters = Array.from(text);
    const length = Math.min(letters.length, kind === 'letters' || kind === 'number' ? RUN : SYLLABLES);
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
