import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { openScriptedSupervisor } from '../../test/scripted-supervisor.ts';
import { ModelUnavailable } from './index.ts';

const MIB = 1024 * 1024;

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

function open(...[models, settings]: Parameters<typeof openScriptedSupervisor>) {
  const house = openScriptedSupervisor(models, settings);
  closers.push(house.close);
  return house;
}

/** A call of a model: holds it for as long as its process answers. `over` resolves with the error it ended by, or null. */
function ask({ supervisor }: ReturnType<typeof open>, model: string) {
  const gone = new AbortController();
  let text = '';
  let ended = false;
  const work = async () => {
    const { socketPath, release } = await supervisor.acquire(model, gone.signal);
    try {
      const call = request({ socketPath, path: '/v1/chat/completions', signal: gone.signal }).end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      for await (const part of response) text += String(part);
    } finally {
      release();
      ended = true;
    }
  };
  const over: Promise<Error | null> = work().then(
    () => null,
    (error: Error) => error,
  );
  return { over, abort: () => gone.abort(), text: () => text, ended: () => ended };
}

async function failureOf(call: ReturnType<typeof ask>): Promise<ModelUnavailable> {
  const error = await call.over;
  if (error instanceof ModelUnavailable) return error;
  throw new Error('was given', { cause: error });
}

