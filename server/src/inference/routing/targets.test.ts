import { describe, expect, test } from 'vitest';
import { type Engine, EngineError } from '../../ports/engine.ts';
import type { Candidate } from './target.ts';
import { createTargets, isResting } from './targets.ts';

const engine = (id: string): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});
const bindings = [{ engine: 'e', weight: 1, priority: 0 }];
const down = new EngineError('unavailable', 'down');
const limit = (retryAfterSeconds: number | null) =>
  new EngineError('unavailable', 'limited', { status: 429, retryAfterSeconds });
const wait = (retryAfterSeconds: number, status: number | null = 503) =>
  new EngineError('unavailable', 'wait', { status, retryAfterSeconds });

/** One engine of so many addresses, a clock that the test moves, and no jitter. */
function setting(addresses = 1) {
  const clock = { now: 1_000_000 };
  const list = Array.from({ length: addresses }, (_, at) => ({ engine: engine(`e/${at}`), weight: 1 }));
  const targets = createTargets({ engines: new Map([['e', list]]), now: () => clock.now, random: () => 0.5 });
  const candidates = targets.of(bindings, 'm');
  const [first, second] = candidates;
  if (!first) throw new Error('There is no target');
  return { clock, targets, candidates, first, second };
}
const restOf = ({ target }: Candidate, now: number) => Math.max(0, target.coolingUntilMs - now);

describe('an address that fails', () => {
  test('is forgiven once, then rests from half a second to half a minute, twice as long each time', () => {
    const { clock, targets, first } = setting();
    const rests = Array.from({ length: 10 }, () => {
      targets.failed(first, down);
      return restOf(first, clock.now);
    });
    expect(rests).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(first.target).toMatchObject({ failed: 10, lastError: 'down' });
  });

  test('rests a quarter less or more, by chance', () => {
    for (const [random, rest] of [
      [0, 375],
      [1, 625],
    ] as const) {
      const list = [{ engine: engine('e/0'), weight: 1 }];
      const targets = createTargets({ engines: new Map([['e', list]]), now: () => 0, random: () => random });
      const [candidate] = targets.of(bindings, 'm');
      if (!candidate) throw new Error('There is no target');
      targets.failed(candidate, down);
      targets.failed(candidate, down);
      expect(restOf(candidate, 0)).toBe(rest);
    }
  });

  test('begins anew after a success, and is asked at once after a check that went well', () => {
    const { clock, targets, first } = setting();
    for (let i = 0; i < 4; i++) targets.failed(first, down);
    targets.recovered(first.target);
    expect(restOf(first, clock.now)).toBe(0);
    targets.failed(first, down);
    expect(restOf(first, clock.now)).toBe(4_000);
    targets.succeeded(first);
    expect(restOf(first, clock.now)).toBe(0);
    targets.failed(first, down);
    expect(restOf(first, clock.now)).toBe(0);
  });

  test('does not rest where it lacks one model, or where a local process cannot take one now', () => {
    const { clock, targets, first } = setting();
    for (const error of [new EngineError('unavailable', 'no such model', { status: 404 }), wait(9, null)])
      for (let i = 0; i < 3; i++) targets.failed(first, error);
    expect(first.target).toMatchObject({ failed: 6, failures: 0 });
    expect(first.backoff.untilMs).toBeLessThanOrEqual(clock.now);
    expect(restOf(first, clock.now)).toBe(0);
  });
});

