import { expect, test, vi } from 'vitest';
import { beforeLeaving, doBeforeLeaving } from './before-leaving.ts';

test('what has to be done before a session ends is done, and keeps nobody who leaves', async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  beforeLeaving(async () => void done.push('removed'));
  beforeLeaving(() => Promise.reject(new Error('away')));
  await doBeforeLeaving();
  expect(done).toEqual(['removed']);
  beforeLeaving(() => new Promise(() => {}));
  const left = doBeforeLeaving();
  await vi.advanceTimersByTimeAsync(5_000);
  await left;
  expect(done).toEqual(['removed', 'removed']);
  vi.useRealTimers();
});
