import { describe, expect, test } from 'vitest';
import { WaitingLine } from './waiting-line.ts';

/** A line before so many places, whose calls take so long, and a clock that the test moves. */
function setting({ places = 2, maxWaiting = 1_000, maxWaitMs = 10_000, serviceMs = 1_000 } = {}) {
  const clock = { now: 0 };
  const line = new WaitingLine<number>({ places, maxWaiting, maxWaitMs, now: () => clock.now });
  if (serviceMs > 0) line.served(serviceMs);
  let last = 0;
  const come = () => line.enter(++last);
  return { clock, line, come };
}

/** A burst of calls at once: how many wait, and what those that do not are told. */
function burst(come: () => number | null, count: number) {
  const told = Array.from({ length: count }, come);
  return { waiting: told.filter((seconds) => seconds === null).length, refused: told.filter((s) => s !== null) };
}

describe('a line', () => {
  test('is served in its order, and whoever left is not', () => {
    const { line, come } = setting();
    burst(come, 3);
    line.leave(2);
    expect([line.next(), line.next(), line.next()]).toEqual([1, 3, undefined]);
    expect(line.size).toBe(0);
  });

  test('takes a burst that is served within the time that a call may wait, and tells the others when to come', () => {
    const { come } = setting({ places: 2, serviceMs: 1_000, maxWaitMs: 10_000 });
    const { waiting, refused } = burst(come, 30);
    expect(waiting).toBe(20);
    expect(new Set(refused)).toEqual(new Set([1]));
  });

  test('tells after how many seconds the wait is short enough', () => {
    const { come } = setting({ places: 1, serviceMs: 9_500, maxWaitMs: 10_000 });
    expect([come(), come(), come()]).toEqual([null, 9, 9]);
  });

  test('takes no more than it has room for, however soon they would be served', () => {
    const { come } = setting({ maxWaiting: 3, serviceMs: 1 });
    expect(burst(come, 5)).toEqual({ waiting: 3, refused: [1, 1] });
  });

  test('takes calls while nobody knows how long one takes', () => {
    const { line, come } = setting({ serviceMs: 0 });
    expect(burst(come, 100).waiting).toBe(100);
    expect(line.refusalSeconds).toBeNull();
  });

  test('says beforehand what a call would be told', () => {
    const { line, come } = setting({ places: 1, serviceMs: 4_000 });
    expect(line.refusalSeconds).toBeNull();
    burst(come, 2);
    expect(line.refusalSeconds).toBe(2);
    expect(come()).toBe(2);
  });

  test('gives up who has waited for too long, the first one first', () => {
    const { clock, line, come } = setting({ maxWaitMs: 10_000 });
    expect(line.overdueInMs).toBeNull();
    come();
    clock.now = 4_000;
    come();
    expect(line.overdueInMs).toBe(6_000);
    clock.now = 10_000;
    expect(line.takeOverdue()).toEqual([1]);
    expect(line.overdueInMs).toBe(4_000);
    expect(line.size).toBe(1);
  });

  test('believes its first one where places are held for longer than the calls before', () => {
    const { clock, line, come } = setting({ places: 1, serviceMs: 10, maxWaitMs: 10_000 });
    come();
    clock.now = 9_000;
    expect(line.refusalSeconds).toBeNull();
    clock.now = 10_001;
    expect(line.refusalSeconds).toBe(10);
  });

  test('remembers how long calls take, the latest above others', () => {
    const { line, come } = setting({ places: 1, serviceMs: 100, maxWaitMs: 5_000 });
    for (let i = 0; i < 200; i++) line.served(2_000);
    expect(burst(come, 10).waiting).toBe(2);
  });
});

describe('a line that stands for longer than a burst may wait', () => {
  /** More calls come than are served, for a while: one call each `everyMs`, one served each half of a second. */
  function overload({ seconds = 25, everyMs = 125 } = {}) {
    const { clock, line, come } = setting({ places: 2, serviceMs: 1_000, maxWaitMs: 10_000 });
    const waits: number[] = [];
    const since = new Map<number, number>();
    let came = 0;
    const end = seconds * 1_000;
    for (; clock.now < end; clock.now += everyMs) {
      if (come() === null) since.set(came + 1, clock.now);
      came++;
      if (clock.now % 500 === 0) {
        const next = line.next();
        if (next !== undefined) waits.push(clock.now - (since.get(next) ?? NaN));
        line.served(1_000);
      }
    }
    return { clock, line, come, waits };
  }

  test('lets calls wait no longer than another takes, and still never runs empty', () => {
    const { waits } = overload({ seconds: 60 });
    expect(Math.max(...waits)).toBeGreaterThan(8_000);
    // Every half second one was served, and none of the later ones waited for long.
    expect(waits).toHaveLength(120);
    expect(Math.max(...waits.slice(-60))).toBeLessThanOrEqual(1_500);
  });

  test('is an ordinary one again once calls find places', () => {
    const { line, come } = overload({ seconds: 60 });
    while (line.next() !== undefined);
    expect(burst(come, 10).waiting).toBe(2);
    while (line.next() !== undefined);
    for (let i = 0; i < 8; i++) line.foundPlace();
    expect(burst(come, 10).waiting).toBe(10);
  });

  test('is an ordinary one again after a time in which nobody came', () => {
    const { clock, line, come } = overload({ seconds: 60 });
    while (line.next() !== undefined);
    clock.now += 10_001;
    expect(burst(come, 10).waiting).toBe(10);
  });
});
