import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ThreadPool, createThreadPool } from './thread-pool.ts';

const IDLE_MS = 5_000;

let folder: string;
let pool: ThreadPool<string, number>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-threads-'));
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', () => parentPort.postMessage(threadId));`,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  pool = createThreadPool({
    file,
    size: 2,
    heapMb: 64,
    timeoutMs: 600_000,
    idleMs: IDLE_MS,
    tooLarge: (cause) => new Error('too large', { cause }),
    stopping: () => new Error('stopping'),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
  rmSync(folder, { recursive: true });
});

/** The thread that does a task. */
const ask = (key = 'a') => pool.run({ prepare: async () => ({ task: 'x', transfer: [] }), key });

test('a thread that had a task a while ago does the next one', async () => {
  const first = await ask();
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(await ask()).toBe(first);
  // The time begins anew with each task.
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(await ask()).toBe(first);
});

test('a thread without a task for so long ends, and another one does the next', async () => {
  const [one, other] = await Promise.all([ask('a'), ask('b')]);
  expect(one).not.toBe(other);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(await ask('b')).toBe(other);
  await vi.advanceTimersByTimeAsync(1);
  // The thread of `a` has ended, that of `b` goes on.
  expect(await ask('a')).toBe(other);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect([one, other]).not.toContain(await ask('a'));
});

test('a thread whose task was called off does no other, even if it was just done', async () => {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const file = join(folder, 'held.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId, workerData } from 'node:worker_threads';
parentPort.on('message', () => {
  Atomics.wait(workerData, 0, 0);
  parentPort.postMessage(threadId);
  Atomics.store(workerData, 0, 2);
  Atomics.notify(workerData, 0);
});`,
  );
  const held = createThreadPool<string, number>({
    file,
    size: 1,
    heapMb: 64,
    timeoutMs: 600_000,
    workerData: state,
    tooLarge: (cause) => new Error('too large', { cause }),
    stopping: () => new Error('stopping'),
  });
  try {
    const controller = new AbortController();
    const prepare = async () => ({ task: 'x', transfer: [] });
    const first = held.run({ prepare, signal: controller.signal });
    await turn();
    // It has answered, but this thread has not heard so when the task is called off.
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 0, 1);
    controller.abort();
    const id = await first.catch(() => null);
    expect(await held.run({ prepare })).not.toBe(id);
  } finally {
    await held.close();
  }
});
