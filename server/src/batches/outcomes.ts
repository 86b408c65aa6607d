import type { BatchError, BatchOutputLine } from '@ai-studio/contract/batches.ts';
import { sql } from 'kysely';
import { fileId } from '../files/index.ts';
import type { StoredCalls, StoredUsage } from '../inference/index.ts';
import type { Database } from '../ports/database.ts';
import type { EarlyEnd } from './live-batch.ts';
import { batchJobs, type ClaimedBatch } from './record.ts';

const clock = sql<Date>`clock_timestamp()`;

/** Numbers of the lines that have ended. */
export async function doneLines({ query }: Database, batchId: string): Promise<ReadonlySet<number>> {
  const rows = await query.selectFrom('batch_results').select('line').where('batch_id', '=', batchId).execute();
  return new Set(rows.map(({ line }) => line));
}

/** Notes that a file is right, and that its lines run. Resolves with false where the claim is lost. */
export const startLines = (
  { query }: Database,
  batch: ClaimedBatch,
  { total, model }: { readonly total: number; readonly model: string | null },
): Promise<boolean> =>
  batchJobs.update(query, batch, {
    // It may be cancelled meanwhile.
    state: sql`CASE WHEN state = 'validating' THEN 'in_progress' ELSE state END`,
    in_progress_at: clock,
    total,
    model,
    attempts: 0,
  });

/** Ends a batch without any results. Resolves with false where the claim is lost. */
export const failAtOnce = ({ query }: Database, batch: ClaimedBatch, errors: readonly BatchError[]): Promise<boolean> =>
  batchJobs.update(query, batch, {
    state: 'failed',
    errors: JSON.stringify(errors),
    ended_at: clock,
    claim: null,
  });

/** Names the usage of a line. */
const usageId = ({ id }: ClaimedBatch, line: number) => `${id}:${line}`;

export interface OutcomeToStore {
  readonly line: number;
  readonly ok: boolean;
  readonly output: BatchOutputLine;
  readonly calls: StoredCalls;
}

/** Stores what became of a line, together with its usage: once, however often it is run. Resolves with false where the claim is lost. */
export const storeOutcome = (
  { transaction }: Database,
  batch: ClaimedBatch,
  { line, ok, output, calls }: OutcomeToStore,
): Promise<boolean> =>
  transaction(async (tx) => {
    if (!(await batchJobs.lock(tx, batch))) return false;
    const { numInsertedOrUpdatedRows: added } = await tx
      .insertInto('batch_results')
      .values({ batch_id: batch.id, line, ok, output: JSON.stringify(output) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    // One that is there was stored by this transaction before, whose answer was lost with its connection.
    if (added === 0n) return true;
    await batchJobs.update(tx, batch, {
      ...(ok ? { completed: sql`completed + 1` } : { failed: sql`failed + 1` }),
      // Only batches that come no further are given up.
      attempts: 0,
    });
    await calls.store(tx, usageId(batch, line));
    return true;
  });

/** Stores what a line used that was cut off and is run no more. */
export const storeCutUsage = (
  { transaction }: Database,
  batch: ClaimedBatch,
  { line, calls }: Pick<OutcomeToStore, 'line' | 'calls'>,
): Promise<void> => transaction((tx) => calls.store(tx, usageId(batch, line)));

/** Stores what a try of a line used that failed and is made again. `tryId` names the try, which counts once. */
export const storeTryUsage = (
  { transaction }: Database,
  batch: ClaimedBatch,
  { line, tryId, usage }: { readonly line: number; readonly tryId: string; readonly usage: StoredUsage },
): Promise<void> => transaction((tx) => usage.store(tx, `${usageId(batch, line)}:${tryId}`));

/** Notes that no line runs any more, and as what the batch ends. Resolves with false where the claim is lost. */
export const stopLines = ({ query }: Database, batch: ClaimedBatch, early: EarlyEnd | null): Promise<boolean> =>
  batchJobs.update(query, batch, {
    state: sql`CASE WHEN state = 'cancelling' THEN state ELSE 'finalizing' END`,
    finalizing_at: clock,
    ending: early === null || early.why === 'cancelled' ? 'completed' : early.why,
    ...(early?.why === 'failed'
      ? { errors: JSON.stringify([{ code: early.code, line: null, message: early.message, param: null }]) }
      : {}),
  });

/** The ids of the files with results, chosen once. Resolves with null where the claim is lost. */
export async function chooseFiles({ query }: Database, batch: ClaimedBatch) {
  const { rows } = await sql<{
    readonly output_file_id: string;
    readonly error_file_id: string;
    readonly state: ClaimedBatch['state'];
    readonly ending: ClaimedBatch['ending'];
  }>`
    UPDATE batches SET output_file_id = coalesce(output_file_id, ${fileId()}), error_file_id = coalesce(error_file_id, ${fileId()})
    WHERE id = ${batch.id} AND claim = ${batch.claim} RETURNING output_file_id, error_file_id, state, ending`.execute(
    query,
  );
  return rows[0] ?? null;
}
