import { type Kysely, type RawBuilder, type Selectable, type SelectType, sql, type UpdateObject } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Tables } from '../ports/database.ts';
import { type Fairness, fewestRunning, roundRobin, type TenantTurns } from './tenant-turns.ts';

/** The columns that make a row a job. */
interface JobColumns {
  tenant_id: TenantId;
  state: unknown;
  /** Id of the running attempt; null where none runs. */
  claim: unknown;
  /** Last heartbeat, by the database's clock; meaningless without a claim. */
  seen_at: unknown;
  /** Number of claims, without attempts that ended through no fault of the job. */
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
  /** With `open`, a job keeps its state while it runs, and only the claim tells whether it does. */
  readonly states: { readonly queued: State<T>; readonly running: State<T> } | { readonly open: readonly State<T>[] };
  /** Condition for claiming a queued job; by default all may be claimed. */
  readonly due?: RawBuilder<boolean>;
  /** Order of the jobs of a tenant. */
  readonly order: RawBuilder<unknown>;
  /** How tenants take turns. */
  readonly fairness: Fairness;
  /** For `fewest_running`: the column whose latest value is a tenant's last turn. By default, `claim` receives the turns. */
  readonly lastTurn?: Column<T>;
  /** Further changes of a claimed row. */
  readonly onClaim?: UpdateObject<Tables, T>;
  /** Columns of a claimed job that are returned. */
  readonly columns: readonly (C & Column<T>)[];
  readonly computed?: { readonly [K in keyof E]: RawBuilder<E[K]> };
  /** A job without a heartbeat for this long belongs to a process that has ended. */
  readonly leaseSeconds: number;
  /**
   * Maximum number of attempts, so that a job that crashes the service does not do so forever. Each process that ends counts one for all
   * that it was at, whoever is to blame: the number is well above what restarts in a row come to.
   */
  readonly maxAttempts: number;
  /** Further changes of a job whose process has ended. */
  readonly onTakeUp?: UpdateObject<Tables, T>;
}

/** Identifies an attempt at a job. */
type JobClaim<I extends string> = { readonly [K in I | 'claim']: string };

/** A job that this process has claimed. */
export type ClaimedJob<J> = J extends { claim(...args: never[]): Promise<readonly (infer R)[]> } ? R : never;

interface ReleaseOptions<T extends JobTableName> {
  /** Whether the attempt counts. */
  readonly countsAttempt: boolean;
  readonly change?: UpdateObject<Tables, T>;
}

/** Who comes next. */
export interface ClaimOptions {
  /** See `lastTurn`. */
  readonly turns?: TenantTurns;
  /** Tenants whose jobs are left alone: they have as many under way as they may. */
  readonly except?: readonly TenantId[];
  /** A further condition of the row `job`. */
  readonly only?: RawBuilder<boolean>;
}

/** A queue whose jobs are the rows of a table. Methods that take a claim never change jobs of other processes. */
export interface JobTable<T extends JobTableName, I extends string, C extends string, E extends object> {
  readonly maxAttempts: number;
  /** Claims at most `max` waiting jobs. */
  claim(
    query: Query,
    max: number,
    options?: ClaimOptions,
  ): Promise<readonly (Pick<Row<T>, C & keyof Row<T>> & Readonly<E> & JobClaim<I>)[]>;
  /** Changes a job and renews its lease; without a change, it is a heartbeat. Resolves with false where the claim is lost. */
  update(query: Query, job: JobClaim<I>, change?: UpdateObject<Tables, T>): Promise<boolean>;
  /** Renews the leases of many jobs. Resolves with the jobs whose claim still holds: the requested columns by claim. */
  heartbeat<W extends Column<T> = never>(
    query: Query,
    jobs: readonly JobClaim<I>[],
    columns?: readonly W[],
  ): Promise<ReadonlyMap<string, Pick<Row<T>, W & keyof Row<T>>>>;
  /** Locks a job within a transaction. Resolves with false where the claim is lost or the job is gone. */
  lock(tx: Query, job: JobClaim<I>): Promise<boolean>;
  /** Puts a job back into the queue. Resolves with false where the claim is lost. */
  release(query: Query, job: JobClaim<I>, options: ReleaseOptions<T>): Promise<boolean>;
  /** Puts jobs whose lease has expired back into the queue. Resolves with their number. */
  takeUpAbandoned(query: Query, leaseSeconds?: number): Promise<number>;
  /** Puts all running jobs back into the queue: for the only process of a database, before its first claim. Resolves with their number. */
  takeUpAll(query: Query): Promise<number>;
  /** Whether a claimed job has exceeded its attempts, and has to be given up. */
  isExhausted(job: { readonly attempts: number }): boolean;
}

const clock = sql<Date>`clock_timestamp()`;
const noTurns: ReadonlyMap<string, number> = new Map();

