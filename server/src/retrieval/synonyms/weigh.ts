import { analyze } from '../analyzer/index.ts';
import type { Saying } from './numbers.ts';

/**
 * The other ways to say a query, of which those are weak that stand for a part which the passages have themselves: there the words of whoever asks
 * find what is meant, and others, which are rarer, would outweigh them. `has` tells whether a passage has all of these terms.
 */
export async function weighSayings(
  sayings: readonly Saying[],
  has: (terms: readonly string[]) => Promise<boolean>,
): Promise<readonly Saying[]> {
  const parts = [...new Set(sayings.map(({ of }) => of))];
  const known = new Set<string>();
  await Promise.all(
    parts.map(async (of) => {
      if (await has(analyze(of).terms)) known.add(of);
    }),
  );
  return sayings.map((saying) => (known.has(saying.of) ? { ...saying, isWeak: true } : saying));
}

/** The query as the lexical embedder is given it: no weak sayings, as each piece of its vector counts in full. */
export const lexicalText = (query: string, sayings: readonly Saying[]): string =>
  [query, ...sayings.flatMap(({ text, isWeak = false }) => (isWeak ? [] : [text]))].join(' ');
