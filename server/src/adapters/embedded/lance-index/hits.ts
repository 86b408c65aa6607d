import type { Query, VectorQuery } from '@lancedb/lancedb';
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
    const points = toScore(Number(scores?.get(at)));
    hits.set(rowId, {
      rowId,
      chunkId: String(chunkIds?.get(at)),
      documentId: String(documentIds?.get(at)),
      score: points,
    });
  }
  return [...hits.values()].slice(0, limit);
}

/** The answer of the engine, or the reason of the signal as soon as there is one; the engine itself can't be stopped. */
export async function answerOf(query: Query | VectorQuery, signal: AbortSignal | undefined): Promise<Columns> {
  const answer = query.toArrow();
  if (signal === undefined) return answer;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answer, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Nobody waits for one that is too late.
    answer.catch(() => undefined);
  }
}
