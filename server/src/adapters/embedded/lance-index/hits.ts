import type { Query, VectorQuery } from '@lancedb/lancedb';
import { raceAbort } from '../../../kernel/race-abort.ts';
import type { IndexHit } from '../../../ports/search-index.ts';

/** Columns of an answer that say which row is meant. */
export const ROW_COLUMNS = ['row_id', 'chunk_id', 'document_id'] as const;

interface Columns {
  readonly numRows: number;
  getChild(name: string): { get(at: number): unknown } | null;
}

/** Hits of an answer, best first. A row that was added twice counts once. */
export function hitsOf(answer: Columns, score: string, toScore: (value: number) => number, limit: number): IndexHit[] {
  const column = (name: string) => answer.getChild(name);
  const [rowIds, chunkIds, documentIds] = ROW_COLUMNS.map(column);
  const scores = column(score);
  const hits = new Map<string, IndexHit>();
  for (let at = 0; at < answer.numRows; at++) {
    const rowId = String(rowIds?.get(at));
    if (hits.has(rowId)) continue;
    const rowScore = toScore(Number(scores?.get(at)));
    hits.set(rowId, {
      rowId,
      chunkId: String(chunkIds?.get(at)),
      documentId: String(documentIds?.get(at)),
      score: rowScore,
    });
  }
  return [...hits.values()].slice(0, limit);
}

/** Runs the query. Rejects with the signal's reason on abort; the query itself can't be cancelled. */
export async function runQuery(query: Query | VectorQuery, signal: AbortSignal | undefined): Promise<Columns> {
  if (signal === undefined) return query.toArrow();
  return raceAbort(signal, () => query.toArrow());
}