const assignments = (change: object) =>
  sql.join(
    Object.entries(change).flatMap(([column, value]) =>
      value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
    ),
  );

/** Creates the queue of a table. */
export function createJobTable<T extends JobTableName, I extends string, C extends string, E extends object = object>(
  options: JobTableOptions<T, I, C, E>,
): JobTable<T, I, C, E> {
  const {
    states,
    due = sql<boolean>`true`,
    order,
    fairness,
    lastTurn,
    onClaim = {},
    onTakeUp = {},
    columns,
    maxAttempts,
  } = options;
  const table = sql.table(options.table);
  const id = sql.ref(options.id);
  const keepsState = 'open' in states;
  const isOpen = keepsState ? sql`state IN (${sql.join(states.open)})` : sql`true`;
  const isQueued = keepsState ? sql`${isOpen} AND claim IS NULL` : sql`state = ${states.queued}`;
  const isRunning = keepsState ? sql`${isOpen} AND claim IS NOT NULL` : sql`state = ${states.running}`;
  const queued = { claim: null, ...(keepsState ? {} : { state: states.queued }) };
  const running = { ...(keepsState ? {} : { state: states.running }), ...onClaim };
  const returned = sql.join([
    ...columns.map((column) => sql.ref(`${options.table}.${column}`)),
    ...Object.entries(options.computed ?? {}).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`),
    sql`${table}.claim`,
  ]);
  const isOurs = (job: JobClaim<I>) => sql`${id} = ${job[options.id]} AND claim = ${job.claim} AND ${isRunning}`;

  const isWaiting = sql`${isQueued} AND ${due}`;
  const turnsOf = (isServed: RawBuilder<unknown>, turns: TenantTurns | undefined) => {
    if (fairness === 'round_robin') return roundRobin({ table, id, isWaiting: isServed, order });
    return fewestRunning({ table, isWaiting: isServed, isRunning }, lastTurn ?? turns?.last ?? noTurns);
  };

  async function update(query: Query, job: JobClaim<I>, change: object = {}): Promise<boolean> {
    const set = assignments({ seen_at: clock, ...change });
    const { numAffectedRows = 0n } = await sql`UPDATE ${table} SET ${set} WHERE ${isOurs(job)}`.execute(query);
    return numAffectedRows > 0n;
  }

  /** Skips locked rows: a live process is writing them, or another one is taking them up. */
  async function takeUp(query: Query, condition: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      UPDATE ${table} SET ${assignments({ ...queued, ...onTakeUp })} WHERE ${id} IN (
        SELECT ${id} FROM ${table} WHERE ${isRunning} AND ${condition} FOR UPDATE SKIP LOCKED)`.execute(query);
    return Number(numAffectedRows);
  }

  return {
    maxAttempts,
    async claim(query, max, { turns, except = [], only = sql<boolean>`true` } = {}) {
      const isServed = sql`${isWaiting} AND tenant_id <> ALL(${[...except]}::text[])`;
      const { before, join, first } = turnsOf(isServed, turns);
      const set = assignments({
        claim: sql`md5(gen_random_uuid()::text)`,
        attempts: sql`attempts + 1`,
        seen_at: clock,
        ...running,
      });
      const { rows } = await sql<Awaited<ReturnType<JobTable<T, I, C, E>['claim']>>[number]>`
        WITH ${before}chosen AS (
          SELECT job.${id} AS chosen_id FROM ${table} AS job ${join}
          WHERE ${isWaiting} AND ${only}
          ORDER BY ${first}${order} LIMIT ${max} FOR UPDATE OF job SKIP LOCKED)
        UPDATE ${table} SET ${set} FROM chosen WHERE ${table}.${id} = chosen.chosen_id
        RETURNING ${returned}`.execute(query);
      return rows;
    },
    update,
    async heartbeat<W extends Column<T> = never>(
      query: Query,
      jobs: readonly JobClaim<I>[],
      returnedColumns: readonly W[] = [],
    ) {
      const claims = JSON.stringify(jobs.map((job) => ({ job_id: job[options.id], job_claim: job.claim })));
      const { rows } = await sql<Pick<Row<T>, W & keyof Row<T>> & { readonly claim: string }>`
        UPDATE ${table} SET seen_at = ${clock} WHERE ${id} IN (
          SELECT ${id} FROM ${table} AS job
          JOIN jsonb_to_recordset(${claims}::jsonb) AS mine (job_id text, job_claim text)
            ON mine.job_id = job.${id} AND mine.job_claim = job.claim
          WHERE ${isRunning} ORDER BY 1 FOR NO KEY UPDATE OF job)
        RETURNING ${sql.join(['claim', ...returnedColumns].map((column) => sql.ref(column)))}`.execute(query);
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