describe('an engine that is busy', () => {
  const full = (status: number | null, retryAfterSeconds: number | null) =>
    new EngineError('unavailable', 'full', { busy: true, status, retryAfterSeconds });

  test.each([null, 503])('has not failed, however often it says so (status %s)', (status) => {
    const { clock, targets, first } = setting();
    for (let i = 0; i < 9; i++) targets.failed(first, full(status, 3));
    expect(first.target).toMatchObject({ failed: 0, failures: 0, lastError: null });
    expect(first.backoff.failures).toBe(0);
    expect(restOf(first, clock.now)).toBe(0);
    expect(isResting(first.target, clock.now)).toBe(false);
    // What its server asked for counts as of a limit; our own queue asks for nothing.
    expect(first.backoff.untilMs).toBe(status === null ? 0 : clock.now + 3_000);
  });

  test('refuses a call beforehand only where all that it could try are', () => {
    const refusals: (EngineError | null)[] = [full(null, 9), null];
    const engines = refusals.map((_, at) => ({
      engine: {
        ...engine(`e/${at}`),
        get refusal() {
          return refusals[at] ?? null;
        },
      },
      weight: 1,
    }));
    const targets = createTargets({ engines: new Map([['e', engines]]), now: () => 0, random: () => 0.5 });
    expect(targets.refusal(bindings)).toBeNull();
    targets.of(bindings, 'm');
    expect(targets.refusal(bindings)).toBeNull();
    refusals[1] = full(null, 4);
    expect(targets.refusal(bindings)).toMatchObject({ busy: true, retryAfterSeconds: 4 });
  });
});

describe('a model that its server fails', () => {
  test.each([
    ['with a status', new EngineError('unavailable', 'CUDA error', { status: 500 })],
    ['with an answer that is none', new EngineError('protocol', 'a page')],
    ['by the time that a call has', new EngineError('timeout', 'slow', { limit: 'total' })],
  ])('%s rests, while others of the address go on; what ends well for one says nothing of it', (_how, error) => {
    const { clock, targets, candidates, first, second } = setting(2);
    if (!second) throw new Error('There is one target');
    const others = targets.of([{ engine: 'e', weight: 1, priority: 0 }], 'other');
    for (let i = 0; i < 2; i++) targets.failed(first, error);
    expect(restOf(first, clock.now)).toBe(0);
    expect(first.backoff.coolingUntilMs).toBe(clock.now + 500);
    targets.started(second);
    expect(targets.pick(candidates, [])).toBe(second);
    expect(targets.pick(others, [])?.target).toBe(first.target);
    expect(isResting(first.target, clock.now)).toBe(false);
    const [other] = others;
    if (!other) throw new Error('There is no target');
    targets.succeeded(other);
    expect(targets.pick(candidates, [])).toBe(second);
    // After its rest one call tries it.
    clock.now += 500;
    targets.started(second);
    expect(targets.pick(candidates, [])).toBe(first);
    targets.started(first);
    expect(targets.pick(candidates, [])).toBe(second);
    targets.succeeded(first);
    expect(first.backoff).toMatchObject({ failures: 0, coolingUntilMs: 0, probing: false });
  });

  test('has the address shown as resting where no other is wanted of it', () => {
    const { clock, targets, first } = setting();
    for (let i = 0; i < 2; i++) targets.failed(first, new EngineError('unavailable', 'no', { status: 500 }));
    expect(isResting(first.target, clock.now)).toBe(true);
  });
});

describe('a call that is over', () => {
  test('leaves room for others, and one after a rest lets them try', () => {
    const { clock, targets, candidates, first } = setting();
    for (let i = 0; i < 2; i++) targets.failed(first, down);
    clock.now += 500;
    targets.started(first);
    expect(first.target).toMatchObject({ inFlight: 1, calls: 1, probing: true });
    targets.released(first);
    expect(first.target).toMatchObject({ inFlight: 0, calls: 1, probing: false });
    expect(targets.pick(candidates, [])).toBe(first);
  });

  test('well has left nothing of what was before', () => {
    const { targets, first } = setting();
    for (const well of [targets.responded, targets.succeeded]) {
      for (let i = 0; i < 3; i++) targets.failed(first, wait(9));
      targets.started(first);
      well(first);
      expect(first.target).toMatchObject({ coolingUntilMs: 0, probing: false });
    }
    expect(first.target).toMatchObject({ failures: 0, failed: 6 });
    targets.failed(first, wait(9));
    targets.recovered(first.target);
    expect(first.target.coolingUntilMs).toBe(0);
  });

  test('badly says what was wrong, and is no first try any more', () => {
    const { targets, first } = setting();
    targets.failed(first, down);
    targets.started(first);
    // One failure may be chance: others need not wait for this call.
    expect(first.target.probing).toBe(false);
    targets.failed(first, down);
    targets.started(first);
    targets.failed(first, new EngineError('unavailable', 'no key', { status: 401 }));
    expect(first.target).toMatchObject({ probing: false, lastError: 'no key', lastTrouble: { code: 'engine_key' } });
  });
});

