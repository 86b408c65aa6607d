import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { startOpenSearch } from '../../../tools/opensearch.mjs';
import { ask as askAgent, chain, databaseOf, firstTenant, makeAgent, message } from '../support/a2a.ts';
import { studio } from '../support/command.ts';
import { ask, askFine, makeCollection, readDocument, uploadReady, within, wordHits } from '../support/retrieval.ts';
import { isFine, startLoad, wordOf } from './load.ts';
import { freePort, startService, temporaryFolder, type Service } from '../support/service.ts';

// A service with its search index in an OpenSearch of its own, which stands still, is killed, and comes back.

interface Server {
  readonly url: string;
  readonly port: number;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../../..');
/** How long the server is away each time: longer than any attempt waits by itself for a start. */
const AWAY_MS = 8_000;
/** What is accepted while it was away is there within this time after it is back. */
const BACK_MS = 240_000;

let data: string;
let server: Server;
let service: Service;
let dataFolder: string;
let port: number;

const startServer = (at?: number) =>
  startOpenSearch({ root, folder: join(root, '.runtime/opensearch'), data, port: at }) as Promise<Server>;
const start = (url?: string) =>
  startService({
    dataFolder,
    port,
    config: {
      limits: { requests_per_minute: null },
      ...(url === undefined ? {} : { search: { url, prefix: 'kills' } }),
    },
  });

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'opensearch-'));
  [dataFolder, port] = [await temporaryFolder(), await freePort()];
  server = await startServer();
  service = await start(server.url);
});
afterAll(async () => {
  await service?.close();
  server?.resume();
  await server?.close();
  for (const folder of [data, dataFolder]) rmSync(folder, { recursive: true, force: true });
});

/** The one table that a collection has in OpenSearch. */
async function tableOf(collection: string): Promise<string> {
  const list = (await (await fetch(`${server.url}/_alias/kills-t-*`)).json()) as Record<string, { aliases: object }>;
  const aliases = Object.values(list).flatMap((one) => Object.keys(one.aliases));
  const own = aliases.filter((name) => name.includes(collection));
  expect(own).toHaveLength(1);
  return own[0]?.slice('kills-t-'.length) ?? '';
}

/** Rows of a collection in the index. */
async function countRows(collection: string): Promise<number> {
  const alias = `${server.url}/kills-t-${await tableOf(collection)}`;
  await fetch(`${alias}/_refresh`, { method: 'POST' });
  const { count } = (await (await fetch(`${alias}/_count`)).json()) as { count: number };
  return count;
}

const metrics = async () => (await fetch(`${service.base}/metrics`)).text();

describe('OpenSearch goes away under load', () => {
  test.each([
    [
      'stands still and goes on',
      false,
      async () => {
        server.pause();
        await wait(AWAY_MS);
        server.resume();
      },
    ],
    [
      'is killed and started again',
      true,
      async () => {
        await server.kill();
        await wait(AWAY_MS);
        await within(async () => expect(await metrics()).toMatch(/^studio_search_up 0$/m));
        server = await startServer(server.port);
      },
    ],
    [
      'stands still, is killed and started again',
      true,
      async () => {
        server.pause();
        await wait(AWAY_MS);
        await server.kill();
        server = await startServer(server.port);
      },
    ],
    [
      'takes no writes, as its disk is full, and has room again',
      false,
      async () => {
        // What the server does by itself at its flood stage.
        const block = async (isFull: true | null) => {
          const body = JSON.stringify({ 'index.blocks.read_only_allow_delete': isFull });
          const headers = { 'content-type': 'application/json' };
          const answer = await fetch(`${server.url}/kills-i-*/_settings`, { method: 'PUT', headers, body });
          expect(answer.status).toBe(200);
        };
        await block(true);
        await wait(AWAY_MS);
        await block(null);
      },
    ],
  ])('that %s: errors are 503 that say when to come back, and nothing is lost', async (_, refuses, trouble) => {
    const { collection_id: collection } = await makeCollection(service);
    const { collection_id: other } = await makeCollection(service, { name: 'other' });
    await uploadReady(service, collection, 'first.md', '공통 처음 안내');
    await uploadReady(service, other, 'other.md', '공통 남의 안내');
    const load = startLoad(service, collection, other);
    const comesTo = (documents: number) =>
      within(async () => expect(load.kept.size).toBeGreaterThan(documents), BACK_MS);
    await comesTo(5);
    await trouble();
    await comesTo(load.kept.size + 5);
    await within(async () => expect(load.removed.size).toBeGreaterThan(1), BACK_MS);
    await load.end();
    if (refuses) for (const [mode, times] of Object.entries(load.refused)) expect(times, mode).toBeGreaterThan(0);
    for (const [word, id] of load.kept) {
      await within(async () => expect((await readDocument(service, id)).state).toBe('ready'), BACK_MS);
      expect(await wordHits(service, collection, word), word).toHaveLength(1);
    }
    for (const word of load.removed) expect(await wordHits(service, collection, word)).toEqual([]);
    // Neither lost nor doubled, and nothing of what was removed is left.
    await within(async () => expect(await countRows(collection)).toBe(load.kept.size + 1), BACK_MS);
    expect(await wordHits(service, other, '공통')).toHaveLength(1);
    await within(async () => expect(await metrics()).toMatch(/^studio_search_up 1$/m));
    expect(service.output()).not.toContain('was lost');
  });
});

