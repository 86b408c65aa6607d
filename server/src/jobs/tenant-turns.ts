import { type RawBuilder, sql } from 'kysely';
import type { TenantId } from '../kernel/context.ts';

/**
 * How tenants take turns, so that a tenant with many jobs delays only itself.
 * `round_robin`: the first job of each tenant, then the second of each.
 * `fewest_running`: a job of the tenant with the fewest running jobs; of several such tenants, of the one whose last turn was longest
 * ago. Running jobs are counted once a claim, so a claim should be of one job.
 */
export type Fairness = 'round_robin' | 'fewest_running';

/** The last turns of tenants in this process, for tables that delete finished jobs and so do not tell. */
export interface TenantTurns {
  readonly last: ReadonlyMap<string, number>;
  note(tenantId: TenantId): void;
}

/** Remembers the last turns of at most `max` tenants. */
export function createTenantTurns(max = 10_000): TenantTurns {
  const last = new Map<string, number>();
  let turn = 0;
  return {
    last,
    note(tenantId) {
      last.delete(tenantId);
      last.set(tenantId, ++turn);
      if (last.size > max) last.delete(last.keys().next().value ?? '');
    },
  };
}

/**
 * Places of a process for jobs: one more than a tenant may have, so that a tenant with many jobs, however long they take, never has
 * them all. `full` are the tenants that have theirs.
 */
export function createTenantPlaces(perTenant: number) {
  return {
    concurrency: perTenant + 1,
    full(running: Iterable<TenantId>): readonly TenantId[] {
      const counts = new Map<TenantId, number>();
      for (const tenant of running) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
      return [...counts].flatMap(([tenant, count]) => (count >= perTenant ? [tenant] : []));
    },
  };
}

/** Pieces of a statement that selects from `job`. */
interface TurnSql {
  /** Common table expressions. */
  readonly before: RawBuilder<unknown>;
  readonly join: RawBuilder<unknown>;
  /** First criteria of the order of jobs. */
  readonly first: RawBuilder<unknown>;
}

type Fragments<K extends string> = { readonly [F in K]: RawBuilder<unknown> };

/** The first job of each tenant, then the second of each. */
export const roundRobin = ({
  table,
  id,
  isWaiting,
  order,
}: Fragments<'table' | 'id' | 'isWaiting' | 'order'>): TurnSql => ({
  before: sql`turns AS (
    SELECT ${id} AS turn_of, row_number() OVER (PARTITION BY tenant_id ORDER BY ${order}) AS turn
    FROM ${table} WHERE ${isWaiting}), `,
  join: sql`JOIN turns ON turns.turn_of = job.${id}`,
  first: sql`turns.turn, `,
});

/** A job of the tenant with the fewest running jobs. `lastTurn`: the column with the last turn, or the turns of this process. */
export function fewestRunning(
  { table, isWaiting, isRunning }: Fragments<'table' | 'isWaiting' | 'isRunning'>,
  lastTurn: string | ReadonlyMap<string, number>,
): TurnSql {
  const [last, served] =
    typeof lastTurn === 'string'
      ? [
          sql`(SELECT max(${sql.ref(lastTurn)}) FROM ${table} AS other WHERE other.tenant_id = waiting.tenant_id)`,
          sql``,
        ]
      : [
          sql`served.turn`,
          sql`LEFT JOIN unnest(${[...lastTurn.keys()]}::text[], ${[...lastTurn.values()]}::bigint[])
            AS served (tenant_id, turn) ON served.tenant_id = waiting.tenant_id`,
        ];
  return {
    before: sql`tenants AS (
      SELECT waiting.tenant_id, ${last} AS last_turn,
        (SELECT count(*) FROM ${table} AS other WHERE other.tenant_id = waiting.tenant_id AND ${isRunning}) AS running
      FROM (SELECT DISTINCT tenant_id FROM ${table} WHERE ${isWaiting}) AS waiting ${served}), `,
    join: sql`JOIN tenants ON tenants.tenant_id = job.tenant_id`,
    first: sql`tenants.running, tenants.last_turn NULLS FIRST, `,
  };
}
