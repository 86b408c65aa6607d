import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTaskThread, type TaskThread } from './task-thread.ts';

const IDLE_MS = 5_000;

let folder: string;
let thread: TaskThread<string, number>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-thread-'));
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', () => parentPort.postMessage(threadId));`,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  thread = createTaskThread(file, (cause) => new Error('failed', { cause }), IDLE_MS);
});
afterEach(async () => {
  vi.useRealTimers();
  await thread.close();
  rmSync(folder, { recursive: true });
});

test('the thread ends where there is no task for a while; the next task starts another', async () => {
  const first = await thread.do('a');
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(await thread.do('b')).toBe(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(await thread.do('c')).toBe(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(await thread.do('d')).not.toBe(first);
});
