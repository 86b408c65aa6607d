import { type Kysely, type RawBuilder, type Selectable, type SelectType, sql, type UpdateObject } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Tables } from '../ports/database.ts';
import { anyTurn, type Fairness, fewestRunning, roundRobin, type TenantTurns } from './tenant-turns.ts';

/** The columns by which a row is a job. */
interface JobColumns {
  tenant_id: TenantId;
  state: unknown;
  /** Of the attempt that is under way; null where none is. */
  claim: unknown;
  /** Last heartbeat, by the database's clock; of no account without a claim. */
  seen_at: unknown;
  /** How often it was claimed, less the attempts that were not to blame on it. */
  attempts: unknown;
}

type JobTableName = { [T in keyof Tables]: Tables[T] extends JobColumns ? T : never }[keyof Tables];
type Column<T extends JobTableName> = string & keyof Tables[T];
type Row<T extends JobTableName> = Selectable<Tables[T]>;
type State<T extends JobTableName> = Tables[T] extends { state: infer S } ? SelectType<S> & string : never;
/** A database or a transaction. */
export type Query = Kysely<Tables>;

export interface JobTableOptions<T extends JobTableName, I extends string, C extends string, E extends object> {
  readonly table: T;
  /** Its primary key. */
  readonly id: I & Column<T>;
  /** `open`: states that a job keeps while it is worked on; its claim says whether it is. */
  readonly states: { readonly queued: State<T>; readonly running: State<T> } | { readonly open: readonly State<T>[] };
  /** Which queued jobs may be claimed already; all by default. */
  readonly due?: RawBuilder<boolean>;
  /** Order of the jobs of a tenant, or of all of them where tenants have no turns. */
  readonly order: RawBuilder<unknown>;
  /** How tenants take turns; not at all by default. */
  readonly fairness?: Fairness;
  /** With `fewest_running`: the column whose latest value is a tenant's last turn. By default `claim` is given the turns. */
  readonly lastTurn?: Column<T>;
  /** What else a claim changes. */
  readonly onClaim?: UpdateObject<Tables, T>;
  /** What of a claimed job is returned. */
  readonly columns: readonly (C & Column<T>)[];
  readonly computed?: { readonly [K in keyof E]: RawBuilder<E[K]> };
  /** A job without a heartbeat for so long is one of a process that is gone. */
  readonly leaseSeconds: number;
  /** How often a job is begun without getting further: one that ends the service with it does not do so for ever. */
  readonly maxAttempts: number;
}

/** Names a job and the attempt at it. */
type JobClaim<I extends string> = { readonly [K in I | 'claim']: string };

/** A job that this process has claimed. */
export type ClaimedJob<J> = J extends { claim(...args: never[]): Promise<readonly (infer R)[]> } ? R : never;

interface ReleaseOptions<T extends JobTableName> {
  /** Whether the attempt counts. */
  readonly countsAttempt: boolean;
  readonly change?: UpdateObject<Tables, T>;
}

/** A queue whose jobs are the rows of a table. Jobs of other processes are never changed by what names a claim. */
export interface JobTable<T extends JobTableName, I extends string, C extends string, E extends object> {
  readonly maxAttempts: number;
  /** Claims at most so many jobs that wait. `turns`: see `lastTurn`. */
  claim(
    query: Query,
    max: number,
    turns?: TenantTurns,
  ): Promise<readonly (Pick<Row<T>, C & keyof Row<T>> & Readonly<E> & JobClaim<I>)[]>;
  /** Changes a job and renews its lease: a heartbeat where nothing is changed. Resolves with false where it is not ours. */
  update(query: Query, job: JobClaim<I>, change?: UpdateObject<Tables, T>): Promise<boolean>;
  /** Renews the leases of many jobs. Resolves with those that are ours, by their claims, with these columns. */
  heartbeat<W extends Column<T> = never>(
    query: Query,
    jobs: readonly JobClaim<I>[],
    columns?: readonly W[],
  ): Promise<ReadonlyMap<string, Pick<Row<T>, W & keyof Row<T>>>>;
  /** Locks a job within a transaction. Resolves with false where it is not ours, or gone. */
  lock(tx: Query, job: JobClaim<I>): Promise<boolean>;
  /** Has a job wait again. Resolves with false where it is not ours. */
  release(query: Query, job: JobClaim<I>, options: ReleaseOptions<T>): Promise<boolean>;
  /** Jobs whose lease ran out wait again. Resolves with how many. */
  takeUpAbandoned(query: Query, leaseSeconds?: number): Promise<number>;
  /** All jobs wait again: for a service that has its database to itself, before it claims any. Resolves with how many. */
  takeUpAll(query: Query): Promise<number>;
  /** Whether a claimed job was begun too often already, and is to be given up instead. */
  isExhausted(job: { readonly attempts: number }): boolean;
}

const clock = sql<Date>`clock_timestamp()`;
const noTurns: ReadonlyMap<string, number> = new Map();

const assign = (change: object) =>
  sql.join(
    Object.entries(change).flatMap(([column, value]) =>
      value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
    ),
  );

