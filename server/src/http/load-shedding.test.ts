import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LoadShedder } from './load-shedding.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A shedder of a process whose clock and work the test says. */
function setting() {
  let cpu = 0;
  const told: number[] = [];
  const shedder = new LoadShedder({
    maxLagMs: 500,
    onRefused: (count) => told.push(count),
    now: Date.now,
    cpuMs: () => cpu,
  });
  onTestFinished(() => shedder.close());
  /** Time passes in which this thread works for such a share, and comes to its timers only at the end. */
  const work = (ms: number, share = 1) => {
    cpu += ms * share;
    vi.setSystemTime(Date.now() + ms - 50);
    vi.advanceTimersByTime(50);
  };
  /** As many requests of each caller at once; how many of them were let in. */
  const send = (counts: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(counts).map(([caller, count]) => {
        const taken = Array.from({ length: count }, () => shedder.refuses(caller)).filter((refused) => !refused);
        return [caller, taken.length];
      }),
    );
  /** So many rounds of requests that are more than the process can answer. */
  const overload = (rounds: number, counts: Readonly<Record<string, number>> = { a: 100 }) => {
    let taken: Readonly<Record<string, number>> = {};
    for (let i = 0; i < rounds; i++) {
      taken = send(counts);
      work(700);
    }
    return taken;
  };
  /** Time passes in the middle of a turn. */
  const stay = (ms: number, share = 1) => {
    cpu += ms * share;
    vi.setSystemTime(Date.now() + ms);
  };
  return { shedder, work, stay, send, overload, told };
}

describe('a process that has more requests than it can answer', () => {
  test('refuses none while it is in time, late once, or given no time by its machine', () => {
    const { send, work } = setting();
    for (let i = 0; i < 20; i++) {
      expect(send({ a: 100 })).toEqual({ a: 100 });
      work(i === 10 ? 5_000 : 400);
    }
    for (let i = 0; i < 20; i++) {
      expect(send({ a: 100 })).toEqual({ a: 100 });
      work(3_000, 0.3);
    }
  });

  test('refuses more and more of them while it is late, never all', () => {
    const { overload } = setting();
    const first = overload(6)['a'] ?? 0;
    const later = overload(4)['a'] ?? 0;
    const last = overload(60)['a'] ?? 0;
    expect(first).toBeLessThan(100);
    expect(later).toBeLessThan(first);
    expect(last).toBeLessThan(later);
    expect(last).toBeGreaterThan(0);
  });

  test('lets nobody in any more within a turn that takes far too long by its own work', () => {
    const { send, stay, work } = setting();
    expect(send({ a: 5 })).toEqual({ a: 5 });
    stay(1_500);
    expect(send({ a: 5 })).toEqual({ a: 5 });
    stay(100);
    expect(send({ a: 5, b: 1 })).toEqual({ a: 0, b: 0 });
    // The next turn is another one.
    work(50);
    expect(send({ a: 5, b: 1 })).toEqual({ a: 5, b: 1 });
    stay(3_000, 0.1);
    expect(send({ a: 5 })).toEqual({ a: 5 });
  });

  test('takes all of them again a few seconds after it was in time again', () => {
    const { overload, work, send } = setting();
    overload(20);
    for (let i = 0; i < 60; i++) {
      send({ a: 100 });
      work(50);
    }
    expect(send({ a: 100 })).toEqual({ a: 100 });
  });

  test('refuses those who send most, and leaves alone who sends little', () => {
    const { overload } = setting();
    const taken = overload(7, { hungry: 1_000, eager: 1_000, modest: 5 });
    expect(taken['modest']).toBe(5);
    expect(taken['hungry']).toBeLessThan(1_000);
    expect(taken['eager']).toBe(taken['hungry']);
  });

  test('tells about once a second how many it refused, and of no request twice', () => {
    const { overload, told, work, shedder } = setting();
    let refused = 0;
    const refuses = vi.spyOn(shedder, 'refuses');
    overload(20);
    work(2_000);
    for (const { value } of refuses.mock.results) if (value === true) refused++;
    expect(told.length).toBeGreaterThan(3);
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(refused);
  });

  test('stops looking where nobody sends, and begins anew', () => {
    const { send, work } = setting();
    send({ a: 1 });
    for (let i = 0; i < 60; i++) work(50);
    expect(vi.getTimerCount()).toBe(0);
    send({ a: 1 });
    expect(vi.getTimerCount()).toBe(1);
  });
});
