import { describe, expect, test } from 'vitest';
import { type Engine, EngineError } from '../../ports/engine.ts';
import { createTargets, type Target } from './targets.ts';

const engine = (id: string): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});
const bindings = [{ engine: 'e', weight: 1, priority: 0 }];
const down = new EngineError('unavailable', 'down', { status: 500 });
const busy = (retryAfterSeconds: number, status: number | null = 503) =>
  new EngineError('unavailable', 'busy', { status, retryAfterSeconds });

/** One engine of so many addresses, a clock that the test moves, and no jitter. */
function setting(addresses = 1) {
  const clock = { now: 1_000_000 };
  const list = Array.from({ length: addresses }, (_, at) => ({ engine: engine(`e/${at}`), weight: 1 }));
  const targets = createTargets({ engines: new Map([['e', list]]), now: () => clock.now, random: () => 0.5 });
  const candidates = targets.of(bindings, 'm');
  const [first] = targets.all();
  if (!first) throw new Error('There is no target');
  return { clock, targets, candidates, first, second: targets.all()[1] };
}
const restOf = (target: Target, now: number) => Math.max(0, target.coolingUntilMs - now);

describe('an address that fails', () => {
  test('is forgiven once, then rests from half a second to half a minute, twice as long each time', () => {
    const { clock, targets, first } = setting();
    const rests = Array.from({ length: 10 }, () => {
      targets.failed(first, down);
      return restOf(first, clock.now);
    });
    expect(rests).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(first).toMatchObject({ failed: 10, lastError: 'down' });
  });

  test('rests a quarter less or more, by chance', () => {
    for (const [random, rest] of [
      [0, 375],
      [1, 625],
    ] as const) {
      const list = [{ engine: engine('e/0'), weight: 1 }];
      const targets = createTargets({ engines: new Map([['e', list]]), now: () => 0, random: () => random });
      const [target] = targets.all();
      if (!target) throw new Error('There is no target');
      targets.failed(target, down);
      targets.failed(target, down);
      expect(restOf(target, 0)).toBe(rest);
    }
  });

  test('begins anew after a success, and is asked at once after a check that went well', () => {
    const { clock, targets, first } = setting();
    for (let i = 0; i < 4; i++) targets.failed(first, down);
    targets.recovered(first);
    expect(restOf(first, clock.now)).toBe(0);
    targets.failed(first, down);
    expect(restOf(first, clock.now)).toBe(4_000);
    targets.succeeded(first);
    expect(restOf(first, clock.now)).toBe(0);
    targets.failed(first, down);
    expect(restOf(first, clock.now)).toBe(0);
  });

  test('does not rest where it lacks one model, or where our own queue is full', () => {
    const { clock, targets, first } = setting();
    for (const error of [new EngineError('unavailable', 'no such model', { status: 404 }), busy(9, null)])
      for (let i = 0; i < 3; i++) targets.failed(first, error);
    expect(first).toMatchObject({ failed: 6, failures: 0, askedUntilMs: 0 });
    expect(restOf(first, clock.now)).toBe(0);
  });
});

describe('an address that asks for patience', () => {
  test('is not asked before, nor is anybody made to wait for more than half a minute', () => {
    for (const [asked, seconds] of [
      [1, 1],
      [30, 30],
      [31, 30],
      [86_400, 30],
    ] as const) {
      const { clock, targets, candidates, first } = setting();
      targets.failed(first, busy(asked));
      expect(targets.pick(candidates, [])).toBeUndefined();
      expect(targets.retryAfterSeconds(candidates)).toBe(seconds);
      clock.now += seconds * 1000 - 1;
      expect(targets.pick(candidates, [])).toBeUndefined();
      expect(targets.retryAfterSeconds(candidates)).toBe(1);
      clock.now += 1;
      expect(targets.pick(candidates, [])?.target).toBe(first);
    }
  });

  test('has callers come back when the first of all is ready', () => {
    const { targets, candidates, first, second } = setting(2);
    if (!second) throw new Error('There is one target');
    targets.failed(first, busy(20));
    targets.failed(second, busy(5));
    expect(targets.pick(candidates, [])).toBeUndefined();
    expect(targets.retryAfterSeconds(candidates)).toBe(5);
  });

  test('is well again with its next success', () => {
    const { targets, candidates, first } = setting();
    targets.failed(first, busy(20));
    targets.succeeded(first);
    expect(targets.pick(candidates, [])?.target).toBe(first);
  });
});

describe('after a rest', () => {
  test('one call tries the address, others go elsewhere until it has an answer', () => {
    const { clock, targets, candidates, first, second } = setting(2);
    if (!second) throw new Error('There is one target');
    for (let i = 0; i < 2; i++) targets.failed(first, down);
    clock.now += 500;
    // The second has calls enough that the first is the less busy one.
    for (let i = 0; i < 3; i++) targets.started(second);
    expect(targets.pick(candidates, [])?.target).toBe(first);
    targets.started(first);
    expect(targets.pick(candidates, [])?.target).toBe(second);
    targets.answers(first);
    expect(targets.pick(candidates, [])?.target).toBe(first);
  });

  test('the one that is ready soonest is tried where all rest', () => {
    const { targets, candidates, first, second } = setting(2);
    if (!second) throw new Error('There is one target');
    for (let i = 0; i < 5; i++) targets.failed(first, down);
    for (let i = 0; i < 2; i++) targets.failed(second, down);
    expect(targets.pick(candidates, [])?.target).toBe(second);
    expect(targets.pick(candidates, [second])?.target).toBe(first);
    expect(targets.pick(candidates, [first, second])).toBeUndefined();
  });
});

describe('among well addresses', () => {
  test('those of the lowest priority number come first, by how busy they are for their weight', () => {
    const list = (name: string, weight: number) => [{ engine: engine(name), weight }];
    const targets = createTargets({
      engines: new Map([
        ['late', list('late', 9)],
        ['big', list('big', 2)],
        ['small', list('small', 1)],
      ]),
      now: () => 0,
      random: () => 0.9,
    });
    const candidates = targets.of(
      [
        { engine: 'late', weight: 1, priority: 2, model: 'own' },
        { engine: 'big', weight: 1, priority: 1 },
        { engine: 'small', weight: 1, priority: 1 },
      ],
      'm',
    );
    const taken = Array.from({ length: 6 }, () => {
      const picked = targets.pick(candidates, []);
      if (!picked) throw new Error('There is none');
      targets.started(picked.target);
      return picked.target.engine.id;
    });
    expect(taken.filter((id) => id === 'big')).toHaveLength(4);
    expect(taken.filter((id) => id === 'small')).toHaveLength(2);
    expect(candidates.map(({ model }) => model)).toEqual(['m', 'm', 'own']);
  });

  test('the least busy one is taken whatever chance says, and chance decides between two that are equally busy', () => {
    for (const [random, alike] of [
      [0.1, 'e/1'],
      [0.9, 'e/0'],
    ] as const) {
      const list = ['e/0', 'e/1'].map((id) => ({ engine: engine(id), weight: 1 }));
      const targets = createTargets({ engines: new Map([['e', list]]), now: () => 0, random: () => random });
      const candidates = targets.of(bindings, 'm');
      const picked = () => targets.pick(candidates, [])?.target.engine.id;
      expect(picked()).toBe(alike);
      const [first, second] = targets.all();
      if (!first || !second) throw new Error('There are not two');
      targets.started(second);
      expect(picked()).toBe('e/0');
      targets.started(first);
      targets.started(first);
      expect(picked()).toBe('e/1');
    }
  });
});
