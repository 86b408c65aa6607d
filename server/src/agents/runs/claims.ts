import { sql } from 'kysely';
import type { Database } from '../../ports/database.ts';
import { type ClaimedRun, seesAll } from './rows.ts';

// Which process runs what. Every change of a run names its claim: a process that was taken for gone, and is not, changes nothing.

/** A run whose process gave no sign of life for so long is one of a process that is gone. */
export const LEASE_SECONDS = 15;
/** How often a run is taken up without that one of its steps ends: one that ends the service with it does not do so for ever. */
export const MAX_ATTEMPTS = 5;

/** Takes at most so many runs that wait. Tenants take turns, so that one with many waits for itself. */
export async function claimRuns({ query }: Database, most: number): Promise<readonly ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    WITH turns AS (
      SELECT id, number, row_number() OVER (PARTITION BY tenant_id ORDER BY number) AS turn
      FROM agent_runs WHERE state IN ('submitted', 'working') AND claim IS NULL
    ), chosen AS (
      SELECT one.id FROM agent_runs AS one JOIN turns ON turns.id = one.id
      WHERE one.state IN ('submitted', 'working') AND one.claim IS NULL
      ORDER BY turns.turn, turns.number
      LIMIT ${most} FOR UPDATE OF one SKIP LOCKED
    )
    UPDATE agent_runs
    SET claim = md5(gen_random_uuid()::text), attempts = attempts + 1, seen_at = clock_timestamp()
    FROM chosen WHERE agent_runs.id = chosen.id
    RETURNING agent_runs.id, agent_runs.number, tenant_id, agent_id, session_id, version_id, definition, key_id, user_id, input,
      prompt_tokens, completion_tokens, last_seq, cancel_requested, attempts, spent_ms, claim, ${seesAll} AS sees_all,
      false AS first_of_session`.execute(query);
  return rows;
}

/** Runs whose process is gone wait again. */
export async function takeUpAbandoned({ query }: Database, leaseSeconds: number): Promise<void> {
  await sql`
    UPDATE agent_runs SET claim = NULL, seen_at = NULL
    WHERE state IN ('submitted', 'working') AND claim IS NOT NULL
      AND seen_at < clock_timestamp() - ${leaseSeconds} * interval '1 second'`.execute(query);
}

/**
 * All runs wait again, whatever process had them: for a service that has its database to itself, before it begins to run any. What an
 * earlier start left need not wait until its process is taken for gone.
 */
export async function takeUpAll({ query }: Pick<Database, 'query'>): Promise<void> {
  await query
    .updateTable('agent_runs')
    .set({ claim: null, seen_at: null })
    .where('state', 'in', ['submitted', 'working'])
    .where('claim', 'is not', null)
    .execute();
}

interface Claim {
  readonly id: string;
  readonly claim: string;
}

/** A sign of life for runs. Resolves with those that are still this process's, and whether somebody wants them to end. */
export async function beat(
  { query }: Database,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, { readonly canceled: boolean }>> {
  const { rows } = await sql<{ claim: string; cancel_requested: boolean }>`
    UPDATE agent_runs SET seen_at = clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) AS given (id text, claim text)
    WHERE agent_runs.id = given.id AND agent_runs.claim = given.claim
    RETURNING agent_runs.claim, agent_runs.cancel_requested`.execute(query);
  return new Map(rows.map(({ claim, cancel_requested: canceled }) => [claim, { canceled }]));
}

/** The run waits again, for another process or the next start; it is not to blame. */
export async function putBack({ query }: Database, { id, claim }: Claim): Promise<void> {
  await query
    .updateTable('agent_runs')
    .set({ claim: null, seen_at: null, attempts: sql<number>`greatest(0, attempts - 1)` })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}
