import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../src/ports/blob-store.ts';

/** A blob store of the memory of a test. */
export function createMemoryBlobs(): BlobStore {
  const blobs = new Map<string, Buffer>();
  return {
    async put(key, content) {
      const bytes = Buffer.concat(await content.toArray());
      blobs.set(key, bytes);
      return bytes.length;
    },
    async putFile(key, path) {
      const bytes = await readFile(path);
      blobs.set(key, bytes);
      return bytes.length;
    },
    get(key) {
      const bytes = blobs.get(key);
      return Promise.resolve(bytes === undefined ? null : Readable.from([bytes]));
    },
    async toFile(key, path) {
      const bytes = blobs.get(key);
      if (bytes !== undefined) await writeFile(path, bytes);
      return bytes !== undefined;
    },
    delete: (key) => Promise.resolve(void blobs.delete(key)),
    close: () => Promise.resolve(),
  };
}
