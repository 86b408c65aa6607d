import { describe, expect, test } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import { type ChatEvent, type Engine, EngineError } from '../../ports/engine.ts';
import { createRouter } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
const body = { request: { messages: [] }, encode: () => '', peek: () => undefined };

/** How an engine answers a call: with a failure, or null for an answer that is complete. */
type Outcome = () => EngineError | null;

/** An engine that fails or answers as it is said; a fake. */
const engineOf = (id: string, outcome: Outcome): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  chat(_call, sink) {
    setImmediate(() => {
      const error = outcome();
      sink(error ? { type: 'error', error } : { type: 'end', systemFingerprint: null });
    });
    return { abort() {}, pause() {}, resume() {} };
  },
  health: () => Promise.resolve({ ok: false, reason: 'resting' }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});

/** One model, whose engines are tried in the order they are given. */
function setting(...outcomes: readonly Outcome[]) {
  const engines = new Map(
    outcomes.map((outcome, at) => [`e${at}`, [{ engine: engineOf(`e${at}`, outcome), weight: 1 }]]),
  );
  const bindings = [...engines.keys()].map((engine, priority) => ({ engine, weight: 1, priority }));
  const router = createRouter({ engines, limits, log: silent, random: () => 0.5 });
  const chat = () => {
    const tried: string[] = [];
    const call = { requestId: 'r', stream: true, body, thinking: null, maxTokens: null, contextLength: 1000 };
    const over = new Promise<ChatEvent>((resolve) => {
      const onTarget = (id: string) => void tried.push(id);
      router.run({ modelId: 'm', bindings, choices: 1, mayRetry: () => true, onTarget, call }, resolve);
    });
    return { tried, over };
  };
  const whole = (work: Outcome) =>
    router.call({ requestId: 'r', modelId: 'm', bindings, signal: new AbortController().signal }, () => {
      const error = work();
      return error ? Promise.reject(error) : Promise.resolve('done');
    });
  return { router, chat, whole };
}

const down = () => new EngineError('unavailable', 'down', { status: 503 });
const refused = () => new EngineError('refused', 'no', { status: 400 });
const answers = () => null;

describe('the tries of a call', () => {
  test('are four, however many engines there are', async () => {
    const { router, chat } = setting(down, down, down, down, answers);
    const { tried, over } = chat();
    expect(await over).toMatchObject({ type: 'error', error: { message: 'down' } });
    expect(tried).toEqual(['e0', 'e1', 'e2', 'e3']);
    router.close();
  });

  test('go on to the fourth', async () => {
    const { router, chat } = setting(down, down, down, answers);
    const { tried, over } = chat();
    expect(await over).toMatchObject({ type: 'end' });
    expect(tried).toEqual(['e0', 'e1', 'e2', 'e3']);
    router.close();
  });

  test.each([
    [1, ['e0', 'e0']],
    [2, ['e0', 'e1', 'e0', 'e1']],
    [3, ['e0', 'e1', 'e2', 'e0']],
  ])('begin once more where there are no others, with %i engines', async (count, expected) => {
    const { router, chat } = setting(...Array<Outcome>(count).fill(down));
    const { tried, over } = chat();
    expect(await over).toMatchObject({ type: 'error' });
    expect(tried).toEqual(expected);
    router.close();
  });

  const unavailable = (status: number) => () => new EngineError('unavailable', 'wrong', { status });
  test.each<[string, Outcome, number]>([
    ['a queue that wants a second', () => new EngineError('unavailable', 'full', { retryAfterSeconds: 1 }), 2],
    ['a queue that wants two', () => new EngineError('unavailable', 'full', { retryAfterSeconds: 2 }), 1],
    ['a busy engine', () => new EngineError('unavailable', 'full', { busy: true, retryAfterSeconds: 1 }), 1],
    ['a time limit', () => new EngineError('timeout', 'slow'), 1],
    ['an answer that is none', () => new EngineError('protocol', 'nonsense'), 2],
    ...[200, 302, 401, 403, 404, 405, 429, 501].map((status): [string, Outcome, number] => [
      `a ${status}`,
      unavailable(status),
      1,
    ]),
    ...[400, 402, 500, 502].map((status): [string, Outcome, number] => [`a ${status}`, unavailable(status), 2]),
  ])('at the only engine, after %s', async (_name, outcome, count) => {
    const { router, chat } = setting(outcome);
    const { tried, over } = chat();
    await over;
    expect(tried).toHaveLength(count);
    router.close();
  });
});

