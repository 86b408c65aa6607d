import { expect, test } from 'vitest';
import { readBeginning, textOf } from './read.ts';

async function* parts(...all: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const part of all) yield await Promise.resolve(part);
}
const read = async (maxBytes: number, ...all: readonly Buffer[]) =>
  textOf(await readBeginning(parts(...all), maxBytes));

test('a text that was cut ends with its last whole character', async () => {
  const korean = Buffer.from('한글');
  expect(await read(100, korean.subarray(0, 2), korean.subarray(2))).toBe('한글');
  for (const most of [3, 4, 5]) expect(await read(most, korean)).toBe('한');
  expect(await read(6, korean, Buffer.from('x'))).toBe('한글');
  // What was no text is left as it is where nothing was cut.
  expect(await read(100, Buffer.from([0x61, 0xff]))).toBe('a\uFFFD');
});

test('bytes that are no text take no longer than others', async () => {
  // A search for their end from each place would take hours.
  const text = await read(4_000_000, Buffer.alloc(3_999_999, 0xff), Buffer.from('xy'));
  expect([text.length, text.endsWith('\uFFFDx')]).toEqual([4_000_000, true]);
});
