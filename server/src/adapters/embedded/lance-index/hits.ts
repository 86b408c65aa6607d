import type { Query, VectorQuery } from '@lancedb/lancedb';
import { raceAbort } from '../../../kernel/race-abort.ts';
import type { IndexHit } from '../../../ports/search-index.ts';

/** The column of an answer that says which row is meant. Each further one is read from every file in which a row was found. */
export const ROW_COLUMN = 'row_id';

interface Columns {
  readonly numRows: number;
  getChild(name: string): { get(at: number): unknown } | null;
}

/** Hits of an answer, best first. A row that was added twice counts once. */
export function hitsOf(answer: Columns, score: string, toScore: (value: number) => number, limit: number): IndexHit[] {
  const rowIds = answer.getChild(ROW_COLUMN);
  const scores = answer.getChild(score);
  const hits = new Map<string, IndexHit>();
  for (let at = 0; at < answer.numRows; at++) {
    const rowId = String(rowIds?.get(at));
    if (hits.has(rowId)) continue;
    hits.set(rowId, { rowId, score: toScore(Number(scores?.get(at))) });
  }
  return [...hits.values()].slice(0, limit);
}

/** Runs the query. Rejects with the signal's reason on abort; the query itself can't be cancelled. */
export async function runQuery(query: Query | VectorQuery, signal: AbortSignal | undefined): Promise<Columns> {
  if (signal === undefined) return query.toArrow();
  return raceAbort(signal, () => query.toArrow());
}
