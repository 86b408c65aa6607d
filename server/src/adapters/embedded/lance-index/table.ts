import type { Table } from '@lancedb/lancedb';
import { setTimeout as delay } from 'node:timers/promises';
import { IndexError, type IndexRow, type RowSelector } from '../../../ports/search-index.ts';
import { batchOf } from './batch.ts';
import type { LanceEngine } from './engine.ts';
import { indexError, isConflict } from './failure.ts';
import { oneOf } from './filter-sql.ts';
import { createWriteQueue, type Write } from './write-queue.ts';

/** A table that is open in this process. */
export interface OpenTable {
  readonly name: string;
  readonly dimension: number;
  readonly handle: Table;
  /** Sees what was written before the mark was reached; everything there is when there is none. */
  refresh(mark: number | undefined): Promise<void>;
  write(write: Write): Promise<void>;
  /**
   * Runs something that reads; once more, on the newest version, when files that it began with are gone. Rejects with the signal's reason
   * on abort: that says nothing of the table.
   */
  read<T>(reading: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves once nothing waits to be written. */
  idle(): Promise<void>;
  /** Releases the table; one that is in use is released once its operations are done. */
  close(): void;
}

/** Attempts of a write on commit conflicts, beyond the engine's own retries. */
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 50;

/** Writes, and retries on commit conflicts with other processes. Throws IndexError. */
export async function writeWithRetry(table: string, writing: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await writing();
      return;
    } catch (error) {
      if (tries === ATTEMPTS || !isConflict(error)) throw indexError(table, error);
      await delay(tries * RETRY_DELAY_MS * (0.5 + Math.random()));
    }
  }
}

/** How many ids one condition names. */
const MAX_IDS = 1_000;

/** Conditions for rows to be removed. */
export function conditionsOf(which: RowSelector): readonly string[] {
  const [column, ids] =
    'rowIds' in which ? (['row_id', which.rowIds] as const) : (['document_id', which.documentIds] as const);
  const parts: string[] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) parts.push(oneOf(column, ids.slice(at, at + MAX_IDS)));
  return parts;
}

/** Closes, and ignores the error that the engine throws for an object in use: it is freed once unreferenced. */
export function closeQuietly(native: { close(): void }): void {
  try {
    native.close();
  } catch {
    // Nothing depends on it.
  }
}

/** Opens a table. Throws IndexError. `onWrite` is called after every commit, with the number of rows that it added. */
export async function openTable(
  engine: LanceEngine,
  name: string,
  onWrite: (rows: number) => void,
): Promise<OpenTable> {
  const { connection, arrow } = engine;
  const fail = (error: unknown): never => {
    throw indexError(name, error);
  };
  const handle = await connection.openTable(name).catch(fail);
  const schema = await handle.schema().catch(fail);
  const type: unknown = schema.fields.find((field) => field.name === 'vector')?.type;
  const dimension = (type as { readonly listSize?: number } | undefined)?.listSize;
  if (dimension === undefined) throw new IndexError('lost', name, `Table ${name} of the search index is none of ours`);

  const batch = (rows: readonly IndexRow[]) => batchOf(arrow, dimension, rows);
  const queue = createWriteQueue(async (write) => {
    await writeWithRetry(name, () => {
      if (write.kind === 'remove') return handle.delete(write.where);
      if (write.kind === 'add') return handle.add(batch(write.rows));
      return handle.mergeInsert('row_id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(batch(write.rows));
    });
    onWrite(write.kind === 'remove' ? 0 : write.rows.length);
  });

  let seen = -Infinity;
  return {
    name,
    dimension,
    handle,
    async refresh(mark) {
      if (mark !== undefined && mark <= seen) return;
      // Never shared with a refresh that is under way: that one may have looked before the write.
      await handle.checkoutLatest().catch(fail);
      if (mark !== undefined) seen = Math.max(seen, mark);
    },
    write: (write) => queue.push(write),
    async read(reading, signal) {
      try {
        return await reading();
      } catch {
        signal?.throwIfAborted();
        await handle.checkoutLatest().catch(fail);
        return await reading().catch((error: unknown) => {
          signal?.throwIfAborted();
          return fail(error);
        });
      }
    },
    idle: () => queue.idle(),
    close: () => closeQuietly(handle),
  };
}
