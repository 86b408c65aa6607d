import type { StoredSlice } from './usage-store.ts';

// Earlier versions kept rows in files of this kind while the database was away. They wrote them whole, under a name for good.

export const isSpilled = (name: string): boolean => /^usage-.*\.jsonl$/.test(name);

/** The rows of such a file. Throws where it is none. */
export const decodeSpilled = (bytes: Uint8Array): StoredSlice[] =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StoredSlice);
