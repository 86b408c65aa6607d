import { expect, test } from 'vitest';
import { batchSizeOf } from './serving.ts';

test.each([
  [512, 1],
  [512, 4],
  [512, 8],
  [96, 2],
  [500, 12],
])('steps for %i prompt tokens and %i replies are of a size that is computed fast', (slice, parallel) => {
  const size = batchSizeOf(slice, parallel);
  expect(size % 16).toBe(0);
  expect(size).toBeGreaterThanOrEqual(slice + parallel);
  expect(size).toBeLessThan(slice + parallel + 64);
});
