import { sql } from 'kysely';
import type { Logger } from '../kernel/log.ts';
import { HOUR_MS, repeat } from '../kernel/repeat.ts';
import { type ChatFilesDeps, removeUnused } from './files/files.ts';
import type { Database, DatabaseDeps } from '../ports/database.ts';

/** Names the lock that lets one process of all do this at a time. */
const LOCK = 4_203_001;

/**
 * Deletes conversations that nobody touched for as many days as their tenant keeps them, and those a day old that are temporary or never
 * had a question. Returns how many; null while another process is at it.
 */
export function deleteOldConversations({ db }: DatabaseDeps): Promise<number | null> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`.execute(tx);
    if (rows[0]?.mine !== true) return null;
    const old = await sql`
      DELETE FROM conversations USING tenant_settings AS of_tenant
      WHERE of_tenant.tenant_id = conversations.tenant_id
        AND jsonb_typeof(of_tenant.settings -> 'conversation_days') = 'number'
        AND conversations.updated_at < now() - (of_tenant.settings ->> 'conversation_days')::float8 * interval '1 day'`.execute(
      tx,
    );
    const empty = await sql`
      DELETE FROM conversations WHERE updated_at < now() - interval '1 day'
        AND (temporary OR NOT EXISTS (SELECT 1 FROM conversation_messages WHERE conversation_id = conversations.id))`.execute(
      tx,
    );
    return Number(old.numAffectedRows ?? 0) + Number(empty.numAffectedRows ?? 0);
  });
}

interface RetentionDeps extends DatabaseDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly files: ChatFilesDeps;
}

/** Files that are removed before it is looked whether there are more. */
const FILES_AT_ONCE = 100;

/** Deletes old conversations, and files that no conversation has, now and once an hour. Returns a function that stops this; safe to repeat. */
export const startRetention = ({ db, log, files }: RetentionDeps): (() => Promise<void>) =>
  repeat(HOUR_MS, async () => {
    try {
      const count = await deleteOldConversations({ db });
      if (count !== null && count > 0) log.info({ count }, 'old conversations deleted');
      while ((await removeUnused(files, FILES_AT_ONCE)) === FILES_AT_ONCE);
    } catch (error) {
      log.warn({ err: error }, 'old conversations could not be deleted');
    }
  });
