import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import { repeat } from '../kernel/repeat.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database, Tables } from '../ports/database.ts';

/** Columns of a row that has bytes in the blob store and goes with them. */
interface ExpiringColumns {
  id: unknown;
  tenant_id: unknown;
  /** When it goes; null: not yet. */
  expires_at: unknown;
}
type ExpiringTable = { [T in keyof Tables]: Tables[T] extends ExpiringColumns ? T : never }[keyof Tables];

interface Row {
  readonly id: string;
  readonly tenantId: TenantId;
}

/** Rows that expire. */
export interface ExpiringRows {
  readonly table: ExpiringTable;
  /** Where the bytes of a row lie in the blob store. */
  readonly keyOf: (row: Row) => string;
  /** Names them in the log, such as `files`. */
  readonly name: string;
}

export interface ExpiryDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
}

/** Rows that are removed in one transaction. */
const BATCH = 50;
const EVERY_MS = 600_000;

async function removeSome({ blobs }: ExpiryDeps, { table, keyOf }: ExpiringRows, tx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<Row>`
    SELECT id, tenant_id AS "tenantId" FROM ${sql.table(table)}
    WHERE expires_at <= clock_timestamp() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`.execute(tx);
  // The bytes go first: a row without them is removed the next time, bytes without a row never.
  for (const row of rows) await blobs.delete(keyOf(row));
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`DELETE FROM ${sql.table(table)} WHERE id = ANY(${ids}::text[])`.execute(tx);
  return rows.length;
}

/** Removes the rows whose time is over, with their bytes. Several processes may do so at once. Returns how many. */
export async function removeExpiredRows(deps: ExpiryDeps, rows: ExpiringRows): Promise<number> {
  for (let removed = 0; ;) {
    const count = await deps.db.transaction((tx) => removeSome(deps, rows, tx));
    removed += count;
    if (count < BATCH) return removed;
  }
}

/** Does it now and every ten minutes. Returns what ends that; safe to repeat. */
export function startExpiry(
  { log, ...deps }: ExpiryDeps & { readonly log: Logger },
  rows: ExpiringRows,
): () => Promise<void> {
  return repeat(EVERY_MS, async () => {
    try {
      const count = await removeExpiredRows(deps, rows);
      if (count > 0) log.info({ count }, `expired ${rows.name} removed`);
    } catch (error) {
      log.warn({ err: error }, `expired ${rows.name} could not be removed`);
    }
  });
}
