import cluster, { type Worker } from 'node:cluster';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits, request, tokens } from '../../../test/support/rate-limits.ts';
import type { RateLimiter, RateState } from '../../ports/rate-limiter.ts';
import { createClusterRateLimiter, serveRateLimiter } from './cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';

describe('the limiter in memory', () => {
  afterEach(() => void vi.useRealTimers());

  /** A limiter whose clock is the fake one. */
  function opened() {
    vi.useFakeTimers();
    const limiter = createMemoryRateLimiter(Date.now);
    onTestFinished(() => limiter.close());
    const allowed = async (own = limits(1), count = 0) => (await limiter.reserve('a', own, request(count))).allowed;
    return { limiter, allowed };
  }

  test('begins a window with its first request and the next one a minute later to the millisecond', async () => {
    const { allowed } = opened();
    expect(await allowed()).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect(await allowed()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await allowed()).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect(await allowed()).toBe(false);
  });

  test('forgets nothing of a window that is open while it forgets the others', async () => {
    const { limiter, allowed } = opened();
    await limiter.reserve('old', limits(1), request(0));
    vi.advanceTimersByTime(5 * 60_000 - 10_000);
    expect(await allowed()).toBe(true);
    // All subjects are looked through now.
    vi.advanceTimersByTime(20_000);
    expect(await allowed()).toBe(false);
    expect((await limiter.reserve('old', limits(1), request(0))).allowed).toBe(true);
  });

  test('lets tokens pass up to the limit and not one more', async () => {
    const { allowed } = opened();
    expect(await allowed(limits(null, 10), 4)).toBe(true);
    expect(await allowed(limits(null, 10), 7)).toBe(false);
    expect(await allowed(limits(null, 10), 6)).toBe(true);
    expect(await allowed(limits(null, 10), 0)).toBe(false);
  });

  test('never counts less than nothing', async () => {
    const { limiter } = opened();
    const { window } = await limiter.reserve('a', limits(null, 10), request(5));
    limiter.settle('a', limits(null, 10), tokens(-50), window);
    expect(await limiter.reserve('a', limits(null, 10), request(10))).toMatchObject({ allowed: true, remaining: 0 });
    limiter.settle('nobody', limits(null, 10), tokens(5), window);
  });
});

describe('the limiter of a worker', () => {
  const state: RateState = { allowed: true, limit: 3, remaining: 2, resetSeconds: 60, window: 7 };

  /** A worker's limiter, whose messages to the primary process are kept. */
  function worker(connected = true) {
    const sent: unknown[] = [];
    const before = Object.getOwnPropertyDescriptor(process, 'send');
    const send = connected ? (message: unknown) => sent.push(message) > 0 : undefined;
    Object.defineProperty(process, 'send', { value: send, configurable: true });
    const limiter = createClusterRateLimiter();
    onTestFinished(async () => {
      await limiter.close();
      if (before) Object.defineProperty(process, 'send', before);
      else Reflect.deleteProperty(process, 'send');
    });
    const told = (message: unknown) => void process.emit('message', message, undefined);
    return { limiter, sent, told };
  }

  test('asks the primary process, and takes the answer to its own question', async () => {
    const { limiter, sent, told } = worker();
    const first = limiter.reserve('a', limits(3), request(5));
    const second = limiter.reserve('b', limits(3), request(6));
    expect(sent).toEqual([
      { rate: 'reserve', id: 0, subject: 'a', limits: limits(3), amounts: request(5) },
      { rate: 'reserve', id: 1, subject: 'b', limits: limits(3), amounts: request(6) },
    ]);
    told({ other: true });
    told(null);
    told({ rate: 'reserve', id: 0 });
    told({ rate: 'state', id: 9, state });
    told({ rate: 'state', id: 1, state: { ...state, remaining: 1 } });
    told({ rate: 'state', id: 0, state });
    expect([await first, await second]).toEqual([state, { ...state, remaining: 1 }]);
    limiter.settle('a', limits(3), tokens(-2), 7);
    expect(sent.at(-1)).toEqual({ rate: 'settle', subject: 'a', limits: limits(3), changes: tokens(-2), window: 7 });
  });

  test('fails what waits when the primary process is gone, or it is closed', async () => {
    const { limiter } = worker();
    const waiting = limiter.reserve('a', limits(3), request(5));
    process.emit('disconnect');
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    const other = worker().limiter;
    const late = other.reserve('a', limits(3), request(5));
    await Promise.all([expect(late).rejects.toMatchObject({ code: 'unavailable' }), other.close()]);
    const alone = worker(false).limiter;
    await expect(alone.reserve('a', limits(3), request(5))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is answered by the primary process, for as long as it serves and the worker is there', async () => {
    const settled: unknown[] = [];
    const limiter: RateLimiter = {
      reserve: (subject) => ({ ...state, limit: subject.length }),
      settle: (...call) => void settled.push(call),
      close: () => Promise.resolve(),
    };
    const end = serveRateLimiter(limiter);
    const answers: unknown[] = [];
    const fake = (connected: boolean) =>
      ({ isConnected: () => connected, send: (answer: unknown) => answers.push(answer) > 0 }) as unknown as Worker;
    const ask = { rate: 'reserve', id: 4, subject: 'abc', limits: limits(3), amounts: request(1) };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    cluster.emit('message', fake(true), ask);
    cluster.emit('message', fake(false), { ...ask, id: 5 });
    cluster.emit('message', fake(true), {
      rate: 'settle',
      subject: 'abc',
      limits: limits(3),
      changes: tokens(-1),
      window: 7,
    });
    for (const message of [null, {}, { rate: 'state' }]) cluster.emit('message', fake(true), message);
    await turn();
    end();
    cluster.emit('message', fake(true), { ...ask, id: 6 });
    await turn();
    expect(answers).toEqual([{ rate: 'state', id: 4, state: { ...state, limit: 3 } }]);
    expect(settled).toEqual([['abc', limits(3), tokens(-1), 7]]);
  });
});
