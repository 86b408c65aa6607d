import { sql, type Transaction } from 'kysely';
import { titleOf } from '../../conversations/index.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Database, Tables } from '../../ports/database.ts';
import { storable, storableJson } from './json.ts';
import { type ClaimedRun, claimedColumns, isRunId, selectRuns, toSnapshot } from './rows.ts';
import type { RunCaller, RunOrder, RunSnapshot } from './types.ts';

// How a run comes to be: its session, the id of its message, its row and the first event of its log, all or nothing.

interface StartDeps {
  readonly db: Database;
  /** How long ids of messages are known; 0: never looked at. */
  readonly messageHours: number;
}

/** A run that was stored. */
export interface StoredRun {
  readonly run: RunSnapshot;
  readonly joined: boolean;
  /** Where this process is to run it. */
  readonly claimed: ClaimedRun | null;
}

/** Runs of a tenant that may be under way or wait; further ones are turned away. */
const MOST_OPEN = 2_000;
const RETRY_SECONDS = 10;

const noSession = () => invalidRequest('There is no such session of this agent', 'session');

async function requireRoom(tx: Transaction<Tables>, { tenantId }: RunCaller): Promise<void> {
  const { open } = await tx
    .selectFrom('agent_runs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['submitted', 'working'])
    .executeTakeFirstOrThrow();
  if (Number(open) < MOST_OPEN) return;
  throw new StudioError('rate_limited', `${MOST_OPEN} runs of yours are under way; try again later`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The run that the same message began. Throws StudioError `invalid_request` where the message said something else. */
async function runOfMessage(tx: Transaction<Tables>, { agentId, message }: RunOrder): Promise<string | null> {
  if (message === null) return null;
  // Two of one id that come at once are one.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${agentId} ${message.id}`}, 0))`.execute(tx);
  const row = await tx
    .selectFrom('agent_messages')
    .select(['hash', 'run_id', sql<boolean>`expires_at < clock_timestamp()`.as('expired')])
    .where('agent_id', '=', agentId)
    .where('message_id', '=', storable(message.id))
    .executeTakeFirst();
  if (row === undefined || row.expired) return null;
  if (row.hash !== message.hash) throw invalidRequest('The id of the message was used for another message', 'message');
  return row.run_id;
}

async function noteMessage(tx: Transaction<Tables>, order: RunOrder, runId: string, hours: number): Promise<void> {
  const { agentId, message } = order;
  if (message === null) return;
  const values = {
    hash: message.hash,
    run_id: runId,
    expires_at: sql<Date>`clock_timestamp() + ${hours} * interval '1 hour'`,
  };
  await tx
    .insertInto('agent_messages')
    .values({ agent_id: agentId, message_id: storable(message.id), ...values })
    .onConflict((conflict) => conflict.columns(['agent_id', 'message_id']).doUpdateSet(values))
    .execute();
}

/** The session of a run: one that is there, or a new one. */
async function sessionOf(tx: Transaction<Tables>, caller: RunCaller, order: RunOrder): Promise<number> {
  const { session, sessionType: type, agentId, input } = order;
  if (session === undefined) {
    const { id } = await tx
      .insertInto('agent_sessions')
      .values({
        tenant_id: caller.tenantId,
        agent_id: agentId,
        context_id: hexId(),
        type,
        title: titleOf(storable(input.text)),
        key_id: caller.keyId,
        user_id: caller.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const found = await tx
    .updateTable('agent_sessions')
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', caller.tenantId)
    .where('agent_id', '=', agentId)
    .where('type', '=', type)
    // In the console a session is one person's.
    .$if(type !== 'api', (query) => query.where('user_id', '=', caller.userId))
    .where(({ eb }) =>
      'id' in session ? eb('id', '=', session.id) : eb('context_id', '=', storable(session.contextId)),
    )
    .returning('id')
    .executeTakeFirst();
  if (found === undefined) throw noSession();
  return found.id;
}

async function keepFiles(tx: Transaction<Tables>, { tenantId }: RunCaller, order: RunOrder, runId: string) {
  const ids = order.input.files.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('agent_files')
    .set({ run_id: runId })
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', order.agentId)
    .where('id', 'in', ids)
    .execute();
}

const claimed = (claim: string | null) => ({
  claim,
  seen_at: claim === null ? null : sql<Date>`clock_timestamp()`,
  attempts: claim === null ? 0 : 1,
});

async function insertRun(tx: Transaction<Tables>, caller: RunCaller, order: RunOrder, claim: string | null) {
  const id = hexId();
  const sessionId = await sessionOf(tx, caller, order);
  const row = await tx
    .insertInto('agent_runs')
    .values({
      id,
      tenant_id: caller.tenantId,
      agent_id: order.agentId,
      session_id: sessionId,
      version_id: order.versionId,
      definition: storableJson(order.definition),
      key_id: caller.keyId,
      user_id: caller.userId,
      input: storableJson(order.input),
      last_seq: 1,
      ...claimed(claim),
    })
    .returning([...claimedColumns])
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('agent_events')
    .values({ run_id: id, seq: 1, body: JSON.stringify({ type: 'state', state: 'submitted' }), at: new Date() })
    .execute();
  return row;
}

/** Gives a run that waits for an answer this one. */
async function goOn(tx: Transaction<Tables>, caller: RunCaller, order: RunOrder, runId: string, claim: string | null) {
  const refuse = () => invalidRequest('There is no run of this agent that waits for an answer by this id', 'continues');
  if (!isRunId(runId)) throw refuse();
  const waiting = await tx
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select(['agent_runs.id', 'agent_runs.session_id', 'agent_sessions.context_id'])
    .where('agent_runs.id', '=', runId)
    .where('agent_runs.tenant_id', '=', caller.tenantId)
    .where('agent_runs.agent_id', '=', order.agentId)
    .where('agent_runs.state', '=', 'input-required')
    .where('agent_sessions.type', '=', order.sessionType)
    .$if(order.sessionType !== 'api', (query) => query.where('agent_sessions.user_id', '=', caller.userId))
    .forUpdate('agent_runs')
    .executeTakeFirst();
  if (waiting === undefined) throw refuse();
  const { session } = order;
  if (session && !('id' in session ? session.id === waiting.session_id : session.contextId === waiting.context_id))
    throw noSession();
  // The first of those that ask. What it was told is its own from here on.
  await sql`
    UPDATE agent_steps SET state = 'running', kept = jsonb_build_object('reply', ${storableJson(order.input)}::jsonb)
    WHERE run_id = ${runId} AND number = (
      SELECT min(number) FROM agent_steps WHERE run_id = ${runId} AND state = 'waiting')`.execute(tx);
  await tx
    .updateTable('agent_sessions')
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', waiting.session_id)
    .execute();
  return tx
    .updateTable('agent_runs')
    .set({ state: 'submitted', question: null, updated_at: sql<Date>`clock_timestamp()`, ...claimed(claim) })
    .where('id', '=', runId)
    .returning([...claimedColumns])
    .executeTakeFirstOrThrow();
}

/**
 * Stores a run, or finds the one that the same message began. `claim` names this process where it runs the run itself. Errors: those
 * of AgentRuns.start.
 */
export function storeRun(
  { db, messageHours }: StartDeps,
  caller: RunCaller,
  given: RunOrder,
  claim: string | null,
): Promise<StoredRun> {
  const order = messageHours === 0 ? { ...given, message: null } : given;
  return db.transaction(async (tx) => {
    const known = await runOfMessage(tx, order);
    if (known === null) await requireRoom(tx, caller);
    const row =
      known !== null
        ? null
        : order.continues === undefined
          ? await insertRun(tx, caller, order, claim)
          : await goOn(tx, caller, order, order.continues, claim);
    const id = row?.id ?? known ?? '';
    if (row !== null) {
      await noteMessage(tx, order, id, messageHours);
      await keepFiles(tx, caller, order, id);
    }
    const run = toSnapshot(await selectRuns(tx).where('agent_runs.id', '=', id).executeTakeFirstOrThrow());
    return { run, joined: row === null, claimed: row === null || claim === null ? null : { ...row, claim } };
  });
}