describe('engines that come and go', () => {
  /** Targets of an engine whose end is noted. */
  function opened() {
    const closed: string[] = [];
    const closing = (id: string): Engine => ({ ...engine(id), close: () => Promise.resolve(void closed.push(id)) });
    const at = (id: string) => [{ engine: closing(id), weight: 1 }];
    const targets = createTargets({ engines: new Map([['e', at('old')]]), now: () => 0, random: () => 0.5 });
    const ids = () => targets.of(bindings, 'm').map(({ target }) => target.engine.id);
    return { targets, closed, at, ids };
  }

  test('close at once where they are idle, and with their last call where they are not', () => {
    const { targets, closed, at, ids } = opened();
    expect(ids()).toEqual(['old']);
    const [old] = targets.of(bindings, 'm');
    if (!old) throw new Error('There is no target');
    expect(old.target.removed).toBe(false);
    targets.started(old);
    targets.started(old);
    targets.set('e', at('new'));
    expect(ids()).toEqual(['new']);
    targets.released(old);
    expect(closed).toEqual([]);
    targets.released(old);
    expect(closed).toEqual(['old']);
    targets.remove('e');
    expect(closed).toEqual(['old', 'new']);
    expect(targets.all()).toEqual([]);
  });

  test('stay open with their last call as long as they are there', () => {
    const { targets, closed } = opened();
    const [only] = targets.of(bindings, 'm');
    if (!only) throw new Error('There is no target');
    targets.started(only);
    targets.released(only);
    expect(closed).toEqual([]);
  });

  test('leave models without any, which says their names', () => {
    const { targets, at } = opened();
    targets.remove('e');
    targets.remove('never');
    const both = [...bindings, { engine: 'f', weight: 1, priority: 0 }];
    expect(() => targets.of(both, 'm')).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: 'The model m is bound to the engine e, f, which is not configured',
      }),
    );
    targets.set('f', at('f/0'));
    expect(targets.of(both, 'm')).toHaveLength(1);
    expect(targets.of(both, 'm')).toBe(targets.of(both, 'm'));
  });
});

