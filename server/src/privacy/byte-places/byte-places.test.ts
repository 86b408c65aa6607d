import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { assemble } from '../../../../tools/assemble-wasm.mjs';
import { anyText } from '../../../test/support/any-text.ts';
import { bytePlaces } from './index.ts';

const digits = [0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39];
/** What survey.ts and windows.ts name: digits, the backslash, the percent sign, first bytes of what may be read as others. */
const matters = new Set([...digits, 0x5c, 0x25, 0xc2, 0xcd, 0xd8, 0xd9, 0xdb, 0xe1, 0xe2, 0xe3, 0xef, 0xf0]);

test('the module is the one that byte-places.wat assembles to', async () => {
  const committed = readFileSync(new URL('byte-places-module.ts', import.meta.url), 'utf8');
  expect(committed, 'node tools/assemble-wasm.mjs writes it anew').toBe(
    await (assemble as (source: string) => Promise<string>)('privacy/byte-places/byte-places'),
  );
});

test('it finds each byte that matters, and no other, in any part of a text', () => {
  const scan = bytePlaces();
  if (scan === null) throw new Error('no vectors');
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    anyText({ maxLength: 80 }).map((text) => new TextEncoder().encode(text)),
    fc.array(fc.constantFrom(...matters), { maxLength: 100 }).map((bytes) => Uint8Array.from(bytes)),
  );
  fc.assert(
    fc.property(any, fc.nat(40), fc.nat(40), (array, before, behind) => {
      const bytes = Buffer.from(array);
      const start = Math.min(before, bytes.length);
      const end = Math.max(start, bytes.length - behind);
      const count = scan.read(bytes, start, end);
      const expected = [...bytes.subarray(start, end)].flatMap((byte, at) => (matters.has(byte) ? [at] : []));
      expect([...scan.places.subarray(0, count)]).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
  const all = Buffer.alloc(scan.blockBytes, '7');
  expect(scan.read(all, 0, all.length)).toBe(scan.blockBytes);
  expect([...scan.places]).toEqual(Array.from(all, (_, at) => at));
  expect(scan.read(all, 5, 5)).toBe(0);
});
