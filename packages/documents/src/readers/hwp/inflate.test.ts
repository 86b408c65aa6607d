import { constants, deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { createInflater } from './inflate.ts';

const limits = { inflatedBytes: 10_000_000, ratio: 500 };
const text = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 10_007).join(' '));

it('gives all of a sound stream, also with something after it', () => {
  const packed = Buffer.concat([deflateRawSync(text), Buffer.alloc(15)]);
  expect(createInflater(limits).inflate(packed)).toEqual({ bytes: text, whole: true });
});

it('gives what stands before the damage', () => {
  // A block of a kind that there is none of.
  const packed = Buffer.concat([deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }), Buffer.alloc(100, 7)]);
  const { bytes, whole } = createInflater(limits).inflate(packed);
  expect(whole).toBe(false);
  expect(Buffer.from(bytes).equals(text)).toBe(true);
});

it('gives what a cut stream still holds', () => {
  const packed = deflateRawSync(text);
  const { bytes } = createInflater(limits).inflate(packed.subarray(0, packed.length / 2));
  expect(bytes.length).toBeGreaterThan(text.length / 4);
  expect(text.subarray(0, bytes.length).equals(bytes)).toBe(true);
});

it('keeps within what is left of the limit, and within the ratio', () => {
  const inflater = createInflater({ inflatedBytes: text.length + 10, ratio: 500 });
  inflater.inflate(deflateRawSync(text));
  expect(() => inflater.inflate(deflateRawSync(text))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  const bomb = deflateRawSync(Buffer.alloc(5_000_000));
  expect(() => createInflater(limits).inflate(bomb)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  expect(() => inflater.count(100)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
});
