import { expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import { createPace, isOwnLimit, isPassing, pauseAfter } from './pace.ts';

const rate = { allowed: true, limit: 100, remaining: 60, resetSeconds: 30, window: 1 };

test('a line begins while more than half of the limits is left and no call waits for a model', async () => {
  let now = 0;
  let busy = true;
  const pace = createPace({ isBusy: () => busy, now: () => now });
  const signal = new AbortController().signal;
  let begun = false;
  const waiting = pace.untilFree(signal).then(() => (begun = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(false);
  busy = false;
  await waiting;
  pace.noteRate(rate);
  await pace.untilFree(signal);
  const isPaused = async () => {
    const soon = AbortSignal.timeout(1);
    return pace.untilFree(soon).then(
      () => false,
      () => true,
    );
  };
  pace.noteRate({ ...rate, remaining: 49 });
  expect(await isPaused()).toBe(true);
  now = 30_000;
  expect(await isPaused()).toBe(false);
  pace.noteRate({ ...rate, allowed: false, remaining: 99 });
  expect(await isPaused()).toBe(true);
  now = 60_000;
  pace.noteRate({ ...rate, limit: null, remaining: 0 });
  expect(await isPaused()).toBe(false);
});

test('waiting ends with the reason of its signal', async () => {
  const pace = createPace({ isBusy: () => true, now: () => 0 });
  const end = new AbortController();
  const waiting = pace.untilFree(end.signal);
  end.abort(new Error('it is to end'));
  await expect(waiting).rejects.toThrow('it is to end');
});

test('which failures are worth another try, and when', () => {
  const own = new StudioError('rate_limited', 'The rate limit of this API key is reached', { retryAfterSeconds: 20 });
  const engine = new EngineError('unavailable', 'busy', { status: 429, retryAfterSeconds: 3 });
  expect([own, engine].map(isOwnLimit)).toEqual([true, false]);
  expect([own, engine, new StudioError('unavailable', 'away')].map(isPassing)).toEqual([true, true, true]);
  expect([new StudioError('invalid_request', 'x'), new EngineError('refused', 'x')].map(isPassing)).toEqual([
    false,
    false,
  ]);
  expect([1, 2, 3, 20].map((tries) => pauseAfter(new StudioError('unavailable', 'x'), tries))).toEqual([
    500, 1000, 2000, 60_000,
  ]);
  expect(pauseAfter(engine, 1)).toBe(3000);
});
