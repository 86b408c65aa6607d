import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanceStorageOf } from '../../src/adapters/distributed/s3-storage.ts';
import { createS3TableFiles } from '../../src/adapters/distributed/s3-table-files.ts';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import { startFakeS3 } from '../fakes/s3-server.ts';
import { silent } from '../support/postgres.ts';
import { searchIndexConformance } from './search-index.ts';

searchIndexConformance('LanceDB in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-index-'));
  return {
    open: () =>
      createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent }),
    destroy: (table) => rm(join(folder, `${table}.lance`), { recursive: true }),
    async damage(table) {
      const data = join(folder, `${table}.lance`, 'data');
      for (const file of await readdir(data)) {
        const { size } = await stat(join(data, file));
        await truncate(join(data, file), Math.floor(size / 2));
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

searchIndexConformance('LanceDB on S3', async () => {
  const s3 = await startFakeS3();
  const options = {
    endpoint: s3.url,
    bucket: s3.bucket,
    prefix: 'of/studio/',
    region: 'us-east-1',
    accessKeyId: s3.accessKeyId,
    secretAccessKey: s3.secretAccessKey,
  };
  const keysOf = (table: string, part = '') => s3.keys(`of/studio/index/${table}.lance/${part}`);
  return {
    open: () =>
      createLanceIndex({
        storage: lanceStorageOf(options),
        files: createS3TableFiles(options),
        cacheMb: 64,
        log: silent,
      }),
    async destroy(table) {
      for (const key of keysOf(table)) s3.remove(key);
    },
    async damage(table) {
      for (const key of keysOf(table, 'data/')) await s3.cut(key);
    },
    close: () => s3.close(),
  };
});
