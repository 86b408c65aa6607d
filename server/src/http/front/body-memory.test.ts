import { expect, test } from 'vitest';
import { BodyMemory, freeRead } from './body-memory.ts';

const KB = 1024;
const filled = (bytes: number, value: number) => Buffer.allocUnsafeSlow(bytes).fill(value);

test('pieces come back as one, and memory that was given back is used again', () => {
  const memory = new BodyMemory();
  const first = memory.join([filled(60 * KB, 1), filled(50 * KB, 2)]);
  expect(first.equals(Buffer.concat([filled(60 * KB, 1), filled(50 * KB, 2)]))).toBe(true);
  memory.give(first);
  expect(memory.kept).toBe(128 * KB);
  // Who still holds the first has nothing, and never another's bytes.
  expect(first).toHaveLength(0);
  const second = memory.join([filled(70 * KB, 3), filled(3, 4)]);
  expect(memory.kept).toBe(0);
  expect(first).toHaveLength(0);
  expect(second.equals(Buffer.concat([filled(70 * KB, 3), filled(3, 4)]))).toBe(true);
});

test('two bodies that are read at one time have memory of their own', () => {
  const memory = new BodyMemory();
  const bodies = [1, 2, 3].map((value) => memory.join([filled(40 * KB, value), filled(40 * KB, value)]));
  for (const [i, body] of bodies.entries()) expect(body.every((byte) => byte === i + 1)).toBe(true);
  for (const body of bodies) memory.give(body);
  const again = [4, 5, 6, 7].map((value) => memory.join([filled(70 * KB, value)]));
  for (const [i, body] of again.entries()) expect(body.every((byte) => byte === i + 4)).toBe(true);
});

test('very large bodies, and more than is needed, are not kept', () => {
  const memory = new BodyMemory();
  const large = memory.join([filled(3 * 1024 * KB, 1)]);
  memory.give(large);
  expect(large).toHaveLength(0);
  expect(memory.kept).toBe(0);
  const many = Array.from({ length: 20 }, () => memory.join([filled(1100 * KB, 1)]));
  for (const one of many) memory.give(one);
  expect(memory.kept).toBe(32 * 1024 * KB);
  // All were free at the last look; one is used until the next.
  memory.trim();
  memory.give(memory.join([filled(1100 * KB, 2)]));
  memory.trim();
  expect(memory.kept).toBe(2 * 1024 * KB);
  memory.trim();
  expect(memory.kept).toBe(0);
});

test('of reads only those are freed that share their memory with nothing', () => {
  const read = filled(20 * KB, 1);
  const part = read.subarray(KB);
  freeRead(part);
  expect(part).toHaveLength(19 * KB);
  freeRead(read);
  expect([read.length, part.length]).toEqual([0, 0]);
  const small = Buffer.from('a slice of what all share');
  freeRead(small);
  expect(small.toString()).toBe('a slice of what all share');
});