describe('models on demand', () => {
  it('are loaded once for all that wait, and stay', async () => {
    const house = open({ a: { loadMs: 50 } });
    const calls = [ask(house, 'a'), ask(house, 'a'), ask(house, 'a')];
    for (const call of calls) expect(await call.over).toBe(null);
    expect(calls.every(({ text }) => text().includes(`a ${house.pid('a')}`))).toBe(true);
    expect(house.phases('a')).toEqual(['loading', 'loaded']);
    expect(house.seen.some(({ phase, progress }) => phase === 'loading' && progress === 0.5)).toBe(true);
    expect(house.supervisor.statuses()).toMatchObject([{ id: 'a', phase: 'loaded', leases: 0 }]);
  });

  it.runIf(process.platform === 'linux')('have a limit to what requests may take beside the weights', async () => {
    const house = open({ a: {} });
    await ask(house, 'a').over;
    expect(readFileSync(`/proc/${house.pid('a')}/cmdline`, 'utf8').split('\0')).toContain('--max-old-space-size=1024');
  });

  it('go when they were not used for the time of keep-alive, but not while they are used', async () => {
    const house = open({ a: { chat: 'stream' } }, { keepAliveMs: 30 });
    const call = ask(house, 'a');
    await until(() => call.text().includes('"content":"."'));
    const pid = house.pid('a');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(house.loaded()).toEqual(['a']);
    call.abort();
    await until(() => house.loaded().length === 0 && !isAlive(pid));
    expect(house.phases('a')).toEqual(['loading', 'loaded', 'ready']);
  });

  it('make room for others: the least recently used goes, never a busy or a pinned one', async () => {
    const house = open({ a: {}, b: { chat: 'stream' }, c: {}, d: {} });
    await ask(house, 'a').over;
    const busy = ask(house, 'b');
    await until(() => busy.text() !== '');
    await ask(house, 'c').over;
    expect(house.loaded()).toEqual(['b', 'c']);
    await ask(house, 'd').over;
    expect(house.loaded()).toEqual(['b', 'd']);
    expect(busy.ended()).toBe(false);

    const pinned = open({ a: {}, b: {}, c: {} }, { pinned: ['a'] });
    pinned.supervisor.preload('a');
    await until(() => pinned.phases('a').includes('loaded'));
    await ask(pinned, 'b').over;
    await ask(pinned, 'c').over;
    expect(pinned.loaded()).toEqual(['a', 'c']);
  });

  it('that do not fit into what the machine has left take the place of idle ones', async () => {
    const house = open({ a: {}, b: { load: 'memory-once' } });
    await ask(house, 'a').over;
    expect(await ask(house, 'b').over).toBe(null);
    expect(house.loaded()).toEqual(['b']);
    expect(house.phases('b')).toEqual(['loading', 'loaded']);
  });

  it('wait for a busy one to make room', async () => {
    const house = open({ a: { chat: 'stream' }, b: {} }, { memoryBudgetBytes: 150 * MIB });
    const busy = ask(house, 'a');
    await until(() => busy.text() !== '');
    const waiting = ask(house, 'b');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(waiting.ended()).toBe(false);
    busy.abort();
    expect(await waiting.over).toBe(null);
  });

  it('are ended with the supervisor, loading ones too', async () => {
    const house = open({ a: { chat: 'stream' }, b: { load: 'hang' } });
    const call = ask(house, 'a');
    const waiting = ask(house, 'b');
    await until(() => call.text() !== '' && house.pid('b') > 0);
    const pids = [house.pid('a'), house.pid('b')];
    await house.supervisor.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    await failureOf(waiting);
    expect((await failureOf(ask(house, 'a'))).message).toContain('stopping');
  });

  it('are loaded anew when their file changed, after their last request', async () => {
    const house = open({ a: { chat: 'stream' } });
    const call = ask(house, 'a');
    await until(() => call.text() !== '');
    const old = house.pid('a');
    house.write('a', {});
    house.supervisor.forget('a');
    const next = ask(house, 'a');
    expect(await next.over).toBe(null);
    expect(isAlive(old)).toBe(true);
    call.abort();
    await until(() => !isAlive(old));
  });

  it('whose requests went away while they were loaded are loaded all the same', async () => {
    const house = open({ a: { loadMs: 50 } });
    const call = ask(house, 'a');
    call.abort();
    await until(() => house.phases('a').includes('loaded'));
    expect(call.text()).toBe('');
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
      const error = await failureOf(ask(house, id));
      expect(error.retryAfterSeconds).toBeGreaterThan(1);
      messages[id] = error.message;
    }
    expect(messages['bad']).toMatch(/bad could not be loaded: a reason for people\. .*studio models remove/);
    expect(messages['big']).toMatch(/memory_budget/);
    expect(messages['gone']).toMatch(/ended while it was loaded/);
    expect(messages['cut']).toMatch(/file of the model cut ended while it was read.*studio models remove/);
    expect(messages['none']).toMatch(/studio models import/);
    expect(house.phases('bad')).toEqual(['loading', 'failed']);
    expect(house.loaded()).toEqual([]);
  });

  it('are not tried again while their file is the same, and at once when it changed', async () => {
    const house = open({ a: { load: 'corrupt' } });
    await ask(house, 'a').over;
    const tries = house.seen.length;
    await ask(house, 'a').over;
    expect(house.seen).toHaveLength(tries);
    house.write('a', {});
    expect(await ask(house, 'a').over).toBe(null);
  });

  it('are refused at once where they could never have room', async () => {
    const house = open({ a: {} }, { memoryBudgetBytes: 50 * MIB });
    expect((await failureOf(ask(house, 'a'))).message).toMatch(/needs about 100 MiB .* may use 50 MiB/);
  });

  it('are refused at once where pinned ones, which never leave, hold the room', async () => {
    const house = open({ a: {}, b: {}, c: {} }, { pinned: ['a'] });
    house.supervisor.preload('a');
    house.supervisor.pin('b', true);
    await until(() => house.loaded().length === 2 && house.phases('b').includes('loaded'));
    const error = await failureOf(ask(house, 'c'));
    expect(error).toMatchObject({ retryAfterSeconds: 30 });
    expect(error.message).toMatch(/no room for the model c, .* of the 250 MiB .* pinned \(a, b\) keep 200 MiB.*unpin/);
    // So is one that is to be pinned as well.
    house.supervisor.pin('c', true);
    const refusals = () => house.seen.filter(({ id, phase }) => id === 'c' && phase === 'failed');
    await until(() => refusals().length === 2);
    expect(refusals().at(-1)?.reason).toMatch(/pinned \(a, b\)/);
    house.supervisor.pin('b', false);
    expect(await ask(house, 'c').over).toBe(null);
    expect(house.loaded()).toEqual(['a', 'c']);
  });

  it('are refused once the model whose room they wait for is pinned', async () => {
    const house = open({ a: { chat: 'stream' }, b: {} }, { memoryBudgetBytes: 150 * MIB });
    const busy = ask(house, 'a');
    await until(() => busy.text() !== '');
    const waiting = ask(house, 'b');
    await until(() => house.supervisor.statuses().some(({ id }) => id === 'b'));
    house.supervisor.pin('a', true);
    expect((await failureOf(waiting)).message).toMatch(/pinned \(a\)/);
    busy.abort();
  });
});

describe('a crash', () => {
  it('again and again makes pauses that grow, and the service goes on', async () => {
    const house = open({ a: { chat: 'exit' }, b: {} });
    for (let i = 0; i < 3; i++) expect(await ask(house, 'a').over).toBeInstanceOf(Error);
    expect(await ask(house, 'b').over).toBe(null);
    let last: Error | null;
    do last = await ask(house, 'a').over;
    while (!(last instanceof ModelUnavailable));
    expect(last.message).toContain('more than once');
    expect(last.retryAfterSeconds).toBeGreaterThan(0);
  });
});
