import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/postgres.ts';

// Processes that share a table, and are ended in the midst of it.

let folder: string;
let index: SearchIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-writers-'));
  index = createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 32, log: silent });
});
afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true, force: true });
});

function startWriter(table: string, name: string) {
  const child = fork(join(import.meta.dirname, 'index-writer.fixture.ts'), [folder, table, name]);
  const written: string[] = [];
  child.on('message', (id) => {
    if (typeof id === 'string') written.push(id);
  });
  return {
    written,
    async end(how: 'kill' | 'ask') {
      const exited = once(child, 'exit');
      if (how === 'kill') child.kill('SIGKILL');
      else child.disconnect();
      await exited;
    },
  };
}

async function allIds(table: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const piece of index.rows(table)) ids.push(...piece.map(({ rowId }) => rowId));
  return ids;
}

test('what a process wrote that was killed is there once, and the others go on', async () => {
  const table = 'killed';
  await index.createTable(table, { dimension: 2 });
  const told: string[] = [];
  for (let round = 0; round < 4; round++) {
    const [killed, ended] = [startWriter(table, `k${round}`), startWriter(table, `e${round}`)];
    await eventually(() => expect(Math.min(killed.written.length, ended.written.length)).toBeGreaterThan(5));
    await wait(Math.random() * 300);
    await killed.end('kill');
    await ended.end('ask');
    told.push(...killed.written, ...ended.written);

    const ids = await allIds(table);
    expect(new Set(ids).size).toBe(ids.length);
    expect(told.filter((id) => !ids.includes(id))).toEqual([]);
    // Of what was not told of, at most the row is there that was being written or removed, or whose message was on its way.
    expect(ids.filter((id) => !told.includes(id)).length).toBeLessThanOrEqual(2 * (round + 1));
    for (const id of [killed.written.at(-1), ended.written.at(-1)]) {
      const found = await index.keyword(table, { terms: [id ?? ''], stems: [], limit: 5 });
      expect(found.map(({ rowId }) => rowId)).toEqual([id]);
    }
  }
  await index.maintain(table);
  expect((await index.stats(table)).unindexedRows).toBe(0);
});
