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
  const rows = await query
    .selectFrom('chunks')
    .innerJoin('documents', 'documents.id', 'chunks.document_id')
    .select(['chunks.row_id', 'documents.id', 'documents.name', 'documents.metadata', 'documents.created_at'])
    .where(
      'chunks.row_id',
      'in',
      list.map(({ rowId }) => rowId),
    )
    .execute();
  const byRow = new Map(rows.map((one) => [one.row_id, weightOf(weights, one, now)]));
  return list
    .map((one) => {
      const weight = byRow.get(one.rowId) ?? 1;
      return { ...one, score: weighed(one.score, weight), weight };
    })
    .sort((a, b) => b.score - a.score || (a.rowId < b.rowId ? -1 : 1));
}
