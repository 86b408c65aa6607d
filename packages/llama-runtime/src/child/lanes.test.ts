import { describe, expect, test } from 'vitest';
import { type Lane, createLanes } from './lanes.ts';
import type { NativeContext } from './native.ts';

const lane = (size: number): Lane => ({ size, context: {} as NativeContext });
const wide = lane(1_000);
const narrow = [lane(100), lane(100), lane(100)];
const open = () => createLanes({ wide, narrow, heavyTokens: 50 });
const inBatch = (tokens: number) => ({ tokens, inBatch: true });
const alone = (tokens: number) => ({ tokens, inBatch: false });

describe('lanes', () => {
  test('short texts are read side by side, the next when one is done', async () => {
    const lanes = open();
    const taken = await Promise.all([60, 60, 60].map((tokens) => lanes.acquire(inBatch(tokens))));
    expect(new Set(taken)).toEqual(new Set(narrow));
    const next = lanes.acquire(inBatch(60));
    lanes.release(narrow[1] as Lane);
    expect(await next).toBe(narrow[1]);
  });

  test('a long text waits for all others, and those who came after it wait for it', async () => {
    const lanes = open();
    const short = await lanes.acquire(inBatch(10));
    const order: string[] = [];
    const long = lanes.acquire(inBatch(500)).then((given) => (order.push('long'), given));
    const after = lanes.acquire(inBatch(10)).then((given) => (order.push('after'), given));
    lanes.release(short);
    expect(await long).toBe(wide);
    expect(order).toEqual(['long']);
    lanes.release(wide);
    expect(narrow).toContain(await after);
  });

  test('a text that is alone has all threads where it is worth them', async () => {
    const lanes = open();
    const heavy = await lanes.acquire(alone(60));
    expect(heavy).toBe(wide);
    lanes.release(heavy);
    const light = await lanes.acquire(alone(40));
    expect(narrow).toContain(light);
    // It is not alone now.
    expect(narrow).toContain(await lanes.acquire(alone(60)));
  });

  test('without narrow ones all texts take turns', async () => {
    const lanes = createLanes({ wide, narrow: [], heavyTokens: 50 });
    expect(await lanes.acquire(inBatch(1))).toBe(wide);
    const next = lanes.acquire(alone(1));
    lanes.release(wide);
    expect(await next).toBe(wide);
  });

  test('texts that somebody waits for come before those of documents', async () => {
    const lanes = createLanes({ wide, narrow: [], heavyTokens: 50 });
    const taken = await lanes.acquire(inBatch(1));
    const order: string[] = [];
    const calls = (['ingest', 'batch', 'interactive'] as const).map(async (priority) => {
      const given = await lanes.acquire({ ...inBatch(1), priority });
      order.push(priority);
      lanes.release(given);
    });
    lanes.release(taken);
    await Promise.all(calls);
    expect(order).toEqual(['interactive', 'batch', 'ingest']);
  });

  test('stop waits for those in use and turns away the others', async () => {
    const lanes = open();
    await lanes.acquire(alone(60));
    const refused = expect(lanes.acquire(alone(60))).rejects.toThrow(/unloaded/);
    const stopped = lanes.stop();
    await refused;
    await expect(lanes.acquire(alone(1))).rejects.toThrow(/unloaded/);
    lanes.release(wide);
    await stopped;
    await lanes.stop();
  });
});
