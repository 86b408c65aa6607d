import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from '../../../../test/support/silent-log.ts';
import type { LanceEngine } from './engine.ts';
import type { OpenTable } from './table.ts';
import { createTableMaintainer, type TableMaintainer } from './table-maintenance.ts';

/** How long the fake engine takes. */
const RUN_MS = 1_000;
const IDLE_MS = 5_000;

let runs: number;
let maintainer: TableMaintainer;
const table = {
  name: 't',
  handle: {
    countRows: () => Promise.resolve(10),
    version: () => Promise.resolve(1),
    optimize: () => {
      runs++;
      return new Promise((resolve) => setTimeout(resolve, RUN_MS));
    },
    listIndices: () => Promise.resolve([]),
  },
} as unknown as OpenTable;
const commit = (count: number) => {
  for (let at = 0; at < count; at++) maintainer.onCommit(table, 1);
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  runs = 0;
  maintainer = createTableMaintainer({ lance: {} } as LanceEngine, silent);
});
afterEach(async () => {
  await maintainer.close();
  vi.useRealTimers();
});

test('few commits are tidied after a quiet while, many at once', async () => {
  commit(7);
  await pass(IDLE_MS - 1);
  expect(runs).toBe(0);
  await pass(1);
  expect(runs).toBe(1);
  await pass(10 * RUN_MS);
  commit(8);
  await pass(0);
  expect(runs).toBe(2);
  await pass(RUN_MS);
});

test('after it a table has twice as long to itself, unless a tenth of the rows is new', async () => {
  commit(8);
  await pass(RUN_MS);
  commit(8);
  await pass(2 * RUN_MS - 1);
  expect(runs).toBe(1);
  await pass(1);
  expect(runs).toBe(2);
  await pass(RUN_MS);
  maintainer.onCommit(table, 100);
  await pass(0);
  expect(runs).toBe(3);
  await pass(RUN_MS);
});

test('what is written meanwhile is tidied as well, though nobody writes any more', async () => {
  commit(8);
  await pass(RUN_MS / 2);
  commit(8);
  await pass(RUN_MS + IDLE_MS);
  expect(runs).toBe(2);
  await pass(RUN_MS + 2 * IDLE_MS);
  expect(runs).toBe(2);
});
