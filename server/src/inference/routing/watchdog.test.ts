import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import type { ChatEvent, ChatSink, Engine } from '../../ports/engine.ts';
import { createRouter } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call under way, of an engine that says what the test has it say. */
function setting({ stream = true, limits = {} }: { stream?: boolean; limits?: object } = {}) {
  let sink: ChatSink = () => undefined;
  const held: string[] = [];
  const engine: Engine = {
    id: 'e/0',
    kind: 'openai',
    traits: { choices: true, reportsStop: true },
    chat(_call, to) {
      sink = to;
      return { abort: () => held.push('abort'), pause: () => held.push('pause'), resume: () => held.push('resume') };
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
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
  return { run, say, ends, held, pass: (ms: number) => vi.advanceTimersByTime(ms), states: router.states };
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
