import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeS3, type FakeS3 } from '../../../../test/fakes/s3-server.ts';
import { silent, temporaryFolder } from '../../../../test/support/postgres.ts';
import type { IndexRow } from '../../../ports/search-index.ts';
import { lanceStorageOf } from '../../distributed/s3-storage.ts';
import { createS3TableFiles, listStoredFiles } from '../../distributed/s3-table-files.ts';
import { createFolderFiles, createLanceIndex, type TableFiles } from './index.ts';
import type { LanceStorage } from './engine.ts';
import { listFolderFiles, readFilesReport, type ReportPlace } from './report.ts';

let s3: FakeS3;
const folder = temporaryFolder();
beforeAll(async () => void (s3 = await startFakeS3()));
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const row = (id: string): IndexRow => ({
  rowId: id,
  chunkId: id,
  documentId: id,
  vector: Float32Array.of(1, 2),
  terms: ['word'],
  stems: [],
  fields: {},
});

async function fill(storage: LanceStorage, files: TableFiles): Promise<void> {
  const index = createLanceIndex({ storage, files, cacheMb: 16, log: silent });
  for (const [table, ids] of [
    ['a', ['1', '2']],
    ['b', ['1']],
  ] as const) {
    await index.createTable(table, { dimension: 2 });
    await index.add(table, ids.map(row));
  }
  await index.add('a', [row('3')]);
  await index.close();
}

const inFolder = (uri: string): ReportPlace => ({
  storage: { uri },
  place: 'folder',
  listFiles: () => listFolderFiles(uri),
  folder,
  log: silent,
});

test('the report of an index in a folder: rows and pieces as the engine knows them, beside the files that lie there', async () => {
  const uri = join(folder, 'index');
  expect(await readFilesReport(inFolder(uri))).toMatchObject({
    tables: 0,
    rows: 0,
    bytes: 0,
    files: { files: 0 },
    advice: [],
  });
  await fill({ uri }, createFolderFiles(uri));
  const { files, ...report } = await readFilesReport(inFolder(uri));
  expect(report).toEqual({ tables: 2, rows: 4, bytes: expect.any(Number), advice: [] });
  // Two writes of the one, and one of the other; each left versions.
  expect(files).toMatchObject({ place: 'folder', pieces: 3, looked_into: 2 });
  expect(files.versions).toBeGreaterThanOrEqual(5);
  expect(files.files).toBeGreaterThan(files.versions);
  expect(files.stored_bytes).toBeGreaterThan(report.bytes);
  expect(files.total_bytes).toBeGreaterThan(files.free_bytes ?? Infinity);
  // One that can't be read does not keep the rest from being told.
  rmSync(join(uri, 'b.lance', '_versions'), { recursive: true });
  expect(await readFilesReport(inFolder(uri))).toMatchObject({ tables: 2, rows: 3, files: { looked_into: 1 } });
});

test('in object storage it is the same, without a disk', async () => {
  const options = {
    endpoint: s3.url,
    bucket: s3.bucket,
    prefix: 'of/',
    region: 'us-east-1',
    accessKeyId: s3.accessKeyId,
    secretAccessKey: s3.secretAccessKey,
  };
  const storage = lanceStorageOf(options);
  await fill(storage, createS3TableFiles(options));
  const given: ReportPlace = {
    storage,
    place: 'object_storage',
    listFiles: () => listStoredFiles(options),
    folder: null,
    log: silent,
  };
  const { files, ...report } = await readFilesReport(given);
  expect(report).toMatchObject({ tables: 2, rows: 4 });
  expect(files).toMatchObject({ pieces: 3, free_bytes: null, total_bytes: null });
  expect(files.files).toBe(s3.keys('of/index/').length);
});

test('little room, and files that take much more than what is in them, are advised about', async () => {
  const uri = join(folder, 'index');
  const { bytes } = await readFilesReport(inFolder(uri));
  const large: ReportPlace = {
    ...inFolder(uri),
    listFiles: async () => [...(await listFolderFiles(uri)), { table: 'a', path: 'data/obsolete.lance', bytes: 8e9 }],
  };
  const { advice } = await readFilesReport(large);
  expect(advice).toEqual([{ kind: 'much_obsolete', stored: expect.any(Number), live: bytes }]);
});
