import type { FindingCount, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import { type FindingType, findingTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Database, Queryable } from '../../ports/database.ts';

/** Counts findings by tenant, day (UTC), source and type; never keeps the values. */
export interface FoundCounts {
  /** Never throws and never waits. */
  add(tenantId: TenantId, source: GuardSource, type: FindingType, count?: number): void;
  /** Resolves once everything added is stored, or writing it has failed. */
  flush(): Promise<void>;
  /** Flushes and stops. Safe to repeat. */
  close(): Promise<void>;
}

interface Row {
  readonly tenant_id: TenantId;
  readonly day: string;
  readonly source: GuardSource;
  readonly type: FindingType;
  count: number;
}

const INTERVAL_MS = 2_000;
const DAY_MS = 86_400_000;
/** Rows kept while the database is unreachable: tenants times types of a few days. */
const MAX_ROWS = 20_000;

export function createFoundCounts({
  db,
  log,
  now = Date.now,
}: {
  readonly db: Database;
  readonly log: Logger;
  readonly now?: () => number;
}): FoundCounts {
  let rows = new Map<string, Row>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let closed = false;
  let [dayNumber, today] = [NaN, ''];

  /** The day in UTC, such as 2026-11-26. Made once a day, as values are counted one by one. */
  function day(): string {
    const ms = now();
    const number = Math.floor(ms / DAY_MS);
    if (number !== dayNumber) [dayNumber, today] = [number, new Date(ms).toISOString().slice(0, 10)];
    return today;
  }

  function addRow(row: Row): void {
    const id = `${row.tenant_id} ${row.day} ${row.source} ${row.type}`;
    const existing = rows.get(id);
    if (existing) existing.count += row.count;
    else if (rows.size < MAX_ROWS) rows.set(id, { ...row });
  }

  function schedule(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, INTERVAL_MS).unref();
  }

  async function write(): Promise<void> {
    const pending = [...rows.values()];
    if (pending.length === 0) return;
    rows = new Map();
    try {
      await sql`
        INSERT INTO privacy_counts (tenant_id, day, source, type, count)
        SELECT new.* FROM unnest(
          ${pending.map((row) => row.tenant_id)}::text[], ${pending.map(({ day }) => day)}::date[],
          ${pending.map(({ source }) => source)}::text[], ${pending.map(({ type }) => type)}::text[],
          ${pending.map(({ count }) => count)}::bigint[]) AS new (tenant_id, day, source, type, count)
        JOIN tenants ON tenants.id = new.tenant_id
        ON CONFLICT (tenant_id, day, source, type)
        DO UPDATE SET count = privacy_counts.count + excluded.count`.execute(db.query);
    } catch (error) {
      log.warn({ err: error }, 'counts of personal values could not be written; they are kept');
      pending.forEach(addRow);
      schedule();
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    add(tenantId, source, type, count = 1) {
      addRow({ tenant_id: tenantId, day: day(), source, type, count });
      schedule();
    },
    flush,
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await flush();
    },
  };
}

const isType = (type: string): type is FindingType => (findingTypes as readonly string[]).includes(type);

/** Findings of a tenant in the last `days` days (UTC), including today; days and types without findings are left out. */
export async function readCounts(
  { db }: { readonly db: Queryable },
  tenantId: TenantId,
  days: number,
): Promise<FindingCount[]> {
  const { rows } = await sql<{ day: string; type: string; count: number }>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, type, sum(count)::float8 AS count FROM privacy_counts
    WHERE tenant_id = ${tenantId} AND day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    GROUP BY day, type ORDER BY day, type`.execute(db.query);
  return rows.flatMap(({ day, type, count }) => (isType(type) ? [{ day, type, count }] : []));
}
