import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { noteSignature } from './note.ts';
import { signatureOf } from './signature.ts';

const tenantId = hexId() as TenantId;
let database: FreshDatabase;
let collectionId: string;
beforeAll(async () => {
  database = await freshDatabase();
  await database.db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  collectionId = await insertCollection(database.db.query, tenantId, 'ada');
});
afterAll(() => database.close());

const text = Array.from({ length: 40 }, (_, at) => `제${at}조 담당자는 ${at * 7}일 안에 서류를 낸다.`).join(' ');

async function insert(name: string, externalId: string | null = null, of = collectionId): Promise<string> {
  const id = hexId();
  await database.db.query
    .insertInto('documents')
    .values({
      id,
      tenant_id: tenantId,
      collection_id: of,
      name,
      external_id: externalId,
      size: 1,
      metadata: '{}',
      indexed_fields: [],
      ingest_config: '{}',
      key_id: null,
      user_id: null,
      state: 'ready',
    })
    .execute();
  return id;
}

async function note(documentId: string, content: string, of = collectionId) {
  const signature = signatureOf(content);
  if (signature === null) throw new Error('no letters');
  return database.db.transaction((tx) => noteSignature(tx, { collectionId: of, documentId }, signature));
}

test('the earlier of two documents that say the same is found, and not the later', async () => {
  const first = await insert('a');
  expect(await note(first, text)).toBeNull();
  const second = await insert('b');
  expect(await note(second, ` ${text}`)).toEqual({ id: first, name: 'a', isExact: true });
  const third = await insert('c');
  expect(await note(third, text.replace('담당자는', '담당관은'))).toEqual({ id: first, name: 'a', isExact: false });
  // Read anew, the first is still the first.
  expect(await note(first, text)).toBeNull();
  expect(await note(await insert('d'), `${text} ${[...text].toReversed().join('')}`)).toBeNull();
});

test('one that failed, one of another collection and one whose place it takes do not count', async () => {
  const own = '이 글은 다른 글과 아무것도 나누지 않는다. '.repeat(3);
  const failed = await insert('failed');
  await note(failed, own);
  await database.db.query.updateTable('documents').set({ state: 'failed' }).where('id', '=', failed).execute();
  const other = await insertCollection(database.db.query, tenantId, 'ada');
  await note(await insert('other', null, other), own, other);
  const older = await insert('older', 'e1');
  expect(await note(older, own)).toBeNull();
  expect(await note(await insert('newer', 'e1'), own)).toBeNull();
  expect(await note(await insert('another', 'e2'), own)).toMatchObject({ id: older });
});

test('of two that come at the same time one finds the other', async () => {
  const ids = [await insert('x'), await insert('y')];
  const found = await Promise.all(ids.map((id) => note(id, `두 글이 함께 온다. ${text.slice(0, 300)}`)));
  expect(found.filter((one) => one !== null)).toHaveLength(1);
});

test('a document that is gone leaves nothing, and is nobody’s other', async () => {
  expect(await note(hexId(), text)).toBeNull();
});
