import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../ports/blob-store.ts';
import { checkedKey } from '../blob-key.ts';
import { readOpened } from '../read-opened.ts';
import { getObject, putObject } from './s3-objects.ts';
import { createS3Client, withRetry, type S3Options } from './s3-storage.ts';

/** Blobs as objects of S3-compatible storage, which all machines share. */
export function createS3BlobStore(options: S3Options): BlobStore {
  const client = createS3Client(options);
  const nameOf = (key: string) => `${options.prefix}blobs/${checkedKey(key)}`;
  const store: BlobStore = {
    async put(key, content) {
      const name = nameOf(key);
      return putObject(await client(), name, content);
    },
    putFile: (key, path) => readOpened(path, (content) => store.put(key, content)),
    async get(key) {
      const name = nameOf(key);
      return getObject(await client(), name);
    },
    async toFile(key, path) {
      const name = nameOf(key);
      const content = await getObject(await client(), name);
      if (content === null) return false;
      await pipeline(content, createWriteStream(path, { mode: 0o600 }));
      return true;
    },
    async delete(key) {
      const name = nameOf(key);
      const s3 = await client();
      await withRetry(() => s3.deleteObject(name));
    },
    close: () => Promise.resolve(),
  };
  return store;
}