test('an agent answers with passages of its collection alone, and of no document that was removed', async () => {
  const { collection_id: collection } = await makeCollection(service);
  const { collection_id: other } = await makeCollection(service, { name: 'other' });
  await uploadReady(service, collection, 'leave.md', '연차 휴가는 열다섯 일이다.');
  const { document_id: old } = await uploadReady(service, collection, 'old.md', '연차 휴가는 열 일이었다.');
  await uploadReady(service, other, 'other.md', '연차 휴가는 스무 일이다.');
  const db = await databaseOf(service);
  try {
    const agent = chain(
      { id: 'input', kind: 'input' },
      { id: 'search', kind: 'retrieve', collections: [collection] },
      { id: 'answer', kind: 'answer', text: '{{search.text}}' },
    );
    const { slug } = await makeAgent(db, await firstTenant(db), agent);
    const answer = async () => {
      const task = await askAgent(service, slug, 'message/send', { message: message('연차 휴가는 며칠?') });
      expect(task.status.state).toBe('completed');
      const text = task.artifacts.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
      return { text, citations: task.metadata.citations };
    };
    const before = await answer();
    expect(before.text).toContain('열다섯 일');
    expect(before.text).toContain('열 일이었다');
    expect(before.text).not.toContain('스무 일');
    await askFine(service, `documents/${old}`, { method: 'DELETE' });
    const after = await answer();
    expect(after.text).toContain('[1]');
    expect(after.text).toContain('열다섯 일');
    expect(after.text).not.toContain('열 일이었다');
    expect(after.citations).toMatchObject([{ document_name: 'leave.md' }]);
  } finally {
    await db.close();
  }
});

test('an index that was deleted is made anew from the database, for which searches wait, or are 503', async () => {
  const { collection_id: collection } = await makeCollection(service);
  await uploadReady(service, collection, 'a.md', '산양 목장 안내');
  const table = await tableOf(collection);
  await within(async () => expect(await metrics()).toMatch(/^studio_search_rows [1-9]/m));
  const behind = (await (await fetch(`${server.url}/_alias/kills-t-${table}`)).json()) as object;
  await fetch(`${server.url}/${Object.keys(behind)[0]}`, { method: 'DELETE' });
  const body = { collection_id: collection, query: '산양', search_type: 'keyword' };
  await within(async () => {
    const answer = await ask<{ readonly hits: readonly unknown[] }>(service, 'search', { body });
    expect(isFine(answer)).toBe(true);
    expect(answer.result.hits).toHaveLength(1);
  }, BACK_MS);
  expect(service.output()).toContain('was lost');
});

test('the index moves out of OpenSearch and back, while searches go on', async () => {
  const { collection_id: collection } = await makeCollection(service);
  const finds = async (...words: readonly string[]) => {
    for (const word of words) expect(await wordHits(service, collection, word), word).toHaveLength(1);
  };
  const words = Array.from({ length: 20 }, (_, at) => wordOf(at));
  const documents = await Promise.all(
    words.map((word) => uploadReady(service, collection, `${word}.md`, `목장 ${word}`)),
  );
  const place = [`--search.url=${server.url}`, '--search.prefix=kills'];
  const moved = /^The index of \d+ collections is there, and was compared with the database\.$/;
  const move = async (to: string) => {
    const state = { done: false };
    const searching = (async () => {
      while (!state.done) await finds(wordOf(3), wordOf(17));
    })();
    searching.catch(() => undefined);
    try {
      expect(await studio(service, 'search', 'move', '--to', to, ...place)).toMatch(moved);
    } finally {
      state.done = true;
    }
    await searching;
  };
  const restart = async (url?: string) => {
    await service.stop();
    service = await start(url);
  };
  await move('embedded');
  await restart();
  await finds(...words);
  await askFine(service, `documents/${documents[3]?.document_id}`, { method: 'DELETE' });
  await uploadReady(service, collection, 'late.md', `목장 ${wordOf(99)}`);
  words[3] = wordOf(99);
  await studio(service, 'search', 'move', '--to', 'opensearch', ...place);
  await restart(server.url);
  await finds(...words);
  expect(await wordHits(service, collection, wordOf(3))).toEqual([]);
  await within(async () => expect(await countRows(collection)).toBe(words.length), BACK_MS);
  expect(service.output()).not.toContain('was lost');
});
