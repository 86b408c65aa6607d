import { describe, expect, test } from 'vitest';
import type { NativeContext } from './native.ts';
import { type Generation, createScheduler } from './scheduler.ts';

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

function open(parallel: number) {
  const fake = fakeContext();
  const scheduler = createScheduler({
    context: fake.context,
    parallel,
    contextLength: 512,
    slidingWindow: null,
    maxQueue: 20,
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
