import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type { Tables } from './tables.ts';

/** One forward step of the schema. Runs in a transaction of its own; must not be changed once released. */
export interface Migration {
  /** Sorts in the order of application, such as `0001_identity`. */
  readonly name: string;
  up(tx: Transaction<Tables>): Promise<void>;
}

/** Work that is part of a change, such as its note in the audit log: neither stands without the other. */
export type WithinChange = (tx: Transaction<Tables>) => Promise<void>;

export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  /** Called before anything is changed in a database that has data: the place for a safety copy. */
  readonly beforeChange?: (pending: readonly string[]) => Promise<void>;
  /** Told what is being done, for people who wait. */
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
 * What a statement begins with that each connection should read and plan once, and run often. Its text must always be the same, and
 * it must name its columns, so that a column that is added changes nothing.
 */
export const PREPARED = '/* prepared */';

/** Ends a subscription. Safe to repeat. */
export type StopListening = () => Promise<void>;

/**
 * The one store of record: PostgreSQL 15 or newer, the service's own or the operator's.
 * `int8` is read as number, `timestamptz` as Date. Failures of the connection are `StudioError` `unavailable`
 * where the port's own functions make it, and the driver's errors where a query meets them.
 */
export interface Database {
  readonly query: Kysely<Tables>;
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Runs it again, a few times, where other
   * transactions undid it (a deadlock, a serialisation failure): what it does beside the database must stand being done twice.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Sends a notification outside of any transaction. `payload` has at most 7,999 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Hears the notifications of a channel over one connection shared by all channels, which is mended when it breaks;
   * `onGap` then says that some may have been missed. Resolves once the channel is heard.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<StopListening>;
  /** Applies what is missing, once, whoever else tries at the same time. */
  migrate(options: MigrateOptions): Promise<MigrateReport>;
  health(signal: AbortSignal): Promise<DatabaseHealth>;
  /** Waits for the queries under way and ends all connections. Safe to repeat. */
  close(): Promise<void>;
}
