import { describe, expect, test } from 'vitest';
import { type Lane, createLanes } from './lanes.ts';
import type { NativeContext } from './native.ts';

const lane = (size: number): Lane => ({ size, context: {} as NativeContext });
const wide = lane(1_000);
const narrow = [lane(100), lane(100), lane(100)];
const open = () => createLanes({ wide, narrow, heavyFrom: 50 });
const inCompany = (tokens: number) => ({ tokens, inCompany: true });
const alone = (tokens: number) => ({ tokens, inCompany: false });

describe('lanes', () => {
  test('short texts are read side by side, the next when one is done', async () => {
    const lanes = open();
    const taken = await Promise.all([60, 60, 60].map((tokens) => lanes.take(inCompany(tokens))));
    expect(new Set(taken)).toEqual(new Set(narrow));
    const next = lanes.take(inCompany(60));
    lanes.give(narrow[1] as Lane);
    expect(await next).toBe(narrow[1]);
  });

  test('a long text waits for all others, and those who came after it wait for it', async () => {
    const lanes = open();
    const short = await lanes.take(inCompany(10));
    const order: string[] = [];
    const long = lanes.take(inCompany(500)).then((given) => (order.push('long'), given));
    const after = lanes.take(inCompany(10)).then((given) => (order.push('after'), given));
    lanes.give(short);
    expect(await long).toBe(wide);
    expect(order).toEqual(['long']);
    lanes.give(wide);
    expect(narrow).toContain(await after);
  });

  test('a text that is alone has all threads where it is worth them', async () => {
    const lanes = open();
    const heavy = await lanes.take(alone(60));
    expect(heavy).toBe(wide);
    lanes.give(heavy);
    const light = await lanes.take(alone(40));
    expect(narrow).toContain(light);
    // It is not alone now.
    expect(narrow).toContain(await lanes.take(alone(60)));
  });

  test('without narrow ones all texts take turns', async () => {
    const lanes = createLanes({ wide, narrow: [], heavyFrom: 50 });
    expect(await lanes.take(inCompany(1))).toBe(wide);
    const next = lanes.take(alone(1));
    lanes.give(wide);
    expect(await next).toBe(wide);
  });

  test('stop waits for those in use and turns away the others', async () => {
    const lanes = open();
    await lanes.take(alone(60));
    const refused = expect(lanes.take(alone(60))).rejects.toThrow(/unloaded/);
    const stopped = lanes.stop();
    await refused;
    await expect(lanes.take(alone(1))).rejects.toThrow(/unloaded/);
    lanes.give(wide);
    await stopped;
    await lanes.stop();
  });
});
