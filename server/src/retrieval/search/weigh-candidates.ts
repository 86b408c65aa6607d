import type { Queryable } from '../../ports/database.ts';
import type { Candidate } from './candidates.ts';
import { weighed, weightOf, type Weights } from './weights.ts';

/** Candidates with their weights, in the order that these give. */
export async function weighCandidates(
  { query }: Queryable,
  weights: Weights,
  list: readonly Candidate[],
  now: number,
): Promise<Candidate[]> {
  if (list.length === 0) return [];
  const documents = await query
    .selectFrom('documents')
    .select(['id', 'name', 'metadata', 'created_at'])
    .where('id', 'in', [...new Set(list.map(({ documentId }) => documentId))])
    .execute();
  const byId = new Map(documents.map((one) => [one.id, weightOf(weights, one, now)]));
  return list
    .map((one) => {
      const weight = byId.get(one.documentId) ?? 1;
      return { ...one, score: weighed(one.score, weight), weight };
    })
    .sort((a, b) => b.score - a.score || (a.rowId < b.rowId ? -1 : 1));
}
