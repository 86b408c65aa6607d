import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import { createHealthCheck } from './health.ts';
import type { Candidate } from './target.ts';
import { createTargets } from './targets.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const down = new EngineError('unavailable', 'down');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An address that rests for 16 seconds, and how its engine answers when it is asked whether it is well. */
function setting(health: (asked: number, signal: AbortSignal) => Promise<{ ok: boolean; reason: null }>) {
  let asked = 0;
  const engine: Engine = {
    id: 'e/0',
    kind: 'openai',
    traits: { choices: true, reportsStop: true },
    health: (signal) => health(++asked, signal),
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const targets = createTargets({
    engines: new Map([['e', [{ engine, weight: 1 }]]]),
    now: Date.now,
    random: () => 0.5,
  });
  const [candidate] = targets.of([{ engine: 'e', weight: 1, priority: 0 }], 'm') as [Candidate];
  const { target } = candidate;
  const check = createHealthCheck({ targets, log: silent, now: Date.now });
  onTestFinished(() => check.close());
  for (let i = 0; i < 7; i++) targets.failed(candidate, down);
  const isResting = () => target.coolingUntilMs > Date.now();
  return { check, target, candidate, targets, asked: () => asked, isResting };
}
const ill = () => Promise.resolve({ ok: false, reason: null });

test('an address that rests is asked every two seconds, until it is well', async () => {
  const { check, target, asked, isResting } = setting((nth) =>
    nth === 1 ? Promise.reject(new Error('no')) : Promise.resolve({ ok: nth === 3, reason: null }),
  );
  check.check(target);
  check.check(target);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([asked(), isResting()]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([asked(), isResting()]).toEqual([2, true]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([asked(), isResting()]).toEqual([3, false]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked()).toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('it is asked no more once its rest is over by itself, and again with its next one', async () => {
  const { check, target, candidate, targets, asked, isResting } = setting(ill);
  check.check(target);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(isResting()).toBe(false);
  const before = asked();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(before);
  expect(vi.getTimerCount()).toBe(0);
  targets.failed(candidate, down);
  check.check(target);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked()).toBe(before + 1);
});

test('one that does not rest is not asked', async () => {
  const { check, target, candidate, targets, asked } = setting(ill);
  targets.succeeded(candidate);
  check.check(target);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('nobody is asked once the service closes, and an answer on its way changes nothing', async () => {
  const late = Promise.withResolvers<{ ok: boolean; reason: null }>();
  const { check, target, asked, isResting } = setting(() => late.promise);
  check.check(target);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked()).toBe(1);
  check.close();
  late.resolve({ ok: true, reason: null });
  await vi.advanceTimersByTimeAsync(0);
  expect(isResting()).toBe(true);
  check.check(target);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('who asks is told when the service closes', async () => {
  const signals: AbortSignal[] = [];
  const { check, target } = setting((_nth, signal) => {
    signals.push(signal);
    return ill();
  });
  check.check(target);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  check.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
