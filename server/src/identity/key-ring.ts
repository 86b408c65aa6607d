import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { KeyRecord } from './key-record.ts';

/** The keys of all tenants, in the memory of one process. */
export interface KeyRing {
  /**
   * The key with this value, from memory, in about a microsecond. Null means "not known at once": unknown, deleted,
   * expired, or this process has lost touch with the database. Ask {@link KeyRing.find} before refusing the caller.
   */
  verify(token: string): KeyRecord | null;
  /**
   * The key with this value, asking the database when memory does not have it. Null is final. A value of the wrong
   * form or checksum is refused without a look-up. Throws StudioError `unavailable` when the database does not answer.
   */
  find(token: string): Promise<KeyRecord | null>;
  /** Loads the keys. Until it has resolved nothing is verified. */
  start(): Promise<void>;
  /** Tells the others that this process is gone and writes when keys were used last. Safe to repeat. */
  close(): Promise<void>;
}

export interface KeyRingOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
}

export declare function createKeyRing(options: KeyRingOptions): KeyRing;
