import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelFailure, type ModelStatus, type SupervisorSettings, createSupervisor } from '@ai-studio/llama-runtime';
import type { Logger } from '../../../kernel/log.ts';
import type { ChatCall, ChatEvent, ChatRun, EngineError } from '../../../ports/engine.ts';
import { createLlamaEngine } from './engine.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const childMain = join(import.meta.dirname, '../../../../test/fakes/model-process.ts');
const MIB = 1024 * 1024;
const never = new AbortController().signal;

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const until = async (true_: () => boolean) => {
  while (!true_()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A supervisor whose models are files that say how their process behaves. Each takes 100 MiB of a budget of 250. */
function open(models: Record<string, object>, settings: Partial<SupervisorSettings> = {}, loadMs?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
  const version: Record<string, number> = {};
  const write = (id: string, behaviour: object) => {
    writeFileSync(join(folder, id), JSON.stringify(behaviour));
    version[id] = (version[id] ?? 0) + 1;
  };
  for (const [id, behaviour] of Object.entries(models)) write(id, behaviour);
  const seen: ModelStatus[] = [];
  const supervisor = createSupervisor({
    settings: {
      memoryBudgetBytes: 250 * MIB,
      threads: 1,
      contextLength: 1024,
      parallel: 1,
      keepAliveMs: null,
      pinned: [],
      gpu: false,
      runtimeDir: null,
      maxQueue: 10,
      ...settings,
    },
    machine: { cores: 4, memoryBytes: 1024 * MIB },
    find(id) {
      if (version[id] === undefined) throw new ModelFailure('absent', `There is no model ${id}.`);
      const fingerprint = String(version[id]);
      return {
        id,
        path: join(folder, id),
        kind: 'chat',
        bytes: 3 * MIB,
        fingerprint,
        trainContext: 1024,
        tokenBytes: 1024,
      };
    },
    childMain,
    onStatus: (status) => seen.push(status),
    log: silent,
  });
  const engine = createLlamaEngine({ host: supervisor, log: silent, ...(loadMs === undefined ? {} : { loadMs }) });
  closers.push(async () => {
    await engine.close();
    await supervisor.close();
    rmSync(folder, { recursive: true });
  });
  const phases = (id: string) => [...new Set(seen.filter((one) => one.id === id).map(({ phase }) => phase))];
  const pid = (id: string) => supervisor.statuses().find((one) => one.id === id)?.pid ?? -1;
  return { supervisor, engine, write, seen, phases, pid };
}

const loaded = (house: ReturnType<typeof open>) =>
  house.supervisor
    .statuses()
    .map(({ id }) => id)
    .toSorted();

function ask({ engine }: ReturnType<typeof open>, model: string) {
  const events: ChatEvent[] = [];
  const { promise: over, resolve } = Promise.withResolvers<ChatEvent>();
  const request = { messages: [{ role: 'user' as const, content: 'x' }] };
  const call: ChatCall = {
    requestId: 'r',
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
  it('are loaded once for all that wait, and stay', async () => {
    const house = open({ a: { loadMs: 50 } });
    const calls = [ask(house, 'a'), ask(house, 'a'), ask(house, 'a')];
    for (const call of calls) expect(await call.over).toMatchObject({ type: 'end' });
    expect(new Set(calls.map(({ text }) => text()))).toEqual(new Set([`a ${house.pid('a')}`]));
    expect(house.phases('a')).toEqual(['loading', 'loaded']);
    expect(house.seen.some(({ phase, progress }) => phase === 'loading' && progress === 0.5)).toBe(true);
    expect(house.supervisor.statuses()).toMatchObject([{ id: 'a', phase: 'loaded', leases: 0 }]);
  });

  it.runIf(process.platform === 'linux')('have a limit to what requests may take beside the weights', async () => {
    const house = open({ a: {} });
    await ask(house, 'a').over;
    expect(readFileSync(`/proc/${house.pid('a')}/cmdline`, 'utf8').split('\0')).toContain('--max-old-space-size=1024');
  });

  it('are waited for as long as the limit says, and are loaded all the same', async () => {
    const house = open({ a: { loadMs: 300 }, b: { load: 'hang' } }, {}, 100);
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
    expect(loaded(house)).toContain('a');
  });

  it('go when they were not used for the time of keep-alive, but not while they are used', async () => {
    const house = open({ a: { chat: 'stream' } }, { keepAliveMs: 30 });
    const call = ask(house, 'a');
    await until(() => call.text().includes('.....'));
    const pid = house.pid('a');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(loaded(house)).toEqual(['a']);
    call.run.abort();
    await until(() => loaded(house).length === 0 && !isAlive(pid));
    expect(house.phases('a')).toEqual(['loading', 'loaded', 'ready']);
  });

  it('make room for others: the least recently used goes, never a busy or a pinned one', async () => {
    const house = open({ a: {}, b: { chat: 'stream' }, c: {}, d: {} });
    await ask(house, 'a').over;
    const busy = ask(house, 'b');
    await until(() => busy.text() !== '');
    await ask(house, 'c').over;
    expect(loaded(house)).toEqual(['b', 'c']);
    await ask(house, 'd').over;
    expect(loaded(house)).toEqual(['b', 'd']);
    expect(busy.events.at(-1)?.type).toBe('text');

    const pinned = open({ a: {}, b: {}, c: {} }, { pinned: ['a'] });
    pinned.supervisor.preload('a');
    await until(() => pinned.phases('a').includes('loaded'));
    await ask(pinned, 'b').over;
    await ask(pinned, 'c').over;
    expect(loaded(pinned)).toEqual(['a', 'c']);
  });

  it('that do not fit into what the machine has left take the place of idle ones', async () => {
    const house = open({ a: {}, b: { load: 'memory-once' } });
    await ask(house, 'a').over;
    expect(await ask(house, 'b').over).toMatchObject({ type: 'end' });
    expect(loaded(house)).toEqual(['b']);
    expect(house.phases('b')).toEqual(['loading', 'loaded']);
  });

  it('wait for a busy one to make room', async () => {
    const house = open({ a: { chat: 'stream' }, b: {} }, { memoryBudgetBytes: 150 * MIB });
    const busy = ask(house, 'a');
    await until(() => busy.text() !== '');
    const waiting = ask(house, 'b');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(waiting.events).toEqual([]);
    busy.run.abort();
    expect(await waiting.over).toMatchObject({ type: 'end' });
  });

  it('are ended with the supervisor, loading ones too', async () => {
    const house = open({ a: { chat: 'stream' }, b: { load: 'hang' } });
    const call = ask(house, 'a');
    const waiting = ask(house, 'b');
    await until(() => call.text() !== '' && house.pid('b') > 0);
    const pids = [house.pid('a'), house.pid('b')];
    await house.supervisor.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect((await errorOf(waiting)).kind).toBe('unavailable');
    expect((await errorOf(ask(house, 'a'))).message).toContain('stopping');
  });

  it('are loaded anew when their file changed, after their last request', async () => {
    const house = open({ a: { chat: 'stream' } });
    const call = ask(house, 'a');
    await until(() => call.text() !== '');
    const old = house.pid('a');
    house.write('a', {});
    house.supervisor.forget('a');
    const next = ask(house, 'a');
    expect(await next.over).toMatchObject({ type: 'end' });
    expect(isAlive(old)).toBe(true);
    call.run.abort();
    await until(() => !isAlive(old));
  });

  it('whose requests went away while they were loaded are loaded all the same', async () => {
    const house = open({ a: { loadMs: 50 } });
    const call = ask(house, 'a');
    call.run.abort();
    await until(() => house.phases('a').includes('loaded'));
    expect(call.events).toEqual([]);
    expect(house.supervisor.statuses()).toMatchObject([{ leases: 0 }]);
  });
});

describe('models that fail', () => {
  it('say why and what to do', async () => {
    const house = open({
      bad: { load: 'corrupt' },
      big: { load: 'memory' },
      gone: { load: 'exit' },
      cut: { load: 'cut' },
    });
    const messages: Record<string, string> = {};
    for (const id of ['bad', 'big', 'gone', 'cut', 'none']) {
      const error = await errorOf(ask(house, id));
      expect(error).toMatchObject({ kind: 'unavailable', status: null });
      expect(error.retryAfterSeconds).toBeGreaterThan(1);
      messages[id] = error.detail ?? '';
    }
    expect(messages['bad']).toMatch(/bad could not be loaded: a reason for people\. .*studio models remove/);
    expect(messages['big']).toMatch(/memory_budget/);
    expect(messages['gone']).toMatch(/ended while it was loaded/);
    expect(messages['cut']).toMatch(/file of the model cut ended while it was read.*studio models remove/);
    expect(messages['none']).toMatch(/studio models import/);
    expect(house.phases('bad')).toEqual(['loading', 'failed']);
    expect(loaded(house)).toEqual([]);
  });

  it('are not tried again while their file is the same, and at once when it changed', async () => {
    const house = open({ a: { load: 'corrupt' } });
    await ask(house, 'a').over;
    const tries = house.seen.length;
    await ask(house, 'a').over;
    expect(house.seen).toHaveLength(tries);
    house.write('a', {});
    expect(await ask(house, 'a').over).toMatchObject({ type: 'end' });
  });

  it('are refused at once where they could never have room', async () => {
    const house = open({ a: {} }, { memoryBudgetBytes: 50 * MIB });
    expect((await errorOf(ask(house, 'a'))).detail).toMatch(/needs about 100 MiB .* may use 50 MiB/);
  });

  it('are refused at once where pinned ones, which never leave, hold the room', async () => {
    const house = open({ a: {}, b: {}, c: {} }, { pinned: ['a'] });
    house.supervisor.preload('a');
    house.supervisor.pin('b', true);
    await until(() => loaded(house).length === 2 && house.phases('b').includes('loaded'));
    const error = await errorOf(ask(house, 'c'));
    expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 30 });
    expect(error.detail).toMatch(/no room for the model c, .* of the 250 MiB .* pinned \(a, b\) keep 200 MiB.*unpin/);
    // So is one that is to be pinned as well.
    house.supervisor.pin('c', true);
    const refusals = () => house.seen.filter(({ id, phase }) => id === 'c' && phase === 'failed');
    await until(() => refusals().length === 2);
    expect(refusals().at(-1)?.reason).toMatch(/pinned \(a, b\)/);
    house.supervisor.pin('b', false);
    expect(await ask(house, 'c').over).toMatchObject({ type: 'end' });
    expect(loaded(house)).toEqual(['a', 'c']);
  });

  it('are refused once the model whose room they wait for is pinned', async () => {
    const house = open({ a: { chat: 'stream' }, b: {} }, { memoryBudgetBytes: 150 * MIB });
    const busy = ask(house, 'a');
    await until(() => busy.text() !== '');
    const waiting = ask(house, 'b');
    await until(() => house.supervisor.statuses().some(({ id }) => id === 'b'));
    house.supervisor.pin('a', true);
    expect((await errorOf(waiting)).detail).toMatch(/pinned \(a\)/);
    busy.run.abort();
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

  it('again and again makes pauses that grow, and the service goes on', async () => {
    const house = open({ a: { chat: 'exit' }, b: {} });
    for (let i = 0; i < 3; i++) await errorOf(ask(house, 'a'));
    expect(await ask(house, 'b').over).toMatchObject({ type: 'end' });
    let last: EngineError;
    do last = await errorOf(ask(house, 'a'));
    while (!last.message.includes('more than once'));
    expect(last.retryAfterSeconds).toBeGreaterThan(0);
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
