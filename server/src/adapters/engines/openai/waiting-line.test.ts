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
    expect(line.refusalSeconds).toBe(1);
  });

  test('remembers how long calls take, the latest above others', () => {
    const { line, come } = setting({ places: 1, serviceMs: 100, maxWaitMs: 5_000 });
    for (let i = 0; i < 200; i++) line.served(2_000);
    expect(burst(come, 10).waiting).toBe(2);
  });
});

describe('calls of a lower priority', () => {
  test('are served when none of a higher one waits, in their order', () => {
    const { line } = setting();
    for (const [item, priority] of [
      [1, 'ingest'],
      [2, 'batch'],
      [3, 'interactive'],
      [4, 'batch'],
      [5, 'interactive'],
    ] as const)
      expect(line.enter(item, priority)).toBeNull();
    expect(line.size).toBe(5);
    line.leave(4);
    expect([line.next(), line.next(), line.next(true), line.next(), line.next(), line.next()]).toEqual([
      3,
      5,
      undefined,
      2,
      1,
      undefined,
    ]);
  });

  test('make no other wait: a full line of them has as much room for the others as before', () => {
    const { line, come } = setting({ places: 2, serviceMs: 1_000, maxWaitMs: 10_000 });
    let last = 1_000;
    while (line.enter(++last, 'ingest') === null);
    expect(line.size).toBe(20);
    expect(line.refusalSeconds).toBeNull();
    expect(burst(come, 30).waiting).toBe(20);
    // They are told the time until all before them are served.
    expect(line.enter(++last, 'ingest')).toBeGreaterThan(10);
    expect(line.enter(++last, 'batch')).toBe(1);
  });

  test('are given up after the same time', () => {
    const { clock, line } = setting({ maxWaitMs: 10_000 });
    line.enter(1, 'batch');
    clock.now = 1_000;
    line.enter(2, 'interactive');
    expect(line.overdueInMs).toBe(9_000);
    clock.now = 10_500;
    expect(line.takeOverdue()).toEqual([1]);
  });

  test('are no overload, however long they wait', () => {
    const { clock, line, come } = setting({ places: 2, serviceMs: 1_000, maxWaitMs: 10_000 });
    for (let id = 1_000; clock.now < 60_000; clock.now += 100) line.enter(++id, 'batch');
    expect(burst(come, 20).waiting).toBe(20);
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

  test('is still one where a few calls find places after a stall', () => {
    const { line, come } = overload({ seconds: 60 });
    while (line.next() !== undefined);
    for (let i = 0; i < 16; i++) line.foundPlace();
    expect(burst(come, 10).waiting).toBe(2);
  });

  test('is an ordinary one again once calls find places', () => {
    const { line, come } = overload({ seconds: 60 });
    while (line.next() !== undefined);
    expect(burst(come, 10).waiting).toBe(2);
    while (line.next() !== undefined);
    for (let i = 0; i < 50; i++) line.foundPlace();
    expect(burst(come, 10).waiting).toBe(10);
  });

  test('is an ordinary one again after a time in which nobody came', () => {
    const { clock, line, come } = overload({ seconds: 60 });
    while (line.next() !== undefined);
    clock.now += 10_001;
    expect(burst(come, 10).waiting).toBe(10);
  });
});

/** A server of 16 places and the calls that come to it by chance, in simulated time: what is answered in its later half. */
function simulate(load: number, serviceMs: (random: number) => number, meanMs: number) {
  const places = 16;
  const endMs = 400 * meanMs;
  const clock = { now: 0 };
  const line = new WaitingLine<number>({ places, maxWaiting: 10_000, maxWaitMs: 20 * meanMs, now: () => clock.now });
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const came = new Map<number, number>();
  const running: { readonly id: number; readonly endMs: number; readonly ms: number }[] = [];
  const times: number[] = [];
  let refused = 0;
  const serve = (id: number) => {
    const ms = serviceMs(random());
    running.push({ id, endMs: clock.now + ms, ms });
    running.sort((a, b) => a.endMs - b.endMs);
  };
  let nextMs = 0;
  for (let id = 0; clock.now < endMs;) {
    const [first] = running;
    if (first && first.endMs <= nextMs) {
      running.shift();
      clock.now = first.endMs;
      line.served(first.ms);
      if (clock.now > endMs / 2) times.push(clock.now - (came.get(first.id) ?? NaN));
      const next = line.next();
      if (next !== undefined) serve(next);
      continue;
    }
    clock.now = nextMs;
    nextMs -= (Math.log(1 - random()) * meanMs) / (places * load);
    came.set(++id, clock.now);
    if (running.length < places) {
      line.foundPlace();
      serve(id);
    } else if (line.enter(id) !== null) refused++;
    for (const overdue of line.takeOverdue()) came.delete(overdue);
  }
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? NaN;
  return { p99, answered: (times.length * meanMs) / (places * (endMs / 2)), refused, came: came.size };
}

describe.each<[string, (random: number) => number]>([
  ['all take as long', () => 1_000],
  ['some take much longer than others', (random) => -Math.log(1 - random) * 1_000],
  ['a tenth takes ten times as long as the others', (random) => (random < 0.1 ? 5_263 : 526)],
])('where %s, in simulated time', (_what, serviceMs) => {
  test('four times what can be answered leaves all of that answered, within three times the usual time', () => {
    const usual = simulate(0.25, serviceMs, 1_000);
    const overload = simulate(4, serviceMs, 1_000);
    expect(usual.refused).toBe(0);
    expect(overload.answered).toBeGreaterThan(0.97);
    expect(overload.p99).toBeLessThan(3 * usual.p99);
  });

  test('hardly anybody is refused at nine tenths of what can be answered', () => {
    const { refused, came } = simulate(0.9, serviceMs, 1_000);
    expect(refused / came).toBeLessThan(0.01);
  });
});
