import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Database, Queryable } from '../../ports/database.ts';
import { hasEnded, isRunId } from './rows.ts';

/** What is to be done for a run to end: nothing, or a process has to hear of it, or to take it up. */
export type CancelStep = 'ended' | 'running' | 'waiting';

export const runNotFound = () => new StudioError('not_found', 'There is no such run');

/** Of a run that has not begun. */
const SUBMITTED_SEQ = 1;

/**
 * Notes that a run is to end; one that has not begun ends at once. One that was begun, and that nobody runs now, is taken up for it:
 * its trace has to become what the traces of ended runs are. Errors: `not_found`; `conflict` where it had ended.
 */
export function requestCancel(db: Database, tenantId: TenantId, agentId: string, runId: string): Promise<CancelStep> {
  if (!isRunId(runId)) throw runNotFound();
  return db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('agent_runs')
      .select(['state', 'claim', 'last_seq'])
      .where('id', '=', runId)
      .where('tenant_id', '=', tenantId)
      .where('agent_id', '=', agentId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw runNotFound();
    if (hasEnded(row.state)) throw new StudioError('conflict', 'The run has ended', { reason: 'run_ended' });
    if (row.claim !== null) {
      await tx.updateTable('agent_runs').set({ cancel_requested: true }).where('id', '=', runId).execute();
      return 'running';
    }
    if (row.last_seq > SUBMITTED_SEQ) {
      await tx
        .updateTable('agent_runs')
        .set({
          cancel_requested: true,
          question: null,
          ...(row.state === 'input-required' ? { state: 'submitted' } : {}),
        })
        .where('id', '=', runId)
        .execute();
      return 'waiting';
    }
    const now = new Date();
    await tx
      .updateTable('agent_runs')
      .set({
        state: 'canceled',
        cancel_requested: true,
        question: null,
        last_seq: row.last_seq + 1,
        updated_at: now,
        state_at: now,
        ended_at: now,
      })
      .where('id', '=', runId)
      .execute();
    await tx
      .insertInto('agent_events')
      .values({
        run_id: runId,
        seq: row.last_seq + 1,
        body: JSON.stringify({ type: 'state', state: 'canceled' }),
        at: now,
      })
      .execute();
    return 'ended';
  });
}

/**
 * Notes that all runs of a key are to end, also those that wait for a person; they end once they are taken up. Resolves with how many
 * these are.
 */
export async function cancelRunsOfKey({ query }: Queryable, keyId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agent_runs SET cancel_requested = true, question = NULL,
      state = CASE state WHEN 'input-required' THEN 'submitted' ELSE state END
    WHERE key_id = ${keyId} AND NOT cancel_requested AND state IN ('submitted', 'working', 'input-required')`.execute(
    query,
  );
  return Number(numAffectedRows);
}
