import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { ChunkPreviews, Extractions, RetrievalDeps } from '../index.ts';
import { bulkRoutes } from './bulk.ts';

const folder = temporaryFolder();
const tenantId = hexId() as TenantId;
const actor = unlimitedActor({ tenantId, keyId: null, userId: 'ada' });
let database: FreshDatabase;
let collectionId: string;

beforeAll(async () => {
  database = await freshDatabase();
  await database.db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  collectionId = await insertCollection(database.db.query, tenantId, 'ada');
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Uploads lines that are wrong. Resolves with the answer, of which nothing was read, and the folder of the upload. */
async function upload() {
  const own = await mkdtemp(join(folder, 'upload-'));
  const path = join(own, 'lines');
  await writeFile(path, '{}\n{}\n');
  const [route] = bulkRoutes({
    retrieval: { db: database.db, log: silent } as unknown as RetrievalDeps,
    extractions: {} as Extractions,
    previews: {} as ChunkPreviews,
    folder,
    maxUploadBytes: 1_000,
  });
  if (route?.served.kind !== 'call') throw new Error('no route');
  let stream: Readable | undefined;
  const reply = { type: () => reply, send: (given: Readable) => void (stream = given) };
  await route.served.handle({
    ctx: { actor },
    params: { collection_id: collectionId },
    request: { headers: { 'content-type': 'application/x-ndjson' } },
    reply,
    file: () =>
      Promise.resolve({ path, name: null, bytes: 6, remove: () => rm(own, { recursive: true, force: true }) }),
  } as never);
  if (stream === undefined) throw new Error('no answer');
  return { stream, own };
}

test('the file of a bulk upload is removed also where the client goes before the first line of the answer', async () => {
  const read = await upload();
  expect((await text(read.stream)).trim().split('\n').length).toBe(2);
  expect(existsSync(read.own)).toBe(false);
  const left = await upload();
  expect(existsSync(left.own)).toBe(true);
  left.stream.destroy();
  await eventually(() => expect(existsSync(left.own)).toBe(false));
});
