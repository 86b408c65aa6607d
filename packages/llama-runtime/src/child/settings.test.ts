import { expect, test } from 'vitest';
import { mayUseGpu } from './settings.ts';

const here = process.platform === 'darwin';

test.each([
  ['auto', null, here],
  [true, null, here],
  [20, null, here],
  ['auto', '/opt/gpu', true],
  [20, '/opt/gpu', true],
  // Whoever names one is told where it is missing.
  ['cuda', null, true],
  ['off', '/opt/gpu', false],
  [0, '/opt/gpu', false],
  [false, '/opt/gpu', false],
])('gpu %s with the packages of %s: %s', (gpu, runtimeDir, may) => {
  expect(mayUseGpu({ gpu, runtimeDir })).toBe(may);
});
