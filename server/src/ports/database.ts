import type { Kysely, Transaction } from 'kysely';
import { StudioError } from '../kernel/errors.ts';
import type { Tables } from './tables.ts';

export type { Tables } from './tables.ts';

/** One forward step of the schema. Runs in its own transaction; must not be changed once released. */
export interface Migration {
  /** Sorts in the order of application, such as `0001_identity`. */
  readonly name: string;
  up(tx: Transaction<Tables>): Promise<void>;
}

/** Work in the same transaction as a change, such as its entry in the audit log: both are committed, or neither. */
export type WithinChange = (tx: Transaction<Tables>) => Promise<void>;

export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  /** Called before a database with data is changed: the place for a backup. */
  readonly beforeChange?: (pending: readonly string[]) => Promise<void>;
  /** Receives progress messages for people. */
  readonly onProgress?: (message: string) => void;
}

export interface MigrateReport {
  /** Names of the migrations that this call applied, in order. */
  readonly applied: readonly string[];
  /** Whether the database had no migration before. */
  readonly fresh: boolean;
}

export interface DatabaseHealth {
  readonly ok: boolean;
  /** Why not, for people. */
  readonly reason: string | null;
}

/**
 * Prefix of a statement that each connection should parse and plan once. Its text must always be the same, and it must name its
 * columns, so that an added column changes nothing.
 */
export const PREPARED = '/* prepared */';

/** Reason of the StudioError for callers while the database can't be asked. */
const AWAY = 'database_away';
/** The cause may be wrapped by features, but not deeply. */
const MAX_CAUSES = 5;

/** The database can't be asked now: it is not reached, was lost on the way, or has no connection left. Tells no address and no password. */
export const databaseUnavailable = (cause: unknown, message = 'The database does not answer; try again'): StudioError =>
  new StudioError('unavailable', message, { cause, retryAfterSeconds: 1, reason: AWAY });

/**
 * Whether something failed only because the database can't be asked now: it was not refused, and may be done again once the database
 * is back. What was under way may have been committed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof StudioError && current.reason === AWAY) return true;
    current = current.cause;
  }
  return false;
}

const hasCode = (error: unknown, code: string): boolean => (error as { code?: unknown } | null)?.code === code;

/** Whether a change was refused as another row has these values. Source: PostgreSQL, appendix A: unique_violation. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, '23505');

/** Whether a change was refused as a row that it refers to is gone. Source: PostgreSQL, appendix A: foreign_key_violation. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, '23503');

/** Ends a subscription. Safe to repeat. */
export type StopListening = () => Promise<void>;

/** What runs single statements, for those who need no transaction of their own. */
export interface Queryable {
  readonly query: Kysely<Tables>;
}

/** What works with the database alone. */
export interface DatabaseDeps {
  readonly db: Database;
}

/**
 * The system of record: PostgreSQL 15 or newer, run by the service or by the operator.
 * `int8` is read as number, `timestamptz` as Date. While it can't be reached everything fails with the
 * StudioError of {@link databaseUnavailable}; other failures of queries are the driver's errors.
 */
export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Runs it again, a few times, where other
   * transactions undid it (a deadlock, a serialisation failure): what it does beside the database must stand being done twice.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Sends a notification outside of any transaction. `payload` has at most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Listens to the notifications of a channel over one connection that all channels share. After a reconnect, `onGap` tells that some
   * may have been missed. Resolves once the subscription is active.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<StopListening>;
  /** Applies missing migrations exactly once, even if several processes try at the same time. */
  migrate(options: MigrateOptions): Promise<MigrateReport>;
  health(signal: AbortSignal): Promise<DatabaseHealth>;
  /** Waits for running queries and closes all connections. Safe to repeat. */
  close(): Promise<void>;
}
