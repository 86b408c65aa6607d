import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Principal } from '../../kernel/actor.ts';
import { titleOf } from '../../conversations/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { TenantId } from '../../kernel/context.ts';
import { type Database, PREPARED, type Tables } from '../../ports/database.ts';
import { storable, storableJson } from './json.ts';
import {
  type ClaimedRun,
  claimedColumns,
  isRunId,
  isShown,
  seesAll,
  seesAllOf,
  selectRuns,
  toSnapshot,
} from './rows.ts';
import { RunError } from './run-error.ts';
import type { RunRequest, RunSnapshot } from './types.ts';

// Inserts a run: its session, the id of its message, its row and the first event of its log, atomically.

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

/** How long ids of the service's own making are known: longer than any work is taken up again. */
const OWN_MESSAGE_HOURS = 48;

/** Runs of a tenant that may be under way or wait; further ones are turned away. */
const MAX_OPEN = 2_000;
const RETRY_SECONDS = 10;

const clock = sql<Date>`clock_timestamp()`;

/** The message was sent before. The run that it started is looked up after this attempt is rolled back. */
class DuplicateMessage extends Error {}

/** The run that the same message began. Throws RunError `message_id_used` where the message said something else. */
async function findRunByMessage({ query }: Database, { agentId, message }: RunRequest): Promise<string | null> {
  if (message === null) return null;
  const row = await query
    .selectFrom('agent_messages')
    .select(['hash', 'run_id'])
    .where('agent_id', '=', agentId)
    .where('message_id', '=', storable(message.id))
    .where('expires_at', '>=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.hash !== message.hash) throw new RunError('message_id_used');
  return row.run_id;
}

/** Notes the id of a message; of two of one id that come at once the second waits for the first. Throws DuplicateMessage. */
async function recordMessageId(
  tx: Transaction<Tables>,
  request: RunRequest,
  runId: string,
  hours: number,
): Promise<void> {
  const { agentId, message } = request;
  if (message === null) return;
  const { numAffectedRows } = await sql`
    INSERT INTO agent_messages (agent_id, message_id, hash, run_id, expires_at)
    VALUES (${agentId}, ${storable(message.id)}, ${message.hash}, ${runId},
      clock_timestamp() + ${hours} * interval '1 hour')
    ${ifExpired}`.execute(tx);
  if (numAffectedRows === 0n) throw new DuplicateMessage();
}

const ifExpired = sql`ON CONFLICT (agent_id, message_id) DO UPDATE
  SET hash = excluded.hash, run_id = excluded.run_id, expires_at = excluded.expires_at
  WHERE agent_messages.expires_at < clock_timestamp()`;

/** The session of a run: one that is there, or a new one, which `from` gives a reason for. */
function sessionOf(
  actor: Principal,
  { session, sessionType: type, agentId, input }: RunRequest,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { tenantId, keyId, userId } = actor;
  if (session === undefined || 'ownContextId' in session) {
    const [contextId, owner] = session === undefined ? [hexId(), ''] : [storable(session.ownContextId), session.owner];
    return sql`INSERT INTO agent_sessions (tenant_id, agent_id, context_id, context_owner, type, title, key_id, user_id)
      SELECT ${tenantId}, ${agentId}, ${contextId}, ${owner}, ${type}, ${titleOf(storable(input.text))}, ${keyId}::text,
        ${userId}::text
      FROM ${from} ON CONFLICT (agent_id, context_id, context_owner) DO UPDATE SET updated_at = clock_timestamp()`;
  }
  const named =
    'id' in session
      ? sql`id = ${session.id}`
      : sql`context_id = ${storable(session.contextId)} AND context_owner IN ('', ${keyId ?? ''})`;
  // In the console a session is one person's.
  const own = type === 'api' ? sql`true` : sql`user_id = ${userId}`;
  return sql`UPDATE agent_sessions SET updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId} AND agent_id = ${agentId} AND type = ${type} AND ${own} AND ${named}`;
}

/** The id of its message, noted unless it was before; of two of one id that come at once the second waits for the first. */
function insertMessageId({ agentId, message }: RunRequest, runId: string, hours: number, from: RawBuilder<unknown>) {
  if (message === null) return sql`SELECT FROM ${from}`;
  return sql`INSERT INTO agent_messages (agent_id, message_id, hash, run_id, expires_at)
    SELECT ${agentId}, ${storable(message.id)}, ${message.hash}, ${runId}, clock_timestamp() + ${hours} * interval '1 hour'
    FROM ${from} ${ifExpired} RETURNING 1`;
}

async function attachFiles(tx: Transaction<Tables>, { tenantId }: Principal, request: RunRequest, runId: string) {
  const ids = request.input.files.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('agent_files')
    .set({ run_id: runId })
    .where('tenant_id', '=', tenantId)
    .where('agent_id', '=', request.agentId)
    .where('id', 'in', ids)
    .execute();
}

const claimed = (claim: string | null) => ({
  claim,
  seen_at: claim === null ? null : sql<Date>`clock_timestamp()`,
  attempts: claim === null ? 0 : 1,
});

interface Inserted {
  readonly number: number;
  readonly session_id: number;
  readonly context_id: string;
  readonly created_at: Date;
  readonly sees_all: boolean;
}

/** Runs of a tenant that are under way or wait, counted as far as it matters. */
const openRuns = (tenantId: TenantId) => sql<number>`(SELECT count(*) FROM (SELECT 1 FROM agent_runs
  WHERE tenant_id = ${tenantId} AND state IN ('submitted', 'working') LIMIT ${MAX_OPEN}) AS all_open)`;

interface Outcome extends Partial<Inserted> {
  readonly has_room: boolean;
  readonly has_session: boolean;
}
const isInserted = (row: Outcome | undefined): row is Outcome & Inserted => typeof row?.number === 'number';

/** Why nothing was stored. */
function insertError({ session }: RunRequest, row: Outcome | undefined): Error {
  if (row?.has_room === false)
    return new StudioError('rate_limited', `${MAX_OPEN} runs of yours are under way; try again later`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  return session !== undefined && row?.has_session === false ? new RunError('unknown_session') : new DuplicateMessage();
}

/** Stores a new run with all that belongs to it, in one statement: all of it, or nothing. Throws StudioError, DuplicateMessage. */
async function insertRun(
  db: Database,
  actor: Principal,
  request: RunRequest,
  claim: string | null,
  messageHours: number,
): Promise<StoredRun> {
  const id = hexId();
  const { tenantId, keyId, userId } = actor;
  const { agentId, versionId, definition, input, priority = 'interactive' } = request;
  const who = {
    tenant: sql`${tenantId}`,
    version: sql`${versionId}::text`,
    user: sql`${userId}::text`,
    key: sql`${keyId}::text`,
  };
  // A session that is there comes before the message, a new one after it: neither is for nothing.
  const isNew = request.session === undefined || 'ownContextId' in request.session;
  const [session, message] = [
    sql`session AS (${sessionOf(actor, request, sql`message`)} RETURNING id, context_id)`,
    sql`message AS (${insertMessageId(request, id, messageHours, isNew ? sql`room` : sql`room, session`)})`,
  ];
  const { rows } = await sql<Outcome>`${sql.raw(PREPARED)}
    WITH room AS (SELECT WHERE ${openRuns(tenantId)} < ${MAX_OPEN}),
    ${sql.join(isNew ? [message, session] : [session, message])},
    run AS (
      INSERT INTO agent_runs (id, tenant_id, agent_id, session_id, version_id, definition, key_id, user_id, input, priority, last_seq,
        claim, seen_at, attempts)
      SELECT ${id}, ${tenantId}, ${agentId}, session.id, ${versionId}::text, ${storableJson(definition)}::jsonb, ${keyId}::text,
        ${userId}::text, ${storableJson(input)}::jsonb, ${priority}, 1, ${claim}::text,
        CASE WHEN ${claim === null} THEN NULL ELSE clock_timestamp() END, ${claim === null ? 0 : 1}
      FROM session, message RETURNING number, session_id, created_at
    ), event AS (
      INSERT INTO agent_events (run_id, seq, body)
      SELECT ${id}, 1, '{"type":"state","state":"submitted"}'::jsonb FROM run
    ), files AS (
      UPDATE agent_files SET run_id = ${id} FROM run WHERE tenant_id = ${tenantId} AND agent_id = ${agentId}
        AND agent_files.id = ANY (${input.files.map((file) => file.id)}::text[])
    )
    SELECT run.*, session.context_id, ${seesAllOf(who)} AS sees_all, EXISTS (SELECT FROM room) AS has_room,
      session.id IS NOT NULL AS has_session
    FROM (SELECT) AS this LEFT JOIN run ON true LEFT JOIN session ON true`.execute(db.query);
  const [row] = rows;
  if (!isInserted(row)) throw insertError(request, row);
  return {
    run: snapshotOf(id, request, row),
    joined: false,
    claimed: claim === null ? null : claimedOf(actor, id, request, row, claim),
  };
}

/** A run that was just stored, as its caller sees it. */
const snapshotOf = (
  id: string,
  { agentId, versionId, sessionType, input }: RunRequest,
  row: Inserted,
): RunSnapshot => ({
  id,
  agentId,
  versionId,
  sessionId: row.session_id,
  contextId: row.context_id,
  sessionType,
  state: 'submitted',
  input,
  answer: '',
  question: null,
  citations: [],
  parts: [],
  failure: null,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  lastSeq: 1,
  createdAt: row.created_at,
  stateAt: row.created_at,
  endedAt: null,
});

/** And as this process runs it. */
const claimedOf = (
  { tenantId, keyId, userId }: Principal,
  id: string,
  { agentId, versionId, definition, input, session, sessionType, priority = 'interactive' }: RunRequest,
  { number, session_id, sees_all }: Inserted,
  claim: string,
): ClaimedRun => ({
  id,
  number,
  tenant_id: tenantId,
  agent_id: agentId,
  session_id,
  version_id: versionId,
  definition,
  key_id: keyId,
  user_id: userId,
  input,
  prompt_tokens: 0,
  completion_tokens: 0,
  last_seq: 1,
  cancel_requested: false,
  attempts: 1,
  spent_ms: 0,
  priority,
  claim,
  sees_all,
  is_shown: sessionType === 'api',
  first_of_session: session === undefined,
});

/** Whether what a request names is the session of the run that waits. */
function isSession(
  session: NonNullable<RunRequest['session']>,
  waiting: { readonly session_id: number; readonly context_id: string },
): boolean {
  if ('id' in session) return session.id === waiting.session_id;
  return ('contextId' in session ? session.contextId : session.ownContextId) === waiting.context_id;
}

/** Gives a run that waits for an answer this one. */
async function continueRun(
  tx: Transaction<Tables>,
  actor: Principal,
  request: RunRequest,
  runId: string,
  { claim, messageHours }: { readonly claim: string | null; readonly messageHours: number },
): Promise<StoredRun> {
  if (!isRunId(runId)) throw new RunError('not_waiting_for_input');
  const waiting = await tx
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select(['agent_runs.id', 'agent_runs.session_id', 'agent_sessions.context_id'])
    .where('agent_runs.id', '=', runId)
    .where('agent_runs.tenant_id', '=', actor.tenantId)
    .where('agent_runs.agent_id', '=', request.agentId)
    .where('agent_runs.state', '=', 'input-required')
    .where('agent_sessions.type', '=', request.sessionType)
    .$if(request.sessionType !== 'api', (query) => query.where('agent_sessions.user_id', '=', actor.userId))
    .forUpdate('agent_runs')
    .executeTakeFirst();
  if (waiting === undefined) throw new RunError('not_waiting_for_input');
  const { session } = request;
  if (session && !isSession(session, waiting)) throw new RunError('unknown_session');
  // The first of those that ask. What it was told is its own from here on.
  await sql`
    UPDATE agent_steps SET state = 'running', kept = jsonb_build_object('reply', ${storableJson(request.input)}::jsonb)
    WHERE run_id = ${runId} AND number = (
      SELECT min(number) FROM agent_steps WHERE run_id = ${runId} AND state = 'waiting')`.execute(tx);
  await tx.updateTable('agent_sessions').set({ updated_at: clock }).where('id', '=', waiting.session_id).execute();
  const row = await tx
    .updateTable('agent_runs')
    .set({
      state: 'submitted',
      question: null,
      priority: request.priority ?? 'interactive',
      updated_at: clock,
      state_at: clock,
      ...claimed(claim),
    })
    .where('id', '=', runId)
    .returning([...claimedColumns, seesAll.as('sees_all'), isShown.as('is_shown')])
    .executeTakeFirstOrThrow();
  await attachFiles(tx, actor, request, runId);
  await recordMessageId(tx, request, runId, messageHours);
  const run = toSnapshot(await selectRuns(tx).where('agent_runs.id', '=', runId).executeTakeFirstOrThrow());
  return { run, joined: false, claimed: claim === null ? null : { ...row, claim, first_of_session: false } };
}

/**
 * Stores a run, or finds the one that the same message began. `claim` names this process where it runs the run itself. Errors: those
 * of AgentRuns.start.
 */
export async function storeRun(
  { db, messageHours: configuredHours }: StartDeps,
  actor: Principal,
  given: RunRequest,
  claim: string | null,
): Promise<StoredRun> {
  const messageHours = given.message?.always === true ? OWN_MESSAGE_HOURS : configuredHours;
  const request = messageHours === 0 ? { ...given, message: null } : given;
  const { continues } = request;
  try {
    if (continues === undefined) return await insertRun(db, actor, request, claim, messageHours);
    return await db.transaction((tx) => continueRun(tx, actor, request, continues, { claim, messageHours }));
  } catch (error) {
    // A message that was sent before may name what is gone meanwhile, or what waits no longer.
    const known = await findRunByMessage(db, request);
    if (known === null) throw error instanceof DuplicateMessage ? new StudioError('unavailable', 'Try again') : error;
    const run = toSnapshot(await selectRuns(db.query).where('agent_runs.id', '=', known).executeTakeFirstOrThrow());
    return { run, joined: true, claimed: null };
  }
}