/** The queue of a table. */
export function createJobTable<T extends JobTableName, I extends string, C extends string, E extends object = object>(
  options: JobTableOptions<T, I, C, E>,
): JobTable<T, I, C, E> {
  const { states, due = sql<boolean>`true`, order, fairness, lastTurn, onClaim = {}, columns, maxAttempts } = options;
  const table = sql.table(options.table);
  const id = sql.ref(options.id);
  const keepsState = 'open' in states;
  const isOpen = keepsState ? sql`state IN (${sql.join(states.open)})` : sql`true`;
  const isQueued = keepsState ? sql`${isOpen} AND claim IS NULL` : sql`state = ${states.queued}`;
  const isRunning = keepsState ? sql`${isOpen} AND claim IS NOT NULL` : sql`state = ${states.running}`;
  const isWaiting = sql`${isQueued} AND ${due}`;
  const queued = { claim: null, ...(keepsState ? {} : { state: states.queued }) };
  const running = { ...(keepsState ? {} : { state: states.running }), ...onClaim };
  const returned = sql.join([
    ...columns.map((column) => sql.ref(`${options.table}.${column}`)),
    ...Object.entries(options.computed ?? {}).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`),
    sql`${table}.claim`,
  ]);
  const isOurs = (job: JobClaim<I>) => sql`${id} = ${job[options.id]} AND claim = ${job.claim} AND ${isRunning}`;

  const turnsOf = (turns: TenantTurns | undefined) => {
    if (fairness === undefined) return anyTurn;
    if (fairness === 'round_robin') return roundRobin({ table, id, isWaiting, order });
    return fewestRunning({ table, isWaiting, isRunning }, lastTurn ?? turns?.last ?? noTurns);
  };

  async function update(query: Query, job: JobClaim<I>, change: object = {}): Promise<boolean> {
    const set = assign({ seen_at: clock, ...change });
    const { numAffectedRows = 0n } = await sql`UPDATE ${table} SET ${set} WHERE ${isOurs(job)}`.execute(query);
    return numAffectedRows > 0n;
  }

  /** What is being written at this moment is of a process that lives, or is being taken up by another. */
  async function takeUp(query: Query, which: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      UPDATE ${table} SET ${assign(queued)} WHERE ${id} IN (
        SELECT ${id} FROM ${table} WHERE ${isRunning} AND ${which} FOR UPDATE SKIP LOCKED)`.execute(query);
    return Number(numAffectedRows);
  }

  return {
    maxAttempts,
    async claim(query, max, turns) {
      const { before, join, first } = turnsOf(turns);
      const set = assign({
        claim: sql`md5(gen_random_uuid()::text)`,
        attempts: sql`attempts + 1`,
        seen_at: clock,
        ...running,
      });
      const { rows } = await sql<Awaited<ReturnType<JobTable<T, I, C, E>['claim']>>[number]>`
        WITH ${before}chosen AS (
          SELECT job.${id} AS chosen_id FROM ${table} AS job ${join}
          WHERE ${isWaiting}
          ORDER BY ${first}${order} LIMIT ${max} FOR UPDATE OF job SKIP LOCKED)
        UPDATE ${table} SET ${set} FROM chosen WHERE ${table}.${id} = chosen.chosen_id
        RETURNING ${returned}`.execute(query);
      return rows;
    },
    update,
    async heartbeat<W extends Column<T> = never>(
      query: Query,
      jobs: readonly JobClaim<I>[],
      watched: readonly W[] = [],
    ) {
      const claims = JSON.stringify(jobs.map((job) => ({ job_id: job[options.id], job_claim: job.claim })));
      const { rows } = await sql<Pick<Row<T>, W & keyof Row<T>> & { readonly claim: string }>`
        UPDATE ${table} SET seen_at = ${clock} WHERE ${id} IN (
          SELECT ${id} FROM ${table} AS job
          JOIN jsonb_to_recordset(${claims}::jsonb) AS mine (job_id text, job_claim text)
            ON mine.job_id = job.${id} AND mine.job_claim = job.claim
          WHERE ${isRunning} ORDER BY 1 FOR NO KEY UPDATE OF job)
        RETURNING ${sql.join(['claim', ...watched].map((column) => sql.ref(column)))}`.execute(query);
      return new Map(rows.map((row) => [row.claim, row]));
    },
    async lock(tx, job) {
      const { rows } = await sql`SELECT FROM ${table} WHERE ${isOurs(job)} FOR UPDATE`.execute(tx);
      return rows.length > 0;
    },
    release: (query, job, { countsAttempt, change = {} }) =>
      update(query, job, {
        ...queued,
        ...(countsAttempt ? {} : { attempts: sql`greatest(0, attempts - 1)` }),
        ...change,
      }),
    takeUpAbandoned: (query, leaseSeconds = options.leaseSeconds) =>
      takeUp(query, sql`seen_at < clock_timestamp() - ${leaseSeconds} * interval '1 second'`),
    takeUpAll: (query) => takeUp(query, sql`true`),
    isExhausted: ({ attempts }) => attempts > maxAttempts,
  };
}
