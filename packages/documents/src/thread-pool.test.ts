import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
