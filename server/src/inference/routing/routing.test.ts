import { describe, expect, it } from 'vitest';
import { StudioError } from '../../kernel/errors.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import type { Logger } from '../../kernel/log.ts';
import { type ChatEvent, type Engine, EngineError } from '../../ports/engine.ts';
import { type RouteRequest, createRouter } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

type Script = (emit: (event: ChatEvent) => void, call: { n: unknown }) => void;

/** An engine that plays a script; a fake. */
function scripted(id: string, script: Script, choices = true) {
  const seen = { calls: 0, aborts: 0 };
  const engine: Engine = {
    id,
    kind: 'openai',
    traits: { choices, reportsStop: true },
    chat(call, sink) {
      seen.calls++;
      let over = false;
      setImmediate(() =>
        script(
          (event) => {
            if (!over) sink(event);
          },
          { n: call.body.peek('n') },
        ),
      );
      return {
        abort: () => {
          if (!over) seen.aborts++;
          over = true;
        },
        pause() {},
        resume() {},
      };
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  return { engine, seen };
}

const text = (word: string): ChatEvent => ({ type: 'text', choice: 0, channel: 'content', json: toJsonText(word) });
const answers =
  (word: string): Script =>
  (emit) => {
    emit(text(word));
    emit({ type: 'finish', choice: 0, reason: 'stop', stop: null });
    emit({
      type: 'usage',
      usage: { promptTokens: 3, completionTokens: 2, reasoningTokens: null, promptTokensDetails: null },
    });
    emit({ type: 'end', systemFingerprint: null });
  };
const fails =
  (kind: 'unavailable' | 'refused', retryAfterSeconds: number | null = null): Script =>
  (emit) =>
    emit({ type: 'error', error: new EngineError(kind, `${kind} here`, { retryAfterSeconds }) });

/** Far beyond what a fake takes on a busy machine. */
const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 120_000 };

function house(engines: Record<string, Engine[]>, change: Partial<typeof limits> = {}) {
  const router = createRouter({
    engines: new Map(
      Object.entries(engines).map(([name, list]) => [name, list.map((engine) => ({ engine, weight: 1 }))]),
    ),
    limits: { ...limits, ...change },
    log: silent,
    random: () => 0.9,
  });
  const bindings = Object.keys(engines).map((engine, priority) => ({ engine, weight: 1, priority }));
  const start = (more: Partial<RouteRequest> = {}) => {
    const events: ChatEvent[] = [];
    const tried: string[] = [];
    const body = { request: { messages: [] }, encode: () => '', peek: () => undefined };
    let run!: ReturnType<typeof router.run>;
    const over = new Promise<ChatEvent>((resolve) => {
      run = router.run(
        {
          modelId: 'm',
          bindings,
          choices: 1,
          mayRetry: () => true,
          onTarget: (id) => tried.push(id),
          call: { requestId: 'r', stream: true, body, thinking: null, maxTokens: null, contextLength: 1000 },
          ...more,
        },
        (event) => {
          events.push(event);
          if (event.type === 'end' || event.type === 'error') resolve(event);
        },
      );
    });
    return { events, tried, over, run };
  };
  const whole = <T>(
    work: (engine: Engine, model: string, signal: AbortSignal) => Promise<T>,
    signal = new AbortController().signal,
  ) => router.call({ requestId: 'r', modelId: 'm', bindings, signal }, work);
  return { router, start, whole };
}

describe('a call that comes whole', () => {
  it('has the time that it says itself', async () => {
    const slow = scripted('a/0', answers('답'));
    const { router } = house({ a: [slow.engine] }, { total_ms: 50 });
    const call = {
      requestId: 'r',
      modelId: 'm',
      bindings: [{ engine: 'a', weight: 1, priority: 0 }],
      signal: new AbortController().signal,
    };
    const enough = Promise.withResolvers<string>();
    let asked = 0;
    const totalMs = () => {
      if (++asked > 3) enough.resolve('done');
      return 60_000;
    };
    await expect(router.call({ ...call, totalMs }, () => enough.promise)).resolves.toBe('done');
    await expect(router.call({ ...call, totalMs: () => 1 }, () => new Promise(() => undefined))).rejects.toMatchObject({
      kind: 'timeout',
      limit: 'total',
    });
    router.close();
  });
});

describe('a call', () => {
  it('goes to another address when the first fails before its first event, and none of it is seen', async () => {
    const bad = scripted('a/0', fails('unavailable'));
    const good = scripted('a/1', answers('답'));
    const { router, start } = house({ a: [bad.engine, good.engine] });
    for (let i = 0; i < 4; i++) {
      const call = start();
      await call.over;
      expect(call.events.map((e) => e.type)).toEqual(['text', 'finish', 'usage', 'end']);
      expect(call.tried.at(-1)).toBe('a/1');
    }
    expect(bad.seen.calls).toBeLessThan(4);
    expect(router.states().find((s) => s.engine === 'a/0')).toMatchObject({
      cooling: true,
      lastError: 'unavailable here',
      inFlight: 0,
    });
    router.close();
  });

  it('has its time to the first token from the moment that its engine has the model ready', async () => {
    const slow = scripted('a/0', (emit, call) => setTimeout(() => answers('답')(emit, call), 900));
    const loading = { waiting: true };
    setTimeout(() => (loading.waiting = false), 800);
    const engine: Engine = {
      ...slow.engine,
      chat(call, sink) {
        const run = slow.engine.chat?.(call, sink);
        return {
          abort: () => run?.abort(),
          pause() {},
          resume() {},
          get waiting() {
            return loading.waiting;
          },
        };
      },
    };
    const { router, start } = house({ a: [engine] }, { first_token_ms: 300 });
    expect(await start().over).toMatchObject({ type: 'end' });
    const never = scripted('b/0', () => undefined);
    const other = house({ b: [never.engine] }, { first_token_ms: 300 });
    expect(await other.start().over).toMatchObject({ error: { kind: 'timeout', limit: 'first_token' } });
    router.close();
    other.router.close();
  });

  it('falls back to the next priority only when the first has failed', async () => {
    const first = scripted('a/0', fails('unavailable'));
    const second = scripted('b/0', answers('답'));
    const { router, start } = house({ a: [first.engine], b: [second.engine] });
    const call = start();
    await call.over;
    expect(call.tried).toEqual(['a/0', 'b/0']);
    router.close();
  });

  it('is not repeated when the engine says the request is wrong', async () => {
    const strict = scripted('a/0', fails('refused'));
    const { router, start } = house({ a: [strict.engine, strict.engine] });
    const call = start();
    expect(await call.over).toMatchObject({ type: 'error', error: { kind: 'refused' } });
    expect(strict.seen.calls).toBe(1);
    router.close();
  });

  it('is not repeated once anything was passed on', async () => {
    const half = scripted('a/0', (emit) => {
      emit(text('반'));
      emit({ type: 'error', error: new EngineError('unavailable', 'cut') });
    });
    const other = scripted('a/1', answers('답'));
    const { router, start } = house({ a: [half.engine], b: [other.engine] });
    const call = start();
    expect(await call.over).toMatchObject({ type: 'error', error: { message: 'cut' } });
    expect(other.seen.calls).toBe(0);
    router.close();
  });

  it('is tried once more at the only address there is, unless that asks for patience', async () => {
    let failed = false;
    const shaky = scripted('a/0', (emit, call) => {
      if (failed) answers('답')(emit, call);
      else fails('unavailable')(emit, call);
      failed = true;
    });
    const one = house({ a: [shaky.engine] });
    expect(await one.start().over).toMatchObject({ type: 'end' });
    one.router.close();
    const busy = scripted('b/0', fails('unavailable', 30));
    const two = house({ b: [busy.engine] });
    expect(await two.start().over).toMatchObject({ error: { retryAfterSeconds: 30 } });
    expect(busy.seen.calls).toBe(1);
    two.router.close();
  });

  it('spreads over addresses by how busy they are', async () => {
    const hold: Script = () => undefined;
    const a = scripted('a/0', hold);
    const b = scripted('a/1', hold);
    const { router, start } = house({ a: [a.engine, b.engine] });
    const calls = Array.from({ length: 6 }, () => start());
    expect([a.seen.calls, b.seen.calls]).toEqual([3, 3]);
    for (const call of calls) call.run.abort();
    expect(router.states().map((s) => s.inFlight)).toEqual([0, 0]);
    expect([a.seen.aborts, b.seen.aborts]).toEqual([3, 3]);
    router.close();
  });

  it.each([
    ['that is none of the service', new Error('/srv/secret is gone'), null],
    ['of the service', new StudioError('unavailable', 'The image is away'), 'The image is away'],
  ])('tells callers the words of a failure %s, or keeps them for the log', async (_, failure, detail) => {
    const { engine } = scripted('a/0', answers('x'));
    const { router, start } = house({
      a: [
        {
          ...engine,
          chat() {
            throw failure;
          },
        },
      ],
    });
    const last = await start().over;
    expect(last).toMatchObject({ type: 'error', error: { message: failure.message, detail } });
    router.close();
  });

  it('of an engine that is not configured says so', async () => {
    const { router, start } = house({});
    const call = start({ bindings: [{ engine: 'none', weight: 1, priority: 0 }] });
    expect(await call.over).toMatchObject({
      error: { kind: 'unavailable', detail: 'The model m is bound to the engine none, which is not configured' },
    });
    router.close();
  });
});

describe('time limits', () => {
  it.each([
    ['first_token', () => undefined, { first_token_ms: 400 }],
    ['between_tokens', (emit: (e: ChatEvent) => void) => emit(text('가')), { between_tokens_ms: 400 }],
    [
      'total',
      (emit: (e: ChatEvent) => void) => {
        const timer = setInterval(() => emit(text('가')), 20);
        setTimeout(() => clearInterval(timer), 1500);
      },
      { total_ms: 200 },
    ],
  ] as const)('%s ends the call, stops the engine and is named', async (limit, script, change) => {
    const slow = scripted('a/0', script);
    const { router, start } = house({ a: [slow.engine] }, change);
    const call = start();
    expect(await call.over).toMatchObject({ type: 'error', error: { kind: 'timeout', limit } });
    expect(slow.seen.aborts).toBe(1);
    router.close();
  });

  it('do not count the time that a slow reader takes', async () => {
    let emit!: (event: ChatEvent) => void;
    const { engine } = scripted('a/0', (give) => {
      emit = give;
      give(text('가'));
    });
    const { router, start } = house({ a: [engine] }, { between_tokens_ms: 400 });
    const call = start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    call.run.pause();
    await new Promise((resolve) => setTimeout(resolve, 800));
    call.run.resume();
    emit({ type: 'end', systemFingerprint: null });
    expect(await call.over).toMatchObject({ type: 'end' });
    router.close();
  });
});

it('makes several calls for an engine that gives one choice a call', async () => {
  const one = scripted('a/0', answers('답'), false);
  const { router, start } = house({ a: [one.engine] });
  const call = start({ choices: 3 });
  await call.over;
  expect(one.seen.calls).toBe(3);
  expect(call.events.flatMap((e) => (e.type === 'finish' ? [e.choice] : [])).toSorted((a, b) => a - b)).toEqual([
    0, 1, 2,
  ]);
  expect(call.events.find((e) => e.type === 'usage')).toMatchObject({
    usage: { promptTokens: 3, completionTokens: 6 },
  });
  expect(call.events.filter((e) => e.type === 'end')).toHaveLength(1);
  router.close();
});

describe('engines that come and go', () => {
  /** An engine whose calls stay open until they are told to end, and that notes its end; a fake. */
  function patient(id: string) {
    const open: (() => void)[] = [];
    const { engine } = scripted(id, (emit) => open.push(() => answers('답')(emit, { n: 1 })));
    let closed = 0;
    return {
      engine: { ...engine, close: () => Promise.resolve(void closed++) },
      end: () => open.splice(0).forEach((end) => end()),
      open,
      closed: () => closed,
    };
  }
  const until = async (true_: () => boolean) => {
    while (!true_()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('an engine that is added takes calls of models that were bound to it before it was there', async () => {
    const { router, start } = house({ a: [] });
    const before = start();
    expect(await before.over).toMatchObject({ type: 'error', error: { kind: 'unavailable' } });
    router.setEngine('a', [{ engine: scripted('a', answers('답')).engine, weight: 1 }]);
    const after = start();
    expect(await after.over).toMatchObject({ type: 'end' });
    expect(after.tried).toEqual(['a']);
    router.close();
  });

  it('an engine that is taken away finishes its calls, takes no more, and is closed after the last', async () => {
    const old = patient('old');
    const { router, start } = house({ a: [old.engine] });
    const [first, second] = [start(), start()];
    await until(() => old.open.length === 2);
    router.setEngine('a', [{ engine: scripted('new', answers('새')).engine, weight: 1 }]);
    const third = start();
    expect(await third.over).toMatchObject({ type: 'end' });
    expect(third.tried).toEqual(['new']);
    expect(old.closed()).toBe(0);
    old.end();
    expect(await first.over).toMatchObject({ type: 'end' });
    expect(await second.over).toMatchObject({ type: 'end' });
    expect(old.closed()).toBe(1);
    router.close();
  });

  it('an idle engine is closed at once, one in other use when that is over', async () => {
    const [idle, used] = [patient('idle'), patient('used')];
    const { router, whole } = house({ used: [used.engine], idle: [idle.engine] });
    const { promise, resolve } = Promise.withResolvers<string>();
    const work = whole(() => promise);
    router.removeEngine('idle');
    router.removeEngine('used');
    expect([idle.closed(), used.closed()]).toEqual([1, 0]);
    resolve('vectors');
    expect(await work).toBe('vectors');
    expect(used.closed()).toBe(1);
    await expect(whole(() => promise)).rejects.toMatchObject({ code: 'unavailable' });
    router.close();
  });
});

describe('a call that is no chat', () => {
  const names = ['a', 'b'];
  const setting = () => house(Object.fromEntries(names.map((id) => [id, [scripted(id, answers(id)).engine]])));
  /** Work that fails on the first engine, and which engines it was given. */
  const failing = (error: Error, asked: string[]) => async (engine: Engine) => {
    asked.push(engine.id);
    if (engine.id === 'a') throw error;
    return engine.id;
  };
  const down = new EngineError('unavailable', 'down');

  it('goes to the next engine, and no more to one that is known to fail, as chats do', async () => {
    const { router, whole, start } = setting();
    const asked: string[] = [];
    for (let i = 0; i < 3; i++) expect(await whole(failing(down, asked))).toBe('b');
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'b']);
    expect(router.states().map(({ engine, cooling, failed, inFlight }) => [engine, cooling, failed, inFlight])).toEqual(
      [
        ['a', true, 2, 0],
        ['b', false, 0, 0],
      ],
    );
    const chat = start();
    await chat.over;
    expect(chat.tried).toEqual(['b']);
    router.close();
  });

  it('does not ask one whose chats fail', async () => {
    const { router, whole, start } = house({
      a: [scripted('a', fails('unavailable')).engine],
      b: [scripted('b', answers('b')).engine],
    });
    for (let i = 0; i < 2; i++) await start().over;
    expect(await whole((engine) => Promise.resolve(engine.id))).toBe('b');
    router.close();
  });

  it('tries one that is resting when there is no other, also one that wants peace', async () => {
    const { router, whole } = house({ a: [scripted('a', answers('a')).engine] });
    for (let i = 0; i < 3; i++) await expect(whole(() => Promise.reject(down))).rejects.toBe(down);
    expect(await whole((_engine, model) => Promise.resolve(model))).toBe('m');
    expect(router.states()[0]).toMatchObject({ cooling: false, inFlight: 0 });
    const busy = new EngineError('unavailable', 'busy', { status: 503, retryAfterSeconds: 9 });
    await expect(whole(() => Promise.reject(busy))).rejects.toBe(busy);
    expect(await whole((_engine, model) => Promise.resolve(model))).toBe('m');
    router.close();
  });

  it.each<[string, Error]>([
    ['a refusal', new EngineError('refused', 'no', { status: 400 })],
    ['a fault of our own', new TypeError('oops')],
  ])('ends with %s, which is nothing against the engine', async (_name, error) => {
    const { router, whole } = setting();
    const asked: string[] = [];
    for (let i = 0; i < 3; i++) await expect(whole(failing(error, asked))).rejects.toBe(error);
    expect(asked).toEqual(['a', 'a', 'a']);
    expect(router.states()[0]).toMatchObject({ cooling: false, failed: 0, inFlight: 0 });
    router.close();
  });

  it('has the time of the whole reply and no more, however many engines were tried, and its engine is told', async () => {
    const { router, whole } = house(
      { a: [scripted('a', answers('a')).engine], b: [scripted('b', answers('b')).engine] },
      { total_ms: 150 },
    );
    const told: unknown[] = [];
    const stuck = whole((engine, _model, signal) => {
      if (engine.id === 'a') return Promise.reject(down);
      signal.addEventListener('abort', () => told.push(signal.reason));
      return new Promise(() => undefined);
    });
    await expect(stuck).rejects.toMatchObject({ kind: 'timeout', limit: 'total' });
    expect(told).toEqual([expect.objectContaining({ kind: 'timeout' })]);
    expect(router.states().map(({ failed, inFlight }) => [failed, inFlight])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    router.close();
  });

  it('ends with its caller', async () => {
    const { router, whole } = setting();
    const gone = new AbortController();
    const asked: string[] = [];
    const work = failing(down, asked);
    await expect(whole((engine) => (gone.abort(down), work(engine)), gone.signal)).rejects.toBe(down);
    expect(asked).toEqual(['a']);
    expect(router.states()[0]).toMatchObject({ failed: 0, inFlight: 0 });
    router.close();
  });
});
