import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import type { RetrievalDeps } from '../deps.ts';
import { followPrefixes } from './prefix-changes.ts';

const tenantId = hexId() as TenantId;
let database: FreshDatabase;
let id: string;
beforeAll(async () => {
  database = await freshDatabase();
  const { query } = database.db;
  await query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
  id = await insertCollection(query, tenantId);
  const { ingest_config: config } = await read();
  const prefixes = { query: 'first: ', passage: 'first: ' };
  await write({ ...config, embedding_model: 'm', embedding_prefixes: prefixes });
});
afterAll(() => database.close());

const read = () =>
  database.db.query.selectFrom('collections').select('ingest_config').where('id', '=', id).executeTakeFirstOrThrow();
const write = (config: object) =>
  database.db.query
    .updateTable('collections')
    .set({ ingest_config: JSON.stringify(config) })
    .where('id', '=', id)
    .execute();

/** A process whose catalogue has these words before the texts of the model. */
function processOf() {
  const begun = new Map<string, string>();
  return async (words: string) => {
    const embedding = { query_prefix: words, passage_prefix: words };
    const catalogue = createCatalogue({ models: { m: { kind: 'embedding', engines: [{ engine: 'e' }], embedding } } });
    await followPrefixes({ db: database.db, log: silent, catalogue } as unknown as RetrievalDeps, begun);
    return (await read()).ingest_config.embedding_prefixes?.passage;
  };
}

test('a collection follows the words of its model, each time that somebody changes them', async () => {
  const follow = processOf();
  const words = ['second: ', 'third: ', 'second: ', 'second: ', 'third: '];
  for (const one of words) expect(await follow(one)).toBe(one);
});

test('two processes whose words differ do not change it in turn', async () => {
  const [one, other] = [processOf(), processOf()];
  expect(await one('mine: ')).toBe('mine: ');
  expect(await other('theirs: ')).toBe('theirs: ');
  for (let i = 0; i < 3; i++) {
    expect(await one('mine: ')).toBe('theirs: ');
    expect(await other('theirs: ')).toBe('theirs: ');
  }
});
