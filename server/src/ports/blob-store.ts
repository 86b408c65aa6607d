import type { Readable } from 'node:stream';

/**
 * Stores bytes under a key: originals of documents and the like. Keys are relative paths of letters, digits, `-`, `_`, `.` and `/`;
 * the caller has checked that the key belongs to the tenant.
 */
export interface BlobStore {
  /**
   * Stores all of a stream or nothing, and replaces an earlier value. Resolves with the length once it would survive a loss of power.
   * Rejects with the stream's error; StudioError `unavailable` where the store can't be written.
   */
  put(key: string, content: Readable): Promise<number>;
  /** The same with a local file, which is closed at the end. Rejects with the failure of its opening. */
  putFile(key: string, path: string): Promise<number>;
  /** Reads the bytes of a key; null where it does not exist. */
  get(key: string): Promise<Readable | null>;
  /** Provides the bytes as a local file, which callers must not change. Resolves with false where the key does not exist. */
  toFile(key: string, path: string): Promise<boolean>;
  /** Removes a key. Resolves also where it does not exist. */
  delete(key: string): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
