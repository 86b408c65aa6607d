import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRemovals } from './removals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const failures: unknown[] = [];
  const removed: string[] = [];
  const removals = createRemovals({ graceMs: 1_000, onFailure: (error) => failures.push(error) });
  const begin = (...ids: string[]) => removals.begin(ids, async () => void removed.push(...ids));
  return { removals, removed, failures, begin };
};

test('what is removed is out of sight at once, and gone once the time is over', async () => {
  const { removals, removed, begin } = open();
  const undo = begin('a', 'b');
  expect([...removals.waiting().keys()]).toEqual(['a', 'b']);
  expect(removed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(removed).toEqual(['a', 'b']);
  expect(undo()).toBe(false);
  expect(removals.waiting().size).toBe(0);
});

test('it is taken back in that time, and others are not', async () => {
  const { removals, removed, begin } = open();
  const undo = begin('a');
  begin('b');
  expect(undo()).toBe(true);
  expect([...removals.waiting().keys()]).toEqual(['b']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(removed).toEqual(['b']);
});

test('whoever leaves the page has it done at once, and once', async () => {
  const { removals, removed, begin } = open();
  begin('a');
  void removals.finish();
  expect(removed).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(removed).toEqual(['a']);
});

test('who waits for the end of it waits until it is done', async () => {
  const { removals } = open();
  let done = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  removals.begin(['a'], () => promise);
  const finished = removals.finish().then(() => (done = true));
  await vi.advanceTimersByTimeAsync(10);
  expect(done).toBe(false);
  resolve();
  await finished;
  expect(removals.waiting().size).toBe(0);
});

test('what cannot be removed is shown again, and told', async () => {
  const { removals, failures } = open();
  removals.begin(['a'], () => Promise.reject(new Error('away')));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures).toHaveLength(1);
  expect(removals.waiting().size).toBe(0);
});

test('lists are told what each is counted among while it waits', async () => {
  const { removals } = open();
  const undo = removals.begin(
    ['a', 'b'],
    () => Promise.resolve(),
    (id) => (id === 'a' ? 'ready' : null),
  );
  expect([...removals.waiting()]).toEqual([
    ['a', 'ready'],
    ['b', null],
  ]);
  undo();
  expect(removals.waiting().size).toBe(0);
});
