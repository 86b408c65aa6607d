import type { Readable } from 'node:stream';

/**
 * Bytes that are kept under a key: originals of documents and the like. Keys are relative paths of letters, digits, `-`, `_`, `.`
 * and `/`; who gives one has checked that it is the tenant's.
 */
export interface BlobStore {
  /**
   * Keeps what the stream holds, all of it or nothing, and replaces what was there. Resolves with its length once it would survive
   * a loss of power. Rejects with the stream's error; StudioError `unavailable` where the store can't be written.
   */
  put(key: string, content: Readable): Promise<number>;
  /** Bytes of a key as they were kept; null where there are none. */
  get(key: string): Promise<Readable | null>;
  /** Brings the bytes into a file of this machine, which others may not change. Resolves with false where there are none. */
  toFile(key: string, path: string): Promise<boolean>;
  /** Removes a key. Resolves also where there was none. */
  delete(key: string): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
