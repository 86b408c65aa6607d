import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { type Passage, shortened } from '../../retrieval/index.ts';
import type { Step } from './steps.ts';

/** Longest passage of a citation, in UTF-16 units. */
const MAX_CITED_LENGTH = 2_000;
/** `[1]`, `[1][3]`, `[2, 5]`. */
const CITED = /\[(\d{1,5}(?:\s*[,，]\s*\d{1,5})*)\]/g;

/** The passages that a run found, numbered from 1 through the whole run; one that is found again keeps its number. */
export interface PassageBook {
  number(passages: readonly Passage[]): readonly Citation[];
  /** Passages that a text cites, by number. */
  citedIn(text: string): readonly Citation[];
}

const passagesIn = (value: unknown): readonly Citation[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { passages, calls, turns } = value as Readonly<Record<string, unknown>>;
  const own = Array.isArray(passages) ? (passages as Citation[]) : [];
  return [...own, ...[calls, turns].flatMap((list) => (Array.isArray(list) ? list.flatMap(passagesIn) : []))];
};

/** Opens the book with what steps found before. */
export function openPassages(steps: Iterable<Step>): PassageBook {
  const byChunk = new Map<string, Citation>();
  const byNumber = new Map<number, Citation>();
  let last = 0;
  const put = (passage: Citation) => {
    byChunk.set(passage.chunk_id, passage);
    byNumber.set(passage.number, passage);
    last = Math.max(last, passage.number);
    return passage;
  };
  for (const { outputs, kept } of steps)
    for (const passage of [...passagesIn(outputs), ...passagesIn(kept)])
      if (!byNumber.has(passage.number)) put(passage);
  return {
    number: (passages) =>
      passages.map((passage) => {
        const known = byChunk.get(passage.chunk_id);
        return known ? { ...passage, number: known.number } : put({ ...passage, number: last + 1 });
      }),
    citedIn(text) {
      const numbers = new Set([...text.matchAll(CITED)].flatMap(([, list = '']) => list.split(/[,，]/).map(Number)));
      return [...numbers]
        .toSorted((a, b) => a - b)
        .flatMap((number) => {
          const passage = byNumber.get(number);
          if (passage === undefined) return [];
          return [shortened(passage, MAX_CITED_LENGTH)];
        });
    },
  };
}
