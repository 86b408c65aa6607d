import { sql } from 'kysely';
import type { Logger } from '../../kernel/log.ts';
import { HOUR_MS, repeat } from '../../kernel/repeat.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Database } from '../../ports/database.ts';
import { removeUnusedFiles } from '../files.ts';

export interface RetentionDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly log: Logger;
}

/** Names the lock that lets one process of all do this at a time. */
const LOCK = 4_203_013;
/** Files that are removed in one go. */
const MAX_FILES = 1_000;

/**
 * Deletes sessions that nobody touched for as many days as their tenant keeps conversations, ids of messages whose time is over, and
 * files that nobody used. Resolves with how many sessions; null while another process is at it.
 */
export async function removeExpired({ db, blobs }: RetentionDeps): Promise<number | null> {
  const sessions = await db.transaction(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`.execute(tx);
    if (rows[0]?.mine !== true) return null;
    // Their runs go with them; of the files of those runs the next step takes care.
    const old = await sql`
      DELETE FROM agent_sessions USING tenant_settings AS of_tenant
      WHERE of_tenant.tenant_id = agent_sessions.tenant_id
        AND jsonb_typeof(of_tenant.settings -> 'conversation_days') = 'number'
        AND agent_sessions.updated_at < now() - (of_tenant.settings ->> 'conversation_days')::float8 * interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM agent_runs
          WHERE agent_runs.session_id = agent_sessions.id AND agent_runs.state IN ('submitted', 'working'))`.execute(
      tx,
    );
    await sql`DELETE FROM agent_messages WHERE expires_at < now()`.execute(tx);
    return Number(old.numAffectedRows ?? 0);
  });
  if (sessions !== null) while ((await removeUnusedFiles({ db, blobs }, MAX_FILES)) === MAX_FILES);
  return sessions;
}

/** Deletes expired sessions, message ids and unused files now and once an hour. Returns a function that stops it; safe to repeat. */
export const startAgentRetention = (deps: RetentionDeps): (() => Promise<void>) =>
  repeat(HOUR_MS, async () => {
    try {
      const count = await removeExpired(deps);
      if (count !== null && count > 0) deps.log.info({ count }, 'agent sessions past retention deleted');
    } catch (error) {
      deps.log.warn({ err: error }, 'agent sessions past retention could not be deleted');
    }
  });
