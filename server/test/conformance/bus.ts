import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/ports/bus.ts';
import { eventually } from '../support/eventually.ts';

export interface BusUnderTest {
  /** A bus as another process of the same installation would have it. */
  open(): Promise<Bus>;
  /** Cuts the connections of all openings; null where there is none to cut. */
  readonly cut: (() => Promise<void>) | null;
  close(): Promise<void>;
}

/** What every adapter of the Bus port does. */
export function busConformance(name: string, make: () => Promise<BusUnderTest>): void {
  describe(`Bus: ${name}`, () => {
    let subject: BusUnderTest;
    let here: Bus;
    let there: Bus;

    beforeAll(async () => {
      subject = await make();
      [here, there] = await Promise.all([subject.open(), subject.open()]);
    });
    afterAll(() => subject.close());

    it('reaches every subscriber, here and elsewhere, on its channel only', async () => {
      const heard: unknown[][] = [[], [], []];
      const stops = await Promise.all([
        here.subscribe('a', (payload) => heard[0]?.push(payload)),
        there.subscribe('a', (payload) => heard[1]?.push(payload)),
        there.subscribe('b', (payload) => heard[2]?.push(payload)),
      ]);
      const payload = { text: '안녕 "world" 🙂', n: [1, null] };
      await here.publish('a', payload);
      await here.publish('b', 'last');
      await eventually(() => expect(heard).toEqual([[payload], [payload], ['last']]));
      await Promise.all(stops.map((stop) => stop()));
    });

    it('keeps the order of one sender and loses no repeated message, without anybody waiting in between', async () => {
      const heard: unknown[] = [];
      const stop = await there.subscribe('order', (payload) => heard.push(payload));
      const sent = Array.from({ length: 1_000 }, (_, i) => i >> 1);
      await Promise.all(sent.map((n) => here.publish('order', n)));
      await eventually(() => expect(heard).toHaveLength(sent.length));
      expect(heard).toEqual(sent);
      await stop();
    });

    it('hears nothing more after the subscription has ended, while others still do', async () => {
      const first: unknown[] = [];
      const second: unknown[] = [];
      const stopFirst = await here.subscribe('end', (payload) => first.push(payload));
      const stopSecond = await here.subscribe('end', (payload) => second.push(payload));
      await stopFirst();
      await stopFirst();
      await there.publish('end', 1);
      await eventually(() => expect(second).toEqual([1]));
      expect(first).toEqual([]);
      await stopSecond();
    });

    it('is not disturbed by a listener that throws', async () => {
      const heard: unknown[] = [];
      const stops = [
        await here.subscribe('throw', () => {
          throw new Error('listener');
        }),
        await here.subscribe('throw', (payload) => heard.push(payload)),
      ];
      await there.publish('throw', 1);
      await there.publish('throw', 2);
      await eventually(() => expect(heard).toEqual([1, 2]));
      await Promise.all(stops.map((stop) => stop()));
    });

    it('carries 7,000 bytes and refuses more', async () => {
      const heard: unknown[] = [];
      const stop = await there.subscribe('size', (payload) => heard.push(payload));
      const largest = '가'.repeat(2_332) + 'ab';
      await here.publish('size', largest);
      await expect(here.publish('size', `${largest}c`)).rejects.toThrow(RangeError);
      await eventually(() => expect(heard).toEqual([largest]));
      await stop();
    });

    it('mends a lost connection, tells of the gap, and goes on', async (context) => {
      if (subject.cut === null) return context.skip();
      const heard: unknown[] = [];
      let gaps = 0;
      const stop = await there.subscribe(
        'gap',
        (payload) => heard.push(payload),
        () => gaps++,
      );
      await subject.cut();
      await eventually(() => expect(gaps).toBeGreaterThan(0));
      await eventually(() => here.publish('gap', 'again'));
      await eventually(() => expect(heard).toContain('again'));
      await stop();
    });

    it('closes twice and then refuses to publish', async () => {
      const third = await subject.open();
      await Promise.all([third.close(), third.close()]);
      await expect(third.publish('a', 1)).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
}
