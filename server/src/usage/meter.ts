import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import type { UsageRow } from './usage-row.ts';

/** Writes usage rows in batches, off the path of a request. */
export interface Meter {
  /** Takes a row. Never throws, never waits. */
  record(row: UsageRow): void;
  /** Resolves when every row taken so far is in the database, or in the spill file when the database is away. */
  flush(): Promise<void>;
  /** Flushes and ends the timer. Safe to repeat. */
  close(): Promise<void>;
}

export interface MeterOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Folder for rows that the database can't take now. */
  readonly spillDir: string;
  /** Rows are written at least this often; 1,000 by default. */
  readonly intervalMs?: number;
}

export declare function createMeter(options: MeterOptions): Meter;
