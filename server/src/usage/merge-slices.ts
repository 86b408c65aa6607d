import { sql } from 'kysely';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database, DatabaseDeps } from '../ports/database.ts';
import { sumOfCounts } from './duration-sums.ts';

/** Advisory lock that lets only one process merge at a time. */
const LOCK = 4_203_002;
/**
 * Time until slices are merged: a process that is not sure whether the database has a slice sends it again, and the slice is
 * recognised by its key.
 */
const UNMERGED_HOURS = 24;
/** Span that is merged at once, so that no statement takes long. */
const SPAN_HOURS = 24;
const MERGED = 'merged/';

/** Sums duration counts, to the length of the longest array of the group. */
const mergedCounts = (column: string) => sql`(${sumOfCounts(column)}::int[])[1:max(cardinality(${sql.ref(column)}))]`;

/** Merges a span of slices. Returns their number; null while another process merges. */
function mergeSpan({ db }: DatabaseDeps): Promise<number | null> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`.execute(tx);
    if (rows[0]?.mine !== true) return null;
    const writer = `${MERGED}${hexId()}`;
    const merged = await sql<{ old: number }>`
      WITH due AS (
        SELECT min(first_at) AS since FROM usage_slices
        WHERE writer NOT LIKE ${`${MERGED}%`} AND last_at < now() - ${UNMERGED_HOURS} * interval '1 hour'
      ), old AS (
        DELETE FROM usage_slices USING due
        WHERE writer NOT LIKE ${`${MERGED}%`} AND last_at < now() - ${UNMERGED_HOURS} * interval '1 hour'
          AND first_at < due.since + ${SPAN_HOURS} * interval '1 hour'
        RETURNING usage_slices.*
      ), added AS (
        INSERT INTO usage_slices (writer, number, first_at, last_at, tenant_id, key_id, user_id, endpoint, model, engine,
          status, outcome, stream, calls, prompt_tokens, completion_tokens, reasoning_tokens, first_token_ms, latency_ms,
          first_token_counts, latency_counts, pages, audio_in_ms, audio_out_ms, characters)
        SELECT ${writer}, row_number() OVER (), min(first_at), max(last_at), tenant_id, key_id, user_id, endpoint, model,
          engine, status, outcome, stream, sum(calls), sum(prompt_tokens), sum(completion_tokens), sum(reasoning_tokens),
          sum(first_token_ms), sum(latency_ms), ${mergedCounts('first_token_counts')}, ${mergedCounts('latency_counts')},
          sum(pages), sum(audio_in_ms), sum(audio_out_ms), sum(characters)
        FROM old
        GROUP BY date_bin('15 minutes', first_at, 'epoch'), tenant_id, key_id, user_id, endpoint, model, engine, status,
          outcome, stream
      )
      SELECT count(*) AS old FROM old`.execute(tx);
    return merged.rows[0]?.old ?? 0;
  });
}

/**
 * Merges slices that are a day old: those of the same quarter of an hour that differ only in their counts become one row. Reports
 * stay the same, and fast over years. Returns the number of merged slices.
 */
export async function mergeSlices(deps: DatabaseDeps): Promise<number> {
  let total = 0;
  for (let merged: number | null; (merged = await mergeSpan(deps)) !== null && merged > 0;) total += merged;
  return total;
}

const INTERVAL_MS = 15 * 60_000;

/** Merges every quarter of an hour; not at once, as slices of an earlier run may still be on disk. Returns a function that stops it, which is safe to repeat. */
export function startMerging({ db, log }: { readonly db: Database; readonly log: Logger }): () => Promise<void> {
  let pending: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pending = pending
      .then(() => mergeSlices({ db }))
      .then((count) => {
        if (count > 0) log.info({ count }, 'usage of earlier days merged');
      })
      .catch((error: unknown) => log.warn({ err: error }, 'usage of earlier days could not be merged'));
  }, INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    return pending;
  };
}