describe('a limit of an engine', () => {
  const limited = () => new EngineError('unavailable', 'slow down', { status: 429, retryAfterSeconds: 9 });

  test('goes to the caller with its time, each time, and is nothing against the engine', async () => {
    const { router, chat, whole } = setting(limited);
    for (let i = 0; i < 3; i++) {
      const { tried, over } = chat();
      expect(await over).toMatchObject({ error: { status: 429, retryAfterSeconds: 9 } });
      expect(tried).toEqual(['e0']);
      await expect(whole(limited)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 9 });
    }
    expect(router.states()[0]).toMatchObject({ calls: 6, failed: 0, cooling: false, lastError: null, inFlight: 0 });
    router.close();
  });

  test('sends calls to others, and to them first while it lasts', async () => {
    const { router, chat } = setting(limited, answers);
    for (const expected of [['e0', 'e1'], ['e1'], ['e1']]) {
      const { tried, over } = chat();
      expect(await over).toMatchObject({ type: 'end' });
      expect(tried).toEqual(expected);
    }
    router.close();
  });

  test.each([429, 503])('of one model, told by %i, leaves the other models of its address alone', async (status) => {
    const engine = engineOf('e', () => null);
    const router = createRouter({ engines: new Map([['e', [{ engine, weight: 1 }]]]), limits, log: silent });
    const ask = (modelId: string) =>
      router.call(
        {
          requestId: 'r',
          modelId,
          bindings: [{ engine: 'e', weight: 1, priority: 0 }],
          signal: new AbortController().signal,
        },
        (_engine, model) =>
          model === 'busy'
            ? Promise.reject(new EngineError('unavailable', 'wait', { status, retryAfterSeconds: 20 }))
            : Promise.resolve(model),
      );
    for (let i = 0; i < 3; i++) {
      await expect(ask('busy')).rejects.toMatchObject({ status, retryAfterSeconds: 20 });
      expect(await ask('idle')).toBe('idle');
    }
    router.close();
  });
});

describe('a busy engine', () => {
  const full = () => new EngineError('unavailable', 'full', { busy: true, retryAfterSeconds: 3 });

  test('is no failed one, and its callers are told when to come again', async () => {
    const { router, chat, whole } = setting(full);
    for (let i = 0; i < 9; i++) {
      expect(await chat().over).toMatchObject({ error: { busy: true, retryAfterSeconds: 3 } });
      await expect(whole(full)).rejects.toMatchObject({ busy: true, retryAfterSeconds: 3 });
    }
    expect(router.states()[0]).toMatchObject({ calls: 18, failed: 0, cooling: false, lastError: null, inFlight: 0 });
    router.close();
  });

  test('has its calls go to others, and is asked first again', async () => {
    const { router, chat } = setting(full, answers);
    for (let i = 0; i < 3; i++) {
      const { tried, over } = chat();
      expect(await over).toMatchObject({ type: 'end' });
      expect(tried).toEqual(['e0', 'e1']);
    }
    router.close();
  });

  test('has calls refused beforehand, as 503 with the time to wait, until it has room', async () => {
    let refusal: EngineError | null = full();
    const engine = {
      ...engineOf('e', answers),
      get refusal() {
        return refusal;
      },
    };
    const router = createRouter({ engines: new Map([['e', [{ engine, weight: 1 }]]]), limits, log: silent });
    const engines = [{ engine: 'e', weight: 1, priority: 0 }];
    const call = { requestId: 'r', modelId: 'm', bindings: engines, signal: new AbortController().signal };
    await router.call(call, () => Promise.resolve());
    expect(router.hasFullEngine()).toBe(true);
    expect(() => router.requireRoom({ engines })).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        retryAfterSeconds: 3,
        message: 'The model has as many requests as it can answer in time; try again in 3 seconds',
      }),
    );
    refusal = null;
    expect(router.hasFullEngine()).toBe(false);
    router.requireRoom({ engines });
    router.close();
  });
});

describe('a request that its engine refuses', () => {
  test('is nothing against the engine, which goes on to be asked first', async () => {
    const { router, chat } = setting(refused, answers);
    for (let i = 0; i < 5; i++) {
      const { tried, over } = chat();
      expect(await over).toMatchObject({ error: { kind: 'refused' } });
      expect(tried).toEqual(['e0']);
    }
    expect(router.states()[0]).toMatchObject({ calls: 5, failed: 0, cooling: false, lastError: null, inFlight: 0 });
    router.close();
  });

  test('shows that the engine is well, also where the call comes whole', async () => {
    const { router, whole } = setting(answers);
    for (let i = 0; i < 3; i++) {
      await expect(whole(down)).rejects.toMatchObject({ message: 'down' });
      await expect(whole(refused)).rejects.toMatchObject({ kind: 'refused' });
      expect(router.states()[0]).toMatchObject({ failed: i + 1, cooling: false });
    }
    router.close();
  });

  test('by an engine that asked no server shows nothing', async () => {
    const { router, whole } = setting(answers);
    await expect(whole(down)).rejects.toMatchObject({ message: 'down' });
    await expect(whole(() => new EngineError('refused', 'no such voice'))).rejects.toMatchObject({ kind: 'refused' });
    await expect(whole(down)).rejects.toMatchObject({ message: 'down' });
    expect(router.states()[0]).toMatchObject({ failed: 2, cooling: true });
    router.close();
  });
});
