import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { TABLE_ENDING, type TableFiles } from '../embedded/lance-index/files.ts';
import type { StoredFile } from '../embedded/lance-index/report.ts';
import { getObject, putObject } from './s3-objects.ts';
import { createS3Client, withRetry, type S3Options } from './s3-storage.ts';

/** Files of the search index's tables in object storage. */
export function createS3TableFiles(options: S3Options): TableFiles {
  const client = createS3Client(options);
  const prefixOf = (table: string) => `${options.prefix}index/${table}${TABLE_ENDING}/`;

  async function list(table: string): Promise<readonly string[]> {
    const s3 = await client();
    const prefix = prefixOf(table);
    const found = await withRetry(() => s3.listObjects('/', prefix));
    return (found ?? []).map(({ Key: key }) => key.slice(prefix.length));
  }

  return {
    list,
    async download(table, path, file) {
      const s3 = await client();
      const content = await getObject(s3, prefixOf(table) + path);
      if (content === null) return false;
      await pipeline(content, createWriteStream(file, { mode: 0o600 }));
      return true;
    },
    async upload(table, path, file) {
      await putObject(await client(), prefixOf(table) + path, createReadStream(file));
    },
    async remove(table) {
      const s3 = await client();
      const prefix = prefixOf(table);
      const names = (await list(table)).map((path) => prefix + path);
      if (names.length > 0) await withRetry(() => s3.deleteObjects(names));
    },
  };
}

/** All files of all tables in object storage. Throws StudioError `unavailable`. */
export async function listStoredFiles(options: S3Options): Promise<readonly StoredFile[]> {
  const s3 = await createS3Client(options)();
  const prefix = `${options.prefix}index/`;
  const found = (await withRetry(() => s3.listObjects('/', prefix))) ?? [];
  return found.flatMap(({ Key: key, Size: size }) => {
    const path = key.slice(prefix.length);
    const end = path.indexOf(`${TABLE_ENDING}/`);
    if (end < 0) return [];
    return [{ table: path.slice(0, end), path: path.slice(end + TABLE_ENDING.length + 1), bytes: Number(size) }];
  });
}
