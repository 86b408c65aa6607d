import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import { createRouter } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const down = (more: object = {}) => new EngineError('unavailable', 'down', more);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const well = () => Promise.resolve({ ok: true, reason: null });
const unwell = () => Promise.resolve({ ok: false, reason: null });

/** A router of so many engines, tried in their order. */
function setting(count = 1, totalMs = 1_000, log = silent, limits = {}, health: Engine['health'] = well) {
  const engineOf = (id: string): Engine => ({
    id,
    kind: 'openai',
    traits: { choices: true, reportsStop: true },
    health,
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  });
  const names = Array.from({ length: count }, (_, at) => `e${at}`);
  const router = createRouter({
    engines: new Map(names.map((name) => [name, [{ engine: engineOf(name), weight: 1 }]])),
    limits: { first_token_ms: 10, between_tokens_ms: 10, total_ms: totalMs, ...limits },
    log,
    now: Date.now,
    random: () => 0.5,
  });
  onTestFinished(() => router.close());
  const bindings = names.map((engine, priority) => ({ engine, weight: 1, priority, model: `own of ${engine}` }));
  const caller = new AbortController();
  const call = { requestId: 'r', modelId: 'm', bindings, signal: caller.signal };
  return { router, call, caller };
}
const never = () => new Promise<never>(() => undefined);

describe('a call that comes whole', () => {
  test('gives the answer of its engine, which is told its own name of the model', async () => {
    const { router, call } = setting();
    expect(await router.call(call, (engine, model) => Promise.resolve([engine.id, model]))).toEqual([
      'e0',
      'own of e0',
    ]);
    expect(router.states()).toMatchObject([{ calls: 1, failed: 0, inFlight: 0 }]);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has as long as the whole reply may take, whatever the limits between tokens, and is then no more', async () => {
    const { router, call } = setting();
    let told: AbortSignal | undefined;
    const done = router.call(call, (_engine, _model, signal) => {
      told = signal;
      return never();
    });
    const outcome = expect(done).rejects.toMatchObject({ kind: 'timeout', limit: 'total' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told?.aborted).toBe(false);
    expect(router.states()).toMatchObject([{ inFlight: 1, failed: 0 }]);
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
    expect(told?.aborted).toBe(true);
    expect(router.states()).toMatchObject([{ inFlight: 0, failed: 1 }]);
  });

  test('has less time than that where its engine is there and answers come whole', async () => {
    const { router, call } = setting(1, 9_000, silent, { first_token_ms: 500, whole_reply_ms: 2_000 });
    const outcome = expect(router.call(call, never)).rejects.toMatchObject({ kind: 'timeout', limit: 'whole_reply' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(router.states()).toMatchObject([{ inFlight: 1, failed: 0 }]);
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
    // One that says how long it may take has that time.
    const longer = router.call({ ...call, totalMs: () => 5_000 }, never);
    const end = expect(longer).rejects.toMatchObject({ kind: 'timeout', limit: 'total' });
    await vi.advanceTimersByTimeAsync(5_100);
    await end;
  });

  test('ends soon where its engine does not answer a health check', async () => {
    const { router, call } = setting(1, 9_000, silent, { first_token_ms: 500, whole_reply_ms: 2_000 }, unwell);
    const outcome = expect(router.call(call, never)).rejects.toMatchObject({ kind: 'timeout', limit: 'first_token' });
    await vi.advanceTimersByTimeAsync(700);
    await outcome;
    expect(router.states()).toMatchObject([{ inFlight: 0, failed: 1 }]);
  });

  test('is told of in the log where its time runs out', async () => {
    const warn = vi.fn<Logger['warn']>();
    const { router, call } = setting(1, 1_000, { ...silent, warn });
    const outcome = expect(router.call(call, never)).rejects.toMatchObject({ kind: 'timeout' });
    await vi.advanceTimersByTimeAsync(1_100);
    await outcome;
    const said = { engine: 'e0', requestId: 'r', kind: 'timeout' };
    expect(warn.mock.calls).toEqual([[expect.objectContaining(said), 'engine call failed']]);
  });

  test('has the time that it says, from its beginning on', async () => {
    const { router, call } = setting();
    let limit = 5_000;
    const done = router.call({ ...call, totalMs: () => limit }, never);
    const outcome = expect(done).rejects.toMatchObject({ kind: 'timeout', limit: 'total' });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(router.states()).toMatchObject([{ inFlight: 1 }]);
    limit = 1_000;
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
  });

  test('ends with its caller, which is nothing against the engine, and leaves nothing behind there', async () => {
    const { router, call, caller } = setting(2);
    const gone = new Error('gone');
    const done = router.call(call, never);
    const outcome = expect(done).rejects.toBe(gone);
    caller.abort(gone);
    await outcome;
    expect(router.states()).toMatchObject([
      { calls: 1, inFlight: 0, failed: 0 },
      { calls: 0, inFlight: 0, failed: 0 },
    ]);
    let asked = 0;
    await expect(router.call(call, () => Promise.resolve(++asked))).rejects.toBe(gone);
    expect(asked).toBe(0);
  });

  test('leaves no listener at the signal that its work is given', async () => {
    const { router, call } = setting();
    let told: AbortSignal | undefined;
    await router.call(call, (_engine, _model, signal) => {
      told = signal;
      return Promise.resolve();
    });
    if (!told) throw new Error('There was no signal');
    expect(getEventListeners(told, 'abort')).toHaveLength(0);
  });

  test('goes to each engine once while they fail, and says what the last one said', async () => {
    const { router, call } = setting(2);
    const asked: string[] = [];
    const work = (engine: Engine) => {
      asked.push(engine.id);
      return Promise.reject(new EngineError('unavailable', `down at ${engine.id}`));
    };
    await expect(router.call(call, work)).rejects.toMatchObject({ message: 'down at e1' });
    expect(asked).toEqual(['e0', 'e1']);
    expect(router.states()).toMatchObject([
      { failed: 1, inFlight: 0 },
      { failed: 1, inFlight: 0 },
    ]);
  });

  test.each([429, 503])('asks for %i last who wants peace, and who is ready soonest where all do', async (status) => {
    const { router, call } = setting(2);
    const asked: string[] = [];
    const peace = (seconds: Record<string, number>) => (engine: Engine) => {
      asked.push(engine.id);
      const retryAfterSeconds = seconds[engine.id];
      return retryAfterSeconds === undefined
        ? Promise.resolve('done')
        : Promise.reject(down({ status, retryAfterSeconds }));
    };
    expect(await router.call(call, peace({ e0: 20 }))).toBe('done');
    expect(await router.call(call, peace({}))).toBe('done');
    await expect(router.call(call, peace({ e0: 20, e1: 7 }))).rejects.toMatchObject({ status, retryAfterSeconds: 20 });
    expect(await router.call(call, peace({}))).toBe('done');
    expect(asked).toEqual(['e0', 'e1', 'e1', 'e1', 'e0', 'e1']);
  });

  test('ends at once with a fault of our own', async () => {
    const { router, call } = setting(2);
    const fault = new TypeError('oops');
    await expect(router.call(call, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(router.states()).toMatchObject([{ calls: 1, failed: 0, inFlight: 0 }, { calls: 0 }]);
  });
});
