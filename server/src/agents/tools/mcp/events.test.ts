import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type StreamEvent, readEvents } from './events.ts';

const all = async (text: string, cuts: readonly number[], most = 1_000) => {
  const bytes = Buffer.from(text);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  );
  const parts = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
  const found: StreamEvent[] = [];
  for await (const event of readEvents(Readable.from(parts), most)) found.push(event);
  return found;
};

it('reads events wherever they are cut', async () => {
  const text =
    ': hello\r\n\r\nid: 7\r\nretry: 20\r\ndata: {"가":1}\r\n\r\nevent: message\ndata: a\ndata: b\n\ndata:c\r\rdata: begun';
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(200)), async (cuts) => {
      expect(await all(text, cuts)).toEqual([
        { data: '{"가":1}', id: '7', retryMs: 20, truncated: false },
        { data: 'a\nb', id: '7', retryMs: 20, truncated: false },
        { data: 'c', id: '7', retryMs: 20, truncated: false },
      ]);
    }),
  );
});

it('ends with the beginning of an event that is too long', async () => {
  const [only, ...more] = await all(`data: ${'x'.repeat(5_000)}\n\ndata: next\n\n`, [300, 1_500]);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ truncated: true });
  expect(only?.data.length).toBeGreaterThan(900);
});
