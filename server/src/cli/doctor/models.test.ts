import { writeEmbeddingModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCollection } from '../../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, temporaryFolder } from '../../../test/support/postgres.ts';
import { answer, openUpstream, type Upstream } from '../../../test/support/upstream.ts';
import { loadConfig } from '../../config/load.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { checkModels } from './models.ts';

const tenantId = hexId() as TenantId;
let database: FreshDatabase;
let upstream: Upstream;
let dataFolder: string;

beforeAll(async () => {
  database = await freshDatabase();
  upstream = await openUpstream(['bge']);
  upstream.plays(answer(200, { data: [{ index: 0, embedding: [1, 2, 3] }], usage: { prompt_tokens: 1 } }));
  dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'models'));
  const file = writeEmbeddingModel(join(dataFolder, 'models', 'tiny.gguf'));
  // A file of this moment counts as arriving.
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(file, minuteAgo, minuteAgo);
  await database.db.query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
});
afterAll(async () => {
  await upstream.close();
  await database.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** A collection that a model filled with vectors of this length. */
async function fill(name: string, model: string, length: number): Promise<void> {
  const { query } = database.db;
  const id = await insertCollection(query, tenantId);
  const change = JSON.stringify({ embedding_model: model });
  await query
    .updateTable('collections')
    .set({
      name,
      index_state: 'ready',
      embedding_dimension: length,
      ingest_config: sql<string>`ingest_config || ${change}::jsonb`,
    })
    .where('id', '=', id)
    .execute();
}

/** Connects a server with this model as people of the console do. */
const connect = (name: string, models: readonly string[]) =>
  database.db.query
    .insertInto('model_servers')
    .values({
      id: hexId(),
      name,
      base_url: upstream.url,
      sealed_api_key: null,
      dialect: null,
      models: JSON.stringify(
        models.map((id) => ({
          remote_id: id,
          id,
          kind: 'embedding',
          context_length: null,
          bound_at: new Date(0).toISOString(),
        })),
      ),
    })
    .execute();

async function findings() {
  const { host, port, user, password, database: name } = database.connection;
  const env = {
    STUDIO_DATA_DIR: dataFolder,
    STUDIO_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`,
  };
  const found = await checkModels(loadConfig({ env, cwd: dataFolder }));
  return found.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
}

test('the doctor asks servers of the console for vectors, and names collections that these and those of local models do not fit', async () => {
  await connect('gpu', ['bge']);
  await fill('same', 'bge', 3);
  await fill('other', 'bge', 4);
  await fill('local', 'tiny', 7);
  await fill('left', 'gone', 7);
  const found = await findings();
  expect(found).toEqual(
    expect.arrayContaining([
      'ok Engine gpu: answers; has bge',
      'ok Embedding model bge: gives vectors of 3 numbers',
      'warn Embedding model bge: gives vectors of 3 numbers, those of "other" have 4',
      expect.stringMatching(/^warn Embedding model tiny: gives vectors of \d+ numbers, those of "local" have 7$/),
      'warn Embedding model gone: made the vectors of a collection, and is not in the catalogue any more',
    ]) as string[],
  );
  expect(found.filter((one) => one.startsWith('warn Embedding'))).toHaveLength(3);
});
