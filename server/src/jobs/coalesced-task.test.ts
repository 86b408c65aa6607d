import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCoalescedTask } from './coalesced-task.ts';

test('calls during a run cause one more run after it, however many they are', async () => {
  const gates: (() => void)[] = [];
  const task = createCoalescedTask(
    () => new Promise<void>((resolve) => void gates.push(resolve)),
    () => undefined,
  );
  task();
  task();
  task();
  expect(gates.length).toBe(1);
  gates[0]?.();
  await turn();
  expect(gates.length).toBe(2);
  gates[1]?.();
  await turn();
  expect(gates.length).toBe(2);
  task();
  const stopped = task.stop();
  task();
  gates[2]?.();
  await stopped;
  expect(gates.length).toBe(3);
});

test('a run that fails is reported, and others follow', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const task = createCoalescedTask(
    () => {
      runs++;
      return Promise.reject(new Error('away'));
    },
    (error) => errors.push(error),
  );
  task();
  await turn();
  task();
  await task.stop();
  expect([runs, errors.length]).toEqual([2, 2]);
});
