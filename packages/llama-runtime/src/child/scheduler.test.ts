import { describe, expect, test } from 'vitest';
import type { NativeContext } from './native.ts';
import { type Generation, createScheduler } from './scheduler.ts';
import { MAX_PASSED, type Priority } from './turns.ts';

/** A fake of the native side that knows what each sequence holds, and refuses to be told otherwise. */
function fakeContext() {
  const held: number[][] = [];
  const of = (id: number) => (held[id] ??= []);
  const read: number[] = [];
  let logits = 0;
  const context = {
    initBatch() {},
    addToBatch(id: number, first: number, tokens: Uint32Array, wanted: Uint32Array) {
      expect(of(id)).toHaveLength(first);
      of(id).push(...tokens);
      read.push(...tokens);
      return wanted.map(() => logits++);
    },
    decodeBatch: () => Promise.resolve(),
    removeTokenCellsFromSequence(id: number, start: number) {
      held[id] = of(id).slice(0, start);
      return true;
    },
    disposeSequence: (id: number) => void (held[id] = []),
    getSequenceKvCacheMinPosition: () => 0,
    copySequenceStateFromOtherSequence(target: number, source: number) {
      held[target] = [...of(source)];
      return Promise.resolve(of(source).length - 1);
    },
  };
  return { context: context as unknown as NativeContext, held, read };
}

const prompt = Uint32Array.from({ length: 200 }, (_, i) => i + 1);

/** A reply of so many tokens, the number of the choice each. */
function generation(choice: number, length: number, text = prompt) {
  const { promise: over, resolve } = Promise.withResolvers<string>();
  let left = length;
  const one: Generation = {
    prompt: text,
    start: () => undefined,
    next: () => Promise.resolve(left-- > 0 ? 1000 + choice : null),
    fail: (error) => resolve(String(error)),
    close: () => resolve('closed'),
  };
  return { one, over };
}

function open(parallel: number, maxQueue = 20) {
  const fake = fakeContext();
  const scheduler = createScheduler({
    context: fake.context,
    parallel,
    contextLength: 512,
    slidingWindow: null,
    maxQueue,
    batch: 64,
    onActivity: () => undefined,
  });
  return { ...fake, scheduler };
}

describe('choices of one request', () => {
  test.each([8, 4, 1])('read their prompt once, %i at a time', async (parallel) => {
    const { scheduler, read, held } = open(parallel);
    const choices = Array.from({ length: 6 }, (_, i) => generation(i, 3 + i));
    scheduler.add(choices.map(({ one }) => one));
    for (const { over } of choices) expect(await over).toBe('closed');
    // All but the last token, which each of them reads.
    expect(read.filter((token) => token < 200)).toHaveLength(199);
    expect(read.filter((token) => token === 200)).toHaveLength(6);
    for (const tokens of held.filter(({ length }) => length > 0)) {
      expect(tokens.slice(0, 200)).toEqual([...prompt]);
      expect(new Set(tokens.slice(200)).size).toBeLessThanOrEqual(1);
    }
    await scheduler.stop();
  });

  test('are read by the next when the first is given up', async () => {
    const { scheduler, read } = open(4);
    const choices = Array.from({ length: 3 }, (_, i) => generation(i, 2));
    const tickets = scheduler.add(choices.map(({ one }) => one));
    await new Promise((resolve) => setImmediate(resolve));
    tickets?.[0]?.abort();
    for (const { over } of choices) expect(await over).toBe('closed');
    expect(read.filter((token) => token === 1001)).toHaveLength(2);
    expect(read.filter((token) => token === 1002)).toHaveLength(2);
    await scheduler.stop();
  });

  test('of other requests do not wait for each other', async () => {
    const { scheduler, read } = open(4);
    const [first, second] = [generation(0, 2), generation(1, 2)];
    scheduler.add([first.one]);
    scheduler.add([second.one]);
    expect(await first.over).toBe('closed');
    expect(await second.over).toBe('closed');
    expect(read.filter((token) => token === 1)).toHaveLength(2);
    await scheduler.stop();
  });
});

describe('calls of several priorities', () => {
  /** Calls that note when they begin, one token each; `hold` is one that goes on until the test lets it go. */
  function house(parallel: number, maxQueue?: number) {
    const opened = open(parallel, maxQueue);
    const begun: string[] = [];
    const call = (name: string, priority?: Priority) => {
      const { one, over } = generation(0, 1, Uint32Array.of(name.length, begun.length + 1));
      const taken = opened.scheduler.add([{ ...one, start: () => begun.push(name) }], priority);
      return { over, taken };
    };
    const hold = (priority?: Priority) => {
      let held = true;
      const { one } = generation(0, 0, Uint32Array.of(1, 2));
      const next = () => new Promise<number | null>((resolve) => setImmediate(() => resolve(held ? 3 : null)));
      opened.scheduler.add([{ ...one, next }], priority);
      return () => void (held = false);
    };
    return { ...opened, begun, call, hold };
  }

  test('the more urgent ones begin first, whoever came before', async () => {
    const { begun, call, hold, scheduler } = house(1);
    const letGo = hold('batch');
    const calls = [call('ingest', 'ingest'), call('batch', 'batch'), call('asked 1', 'interactive'), call('asked 2')];
    letGo();
    for (const { over } of calls) expect(await over).toBe('closed');
    expect(begun).toEqual(['asked 1', 'asked 2', 'batch', 'ingest']);
    await scheduler.stop();
  });

  test('one for which nobody waits gets through all the same', async () => {
    const { begun, call, hold, scheduler } = house(1);
    const letGo = hold();
    const batch = call('batch', 'batch');
    const others = Array.from({ length: MAX_PASSED + 4 }, (_, i) => call(`asked ${i}`));
    letGo();
    expect(await batch.over).toBe('closed');
    for (const { over } of others) expect(await over).toBe('closed');
    expect(begun.indexOf('batch')).toBe(MAX_PASSED);
    await scheduler.stop();
  });

  test('a place is left free for the next person who asks', async () => {
    const { begun, call, hold, scheduler } = house(2);
    const letGo = hold('batch');
    const batch = call('batch', 'batch');
    const asked = call('asked');
    expect(await asked.over.then(() => begun)).toEqual(['asked']);
    letGo();
    expect(await batch.over).toBe('closed');
    expect(begun).toEqual(['asked', 'batch']);
    await scheduler.stop();
  });

  test('a full queue of the background refuses nobody who is more urgent', async () => {
    const { call, hold, scheduler } = house(1, 2);
    const letGo = hold('batch');
    const waiting = [call('b1', 'batch'), call('b2', 'batch')];
    expect(call('b3', 'batch').taken).toBeNull();
    const asked = [call('a1'), call('a2')];
    expect(asked.every(({ taken }) => taken !== null)).toBe(true);
    expect(call('a3').taken).toBeNull();
    letGo();
    for (const { over } of [...waiting, ...asked]) expect(await over).toBe('closed');
    await scheduler.stop();
  });
});
