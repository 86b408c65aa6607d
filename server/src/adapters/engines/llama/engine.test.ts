import { afterEach, describe, expect, it } from 'vitest';
import { openScriptedSupervisor } from '@ai-studio/llama-runtime/test/scripted-supervisor.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { CallPriority } from '../../../kernel/priority.ts';
import type { ChatCall, ChatEvent, ChatRun, EngineError } from '../../../ports/engine.ts';
import { createLlamaEngine } from './engine.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const never = new AbortController().signal;

const until = async (true_: () => boolean) => {
  while (!true_()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An engine of models whose processes behave as their files say. */
function open(models: Record<string, object>, loadTimeoutMs?: number) {
  const house = openScriptedSupervisor(models);
  const engine = createLlamaEngine({
    host: house.supervisor,
    log: silent,
    ...(loadTimeoutMs === undefined ? {} : { loadTimeoutMs }),
  });
  closers.push(async () => {
    await engine.close();
    await house.close();
  });
  return { ...house, engine };
}

function ask({ engine }: ReturnType<typeof open>, model: string, priority?: CallPriority) {
  const events: ChatEvent[] = [];
  const { promise: over, resolve } = Promise.withResolvers<ChatEvent>();
  const request = { messages: [{ role: 'user' as const, content: 'x' }] };
  const call: ChatCall = {
    requestId: 'r',
    priority,
    model,
    stream: true,
    body: { request, peek: () => undefined, encode: () => [Buffer.from('{}')] },
    thinking: null,
    maxTokens: null,
    contextLength: 1024,
  };
  const run = engine.chat?.(call, (event) => {
    events.push(event);
    if (event.type === 'end' || event.type === 'error') resolve(event);
  }) as ChatRun;
  const text = () => events.map((event) => (event.type === 'text' ? event.json : '')).join('');
  return { events, over, run, text };
}

const errorOf = async (asked: ReturnType<typeof ask>): Promise<EngineError> => {
  const last = await asked.over;
  if (last.type !== 'error') throw new Error(`ended with ${last.type}`);
  return last.error;
};

describe('models on demand', () => {
  it('are waited for as long as the limit says, and are loaded all the same', async () => {
    const house = open({ a: { loadMs: 300 }, b: { load: 'hang' } }, 100);
    const early = ask(house, 'a');
    expect(early.run.waiting).toBe(true);
    const error = await errorOf(early);
    expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 10 });
    expect(error.detail).toContain('a is still being loaded after 0.1 s');
    expect(early.run.waiting).toBe(false);
    await until(() => house.phases('a').includes('loaded'));
    const late = ask(house, 'a');
    await until(() => late.events.length > 0);
    expect(late.run.waiting).toBe(false);
    expect(await late.over).toMatchObject({ type: 'end' });
    await expect(
      house.engine.embed?.({ requestId: 'r', model: 'b', inputs: ['x'], dimensions: null, signal: never } as never),
    ).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 10 });
    expect(house.loaded()).toContain('a');
  });
});

describe('calls of several priorities', () => {
  it('wait in their order where the runtime has none', async () => {
    const house = open({ server: { chat: 'stream' } });
    const first = ask(house, 'server');
    await until(() => first.text() !== '');
    const ingest = ask(house, 'server', 'ingest');
    const batch = ask(house, 'server', 'batch');
    const asked = ask(house, 'server', 'interactive');
    await until(() => house.supervisor.statuses()[0]?.leases === 4);
    for (const [before, next, later] of [
      [first, asked, [batch, ingest]],
      [asked, batch, [ingest]],
      [batch, ingest, []],
    ] as const) {
      before.run.abort();
      await until(() => next.text() !== '');
      expect(next.run.waiting).toBe(false);
      for (const { run, events } of later) expect([run.waiting, events.length]).toEqual([true, 0]);
    }
    ingest.run.abort();
  });
});

describe('models that fail', () => {
  it('are told of as unavailable, with why and what to do, and without a status', async () => {
    const house = open({ bad: { load: 'corrupt' } });
    for (const [id, advice] of [
      ['bad', /bad could not be loaded: a reason for people\. .*studio models remove/],
      ['none', /There is no model none\. .*studio models import/],
    ] as const) {
      const error = await errorOf(ask(house, id));
      expect(error).toMatchObject({ kind: 'unavailable', status: null, retryAfterSeconds: 30 });
      expect(error.detail).toMatch(advice);
    }
    await expect(
      house.engine.embed?.({ requestId: 'r', model: 'none', input: ['x'], dimensions: null, signal: never }),
    ).rejects.toMatchObject({ name: 'EngineError', kind: 'unavailable', retryAfterSeconds: 30 });
  });

  it.each([
    ['numbers', /a gave an answer that cannot be used; its file may be damaged/],
    ['exit', /a ended twice at this request; its file may be damaged/],
  ] as const)('by a damaged file say so, rather than ask for the request again: %s', async (embed, text) => {
    const house = open({ a: { embed } });
    const call = { requestId: 'r', model: 'a', input: ['x'], dimensions: null, signal: never };
    const error = (await house.engine.embed?.(call).catch((thrown: unknown) => thrown)) as EngineError;
    expect(error).toMatchObject({ kind: 'unavailable', status: null, retryAfterSeconds: 60 });
    expect(error.detail).toMatch(text);
  });

  it('by a damaged file say so in chats too', async () => {
    const error = await errorOf(ask(open({ a: { chat: 'die' } }), 'a'));
    expect(error).toMatchObject({ kind: 'unavailable', status: null, retryAfterSeconds: 60 });
    expect(error.detail).toMatch(/a ended twice at this request; its file may be damaged/);
  });

  it('tell of full queues', async () => {
    const house = open({ a: { chat: 'busy' } });
    expect(await errorOf(ask(house, 'a'))).toMatchObject({ kind: 'unavailable', status: null, retryAfterSeconds: 3 });
  });
});

describe('a crash', () => {
  it('ends the requests under way with an error, and the next one finds the model loaded anew', async () => {
    const house = open({ a: { chat: 'stream' } });
    const call = ask(house, 'a');
    await until(() => call.text() !== '');
    const first = house.pid('a');
    process.kill(first, 'SIGKILL');
    const error = await errorOf(call);
    expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(error.detail).toContain('ended in the middle of this answer');
    // It was in use, so that it comes back by itself.
    await until(() => house.supervisor.statuses().some(({ phase, pid }) => phase === 'loaded' && pid !== first));
    const next = ask(house, 'a');
    await until(() => next.text() !== '');
    expect(next.text()).not.toContain(`a ${first}`);
    next.run.abort();
  });

  it('before the first word of an answer hurts nobody', async () => {
    const asked = ask(open({ a: { chat: 'die-once' } }), 'a');
    expect(await asked.over).toMatchObject({ type: 'end' });
    expect(asked.text()).toContain('a ');
  });

  it('does not hurt calls that come before it is noticed', async () => {
    const house = open({ a: {} });
    await ask(house, 'a').over;
    process.kill(house.pid('a'), 'SIGKILL');
    const embedded = await house.engine.embed?.({
      requestId: 'r',
      model: 'a',
      input: ['x'],
      dimensions: null,
      signal: never,
    });
    expect(embedded?.vectors).toEqual([[house.pid('a')]]);
  });
});
