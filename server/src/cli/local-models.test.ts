import { writeEmbeddingModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { sql } from 'kysely';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertCollection } from '../../test/support/ingest-jobs.ts';
import { type FreshDatabase, freshDatabase, temporaryFolder } from '../../test/support/postgres.ts';
import { loadConfig } from '../config/load.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import { amountText } from './local-models.ts';
import { run } from './run.ts';

const state = {
  phase: 'downloading',
  bytes: 312_000_000,
  total: 640_000_000,
  bytesPerSecond: 21_400_000,
  secondsLeft: 16,
  message: null,
  part: 1,
  parts: 1,
} as const;

test.each([
  [{}, '312 of 640 MB  48 %  21.4 MB/s  16 s left'],
  [{ bytes: 0 }, '0 of 640 MB  0 %  21.4 MB/s  16 s left'],
  [{ bytes: 12_000, total: 95_400, bytesPerSecond: 64_300 }, '12 of 95 kB  12 %  64 kB/s  16 s left'],
  [{ bytes: 12_000, total: null, secondsLeft: null }, '12 kB  21.4 MB/s'],
  [{ bytes: 95_400, total: 95_400, phase: 'verifying', parts: 3, part: 2 }, 'file 2 of 3  95 kB  verifying'],
] as const)('the amount of a download is told in its unit: %j', (more, text) => {
  expect(amountText({ ...state, ...more })).toBe(text);
});

describe('a model that collections need', () => {
  let database: FreshDatabase;
  let dataFolder: string;
  const file = () => join(dataFolder, 'models', 'my-embedder.gguf');
  beforeAll(async () => {
    database = await freshDatabase();
    const { query } = database.db;
    const tenantId = hexId() as TenantId;
    await query.insertInto('tenants').values({ id: tenantId, name: 'x' }).execute();
    await insertCollection(query, tenantId);
    const model = JSON.stringify({ embedding_model: 'my-embedder' });
    const config = sql<string>`ingest_config || ${model}::jsonb`;
    await query.updateTable('collections').set({ name: '인사 규정', ingest_config: config }).execute();
    dataFolder = temporaryFolder();
    mkdirSync(join(dataFolder, 'models'));
    writeEmbeddingModel(file());
  });
  afterAll(async () => {
    await database.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  /** Removes it by this name, with these flags. */
  async function remove(...args: readonly string[]) {
    const { host, port, user, password, database: name } = database.connection;
    const env = {
      STUDIO_DATA_DIR: dataFolder,
      STUDIO_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`,
    };
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const code = await run(['models', 'remove', ...args], { print: say, note: say }, (named) =>
      loadConfig({ env, cwd: dataFolder, ...named }),
    );
    return { code, said: said.join('\n') };
  }

  test.each(['my-embedder', 'my-embedder.gguf', 'My-Embedder.GGUF'])(
    'is not removed by the name %s; they are named',
    async (name) => {
      const { code, said } = await remove(name);
      expect(said).toContain('my-embedder makes the vectors of "인사 규정"');
      expect(code).toBe(2);
      expect(existsSync(file())).toBe(true);
    },
  );

  test('is removed by whoever says so', async () => {
    expect(await remove('my-embedder.gguf', '--force')).toMatchObject({ code: 0 });
    expect(existsSync(file())).toBe(false);
  });
});
