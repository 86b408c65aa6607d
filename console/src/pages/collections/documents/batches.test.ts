import { MAX_BATCH_BYTES, MAX_BATCH_FILES } from '@ai-studio/contract/console/retrieval.ts';
import { expect, test } from 'vitest';
import { sharesOf, takeBatch } from './batches.ts';

const dropped = (size: number) => ({ file: { name: 'a.txt', size } as File, folder: null });
const sizes = (given: readonly number[]) => {
  const waiting = given.map(dropped);
  const batches: number[][] = [];
  while (waiting.length > 0) batches.push(takeBatch(waiting).map(({ file }) => file.size));
  return batches;
};

test('small files go together, as many as one call takes, in their order', () => {
  const batches = sizes(Array.from({ length: MAX_BATCH_FILES * 2 + 1 }, (_, at) => at));
  expect(batches.map(({ length }) => length)).toEqual([MAX_BATCH_FILES, MAX_BATCH_FILES, 1]);
  expect(batches.flat()).toEqual(Array.from({ length: MAX_BATCH_FILES * 2 + 1 }, (_, at) => at));
});

test('a batch is no larger than one call may be, and a large file goes alone', () => {
  const mebibyte = 1024 * 1024;
  expect(sizes(Array.from({ length: 9 }, () => mebibyte))).toEqual([
    Array.from({ length: MAX_BATCH_BYTES / mebibyte }, () => mebibyte),
    [mebibyte],
  ]);
  expect(sizes([1, 2, mebibyte + 1, 3])).toEqual([[1, 2], [mebibyte + 1], [3]]);
  expect(sizes([0])).toEqual([[0]]);
});

test('progress of a batch is that of its files', () => {
  expect(sharesOf([10, 0, 20], -3)).toEqual([0, 0, 0]);
  expect(sharesOf([10, 0, 20], 5)).toEqual([0.5, 0, 0]);
  expect(sharesOf([10, 0, 20], 20)).toEqual([1, 1, 0.5]);
  expect(sharesOf([10, 0, 20], 99)).toEqual([1, 1, 1]);
});
