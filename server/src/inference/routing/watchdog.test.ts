import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import type { ChatEvent, ChatSink, Engine, EngineTrouble } from '../../ports/engine.ts';
import { createRouter } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call under way, of an engine that says what the test has it say. */
function setting({
  stream = true,
  limits = {},
  health = () => Promise.resolve({ ok: true, reason: null }),
}: { stream?: boolean; limits?: object; health?: Engine['health'] } = {}) {
  let sink: ChatSink = () => undefined;
  const held: string[] = [];
  let waiting = false;
  const engine: Engine = {
    id: 'e/0',
    kind: 'openai',
    traits: { choices: true, reportsStop: true },
    chat(_call, to) {
      sink = to;
      return {
        abort: () => held.push('abort'),
        pause: () => held.push('pause'),
        resume: () => held.push('resume'),
        get waiting() {
          return waiting;
        },
      };
    },
    health,
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const router = createRouter({
    engines: new Map([['e', [{ engine, weight: 1 }]]]),
    limits: { first_token_ms: 1_000, between_tokens_ms: 1_000, total_ms: 10_000, ...limits },
    log: silent,
    now: Date.now,
  });
  onTestFinished(() => router.close());
  const ends: ChatEvent[] = [];
  const body = { request: { messages: [] }, encode: () => '', peek: () => undefined };
  const run = router.run(
    {
      modelId: 'm',
      bindings: [{ engine: 'e', weight: 1, priority: 0 }],
      choices: 1,
      mayRetry: () => true,
      onTarget: () => undefined,
      call: { requestId: 'r', stream, body, thinking: null, maxTokens: null, contextLength: 1000 },
    },
    (event) => (event.type === 'end' || event.type === 'error') && ends.push(event),
  );
  const say = () => sink({ type: 'text', choice: 0, channel: 'content', json: 'a' as never });
  return {
    run,
    say,
    ends,
    held,
    /** Whether the engine gets the model ready. */
    wait: (yes: boolean) => void (waiting = yes),
    pass: (ms: number) => vi.advanceTimersByTime(ms),
    passSlowly: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    states: router.states,
  };
}
const ranOut = (limit: string) => [expect.objectContaining({ error: expect.objectContaining({ limit }) as unknown })];

describe('a call runs out of time', () => {
  test('for its first token', () => {
    const { ends, pass, held } = setting();
    pass(1_000);
    expect(ends).toEqual([]);
    pass(100);
    expect(ends).toEqual(ranOut('first_token'));
    expect(held).toEqual(['abort']);
  });

  test('between tokens, each of which begins the time anew', () => {
    const { say, ends, pass } = setting();
    for (let i = 0; i < 3; i++) {
      say();
      pass(1_000);
    }
    expect(ends).toEqual([]);
    pass(200);
    expect(ends).toEqual(ranOut('between_tokens'));
  });

  test('for all of it, however often it says something', () => {
    const { say, ends, pass, states } = setting();
    for (let i = 0; i < 20; i++) {
      say();
      pass(500);
    }
    expect(ends).toEqual([]);
    pass(100);
    expect(ends).toEqual(ranOut('total'));
    expect(states()).toMatchObject([{ failed: 1, inFlight: 0 }]);
  });

  test('only for all of it where the answer comes whole', () => {
    const { ends, pass } = setting({ stream: false });
    pass(10_000);
    expect(ends).toEqual([]);
    pass(100);
    expect(ends).toEqual(ranOut('total'));
  });

  test('for all of an answer that comes whole, where it has a limit of its own', () => {
    const { ends, pass, held, states } = setting({ stream: false, limits: { whole_reply_ms: 4_000 } });
    pass(4_000);
    expect(ends).toEqual([]);
    pass(100);
    expect(ends).toEqual(ranOut('whole_reply'));
    expect(held).toEqual(['abort']);
    // It says nothing of the other models at the address.
    expect(states()).toMatchObject([{ failed: 1, cooling: false }]);
  });

  test('not while its client reads slowly, and again once it has caught up', () => {
    const { run, say, ends, pass, held } = setting();
    say();
    run.pause();
    pass(5_000);
    expect(ends).toEqual([]);
    run.resume();
    pass(1_000);
    expect(ends).toEqual([]);
    pass(200);
    expect(ends).toEqual(ranOut('between_tokens'));
    expect(held).toEqual(['pause', 'resume', 'abort']);
  });

  test('not while its engine gets the model ready', () => {
    const { ends, pass, wait } = setting();
    wait(true);
    pass(5_000);
    expect(ends).toEqual([]);
    wait(false);
    pass(900);
    expect(ends).toEqual([]);
    pass(300);
    expect(ends).toEqual(ranOut('first_token'));
  });

  test('no more once it is over', () => {
    const { run, ends, pass, held } = setting();
    run.abort();
    run.abort();
    pass(20_000);
    expect(ends).toEqual([]);
    expect(held).toEqual(['abort']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an answer that comes whole, of an engine that says nothing', () => {
  const silent = { stream: false, limits: { total_ms: 60_000 } };
  const ok = { ok: true, reason: null };
  const unwell = (code: EngineTrouble['code']) => ({ ok: false, reason: 'no', trouble: { code, values: {} } });

  test('goes on while its health check is answered, which is asked for once each time that the first token may take', async () => {
    const health = vi.fn(() => Promise.resolve(ok));
    const { ends, passSlowly } = setting({ ...silent, health });
    await passSlowly(1_000);
    expect(health).not.toHaveBeenCalled();
    await passSlowly(3_200);
    expect(health).toHaveBeenCalledTimes(3);
    expect(ends).toEqual([]);
  });

  test.each(['engine_key', 'engine_busy', 'engine_model_unknown'] as const)(
    'goes on where the check is answered by %s',
    async (code) => {
      const { ends, passSlowly } = setting({ ...silent, health: () => Promise.resolve(unwell(code)) });
      await passSlowly(5_000);
      expect(ends).toEqual([]);
    },
  );

  test('ends where the check fails twice', async () => {
    const health = vi.fn(() => Promise.resolve(unwell('engine_refuses')));
    const { ends, passSlowly, held } = setting({ ...silent, health });
    await passSlowly(1_200);
    expect(ends).toEqual(ranOut('first_token'));
    expect(held).toEqual(['abort']);
    expect(health).toHaveBeenCalledTimes(2);
  });

  test('ends where nobody answers the check', async () => {
    const { ends, passSlowly } = setting({ ...silent, health: () => new Promise(() => undefined) });
    await passSlowly(10_500);
    expect(ends).toEqual([]);
    await passSlowly(1_000);
    expect(ends).toEqual(ranOut('first_token'));
  });

  test('goes on where a second check is answered', async () => {
    let asked = 0;
    const health = () => Promise.resolve(++asked === 1 ? unwell('engine_broken') : ok);
    const { ends, passSlowly } = setting({ ...silent, health });
    await passSlowly(1_500);
    expect(asked).toBe(2);
    expect(ends).toEqual([]);
  });

  test('is not asked about where it streams', async () => {
    const health = vi.fn(() => Promise.resolve(ok));
    const { say, passSlowly } = setting({ limits: { first_token_ms: 1_000, between_tokens_ms: 9_000 }, health });
    say();
    await passSlowly(5_000);
    expect(health).not.toHaveBeenCalled();
  });
});
