import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase, temporaryFolder } from '../../../test/support/postgres.ts';
import { createMemoryBlobs } from '../../../test/support/memory-blobs.ts';
import { type PersonActor, type Person, unlimitedActor } from '../../kernel/actor.ts';
import { hexId } from '../../kernel/ids.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { RetrievalDeps } from '../../retrieval/index.ts';
import { addFile, removeUnused } from './files.ts';

let fresh: FreshDatabase;
const tenantId = hexId() as TenantId;
const owner: PersonActor = unlimitedActor<Person>({ tenantId, userId: 'ada', keyId: null });
beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.query.insertInto('tenants').values({ id: tenantId, name: 'Ours' }).execute();
  await fresh.db.query
    .insertInto('collections')
    .values({
      id: hexId(),
      tenant_id: tenantId,
      owner_user_id: owner.userId,
      name: 'Files of conversations',
      purpose: 'chat',
      visibility: 'private',
      search_config: '{}',
      ingest_config: '{}',
      fields: [],
      index_table: 'c_files',
      analyzer_version: 1,
    } as never)
    .execute();
});
afterAll(() => fresh.close());

const rows = () => fresh.db.query.selectFrom('conversation_files').selectAll().execute();

/** A document whose bytes are about to be put away. */
async function giveDocument(putFile: () => Promise<number>) {
  const path = join(temporaryFolder(), 'a.txt');
  await writeFile(path, 'text');
  const retrieval = {
    db: fresh.db,
    blobs: { ...createMemoryBlobs(), putFile },
    texts: { do: () => Promise.resolve({ format: 'text', refused: null }) },
    bus: { publish: () => Promise.resolve() },
    log: { warn: () => undefined },
  } as unknown as RetrievalDeps;
  return { deps: { retrieval }, added: addFile({ retrieval }, owner, { path, name: 'a.txt', bytes: 4 }) };
}

test('a document whose upload fails leaves nothing', async () => {
  const { added } = await giveDocument(() => Promise.reject(new Error('the disk is full')));
  await expect(added).rejects.toThrow('the disk is full');
  expect(await rows()).toEqual([]);
  expect(await fresh.db.query.selectFrom('documents').select('id').execute()).toEqual([]);
});

test('a document is known before it is there, and goes with it where the process ended in between', async () => {
  const reached = Promise.withResolvers<void>();
  const { deps } = await giveDocument(() => {
    reached.resolve();
    return new Promise(() => undefined);
  });
  await reached.promise;
  const [row] = await rows();
  const [document] = await fresh.db.query.selectFrom('documents').select('id').execute();
  expect(row).toMatchObject({ kind: 'document', document_id: document?.id });
  // A day later, whether or not the document is there.
  await fresh.db.query
    .updateTable('conversation_files')
    .set({ created_at: new Date(0) } as never)
    .execute();
  await fresh.db.query.deleteFrom('documents').execute();
  expect(await removeUnused(deps, 10)).toBe(1);
  expect(await rows()).toEqual([]);
});