describe('an address that asks for patience', () => {
  /** Two addresses, the first of which is asked first when it may be. */
  function pair() {
    const { second, ...rest } = setting(2);
    if (!second) throw new Error('There is one target');
    rest.targets.started(second);
    expect(rest.targets.pick(rest.candidates, [])).toBe(rest.first);
    return { ...rest, second };
  }

  test.each([
    ['a limit', limit(1), 1],
    ['a limit', limit(30), 30],
    ['a limit', limit(86_400), 30],
    ['a limit of no known end', limit(null), 1],
    ['overload', wait(7), 7],
  ])('for %s is asked after others for that time, at most half a minute', (_name, error, seconds) => {
    const { clock, targets, candidates, first, second } = pair();
    targets.failed(first, error);
    expect(targets.pick(candidates, [])).toBe(second);
    clock.now += seconds * 1000 - 1;
    expect(targets.pick(candidates, [])).toBe(second);
    clock.now += 1;
    expect(targets.pick(candidates, [])).toBe(first);
  });

  test('of one model has other models go on, by the names that its server has for them', () => {
    const { targets, candidates, first, second } = pair();
    targets.failed(first, limit(20));
    const other = targets.of([{ engine: 'e', weight: 1, priority: 0 }], 'other');
    expect(targets.pick(other, [])?.target).toBe(first.target);
    const alias = targets.of([{ engine: 'e', weight: 1, priority: 0, model: 'm' }], 'alias');
    expect(targets.pick(alias, [])?.target).toBe(second.target);
    expect(targets.pick(candidates, [])).toBe(second);
  });

  test('is asked all the same where a model has no other, or no other that does not rest', () => {
    const alone = setting();
    alone.targets.failed(alone.first, limit(20));
    expect(alone.targets.pick(alone.candidates, [])).toBe(alone.first);
    const { targets, candidates, first, second } = pair();
    targets.failed(first, limit(5));
    targets.failed(second, wait(20));
    expect(targets.pick(candidates, [])).toBe(first);
    targets.failed(first, limit(25));
    expect(targets.pick(candidates, [])).toBe(second);
    expect(targets.pick(candidates, [second.target])).toBe(first);
  });

  test('for a limit is not taken for one that fails, however often', () => {
    const { clock, targets, first } = setting();
    for (let i = 0; i < 5; i++) targets.failed(first, limit(20));
    expect(first.target).toMatchObject({ failed: 0, failures: 0, lastError: null, lastTrouble: null, probing: false });
    expect(restOf(first, clock.now)).toBe(0);
    for (let i = 0; i < 2; i++) targets.failed(first, wait(20));
    expect(first.target).toMatchObject({ failed: 2, failures: 0 });
    expect(first.backoff).toMatchObject({ failures: 2, coolingUntilMs: clock.now + 500 });
  });

  test('is left in peace also while calls that began before end well, and after a shorter wish', () => {
    const { clock, targets, candidates, first, second } = pair();
    targets.failed(first, limit(20));
    targets.failed(first, limit(1));
    targets.succeeded(first);
    clock.now += 19_999;
    expect(targets.pick(candidates, [])).toBe(second);
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
    expect(targets.pick(candidates, [])).toBe(first);
    targets.started(first);
    expect(targets.pick(candidates, [])).toBe(second);
    targets.responded(first);
    expect(targets.pick(candidates, [])).toBe(first);
  });

  test('the one that is ready soonest is tried where all rest', () => {
    const { targets, candidates, first, second } = setting(2);
    if (!second) throw new Error('There is one target');
    for (let i = 0; i < 5; i++) targets.failed(first, down);
    for (let i = 0; i < 2; i++) targets.failed(second, down);
    expect(targets.pick(candidates, [])).toBe(second);
    expect(targets.pick(candidates, [second.target])).toBe(first);
    expect(targets.pick(candidates, [first.target, second.target])).toBeUndefined();
    targets.failed(second, down);
    targets.failed(second, down);
    targets.failed(second, down);
    // Both are ready at one time: the first of the list is as good as any.
    expect(second.target.coolingUntilMs).toBe(first.target.coolingUntilMs);
    expect(targets.pick(candidates, [])).toBe(first);
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
      targets.started(picked);
      return picked.target.engine.id;
    });
    expect(taken.filter((id) => id === 'big')).toHaveLength(4);
    expect(taken.filter((id) => id === 'small')).toHaveLength(2);
    expect(candidates.map(({ model }) => model)).toEqual(['m', 'm', 'own']);
  });

  test('one of more weight is the less busy one with a call more', () => {
    const list = (name: string, weight: number) => [{ engine: engine(name), weight }];
    const engines = new Map([
      ['big', list('big', 2)],
      ['small', list('small', 1)],
    ]);
    const targets = createTargets({ engines, now: () => 0, random: () => 0.5 });
    const candidates = targets.of(
      [
        { engine: 'small', weight: 1, priority: 0 },
        { engine: 'big', weight: 2, priority: 0 },
      ],
      'm',
    );
    expect(candidates.map(({ weight }) => weight)).toEqual([1, 4]);
    const big = candidates[1];
    if (!big) throw new Error('There is no target');
    const picked = () => targets.pick(candidates, [])?.target.engine.id;
    for (let calls = 0; calls < 3; calls++) {
      expect(picked()).toBe('big');
      targets.started(big);
    }
    // Four for the big one are as many as one for the small one: chance leaves it to the first.
    expect(picked()).toBe('small');
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
      const [first, second] = candidates;
      if (!first || !second) throw new Error('There are not two');
      targets.started(second);
      expect(picked()).toBe('e/0');
      targets.started(first);
      targets.started(first);
      expect(picked()).toBe('e/1');
    }
  });
});
