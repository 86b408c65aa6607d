import { expect, test } from 'vitest';
import { amountText } from './local-models.ts';

const state = {
  phase: 'downloading',
  bytes: 312_000_000,
  total: 640_000_000,
  bytesPerSecond: 21_400_000,
  secondsLeft: 16,
  message: null,
  part: 1,
  parts: 1,
} as const;

test.each([
  [{}, '312 of 640 MB  48 %  21.4 MB/s  16 s left'],
  [{ bytes: 0 }, '0 of 640 MB  0 %  21.4 MB/s  16 s left'],
  [{ bytes: 12_000, total: 95_400, bytesPerSecond: 64_300 }, '12 of 95 kB  12 %  64 kB/s  16 s left'],
  [{ bytes: 12_000, total: null, secondsLeft: null }, '12 kB  21.4 MB/s'],
  [{ bytes: 95_400, total: 95_400, phase: 'verifying', parts: 3, part: 2 }, 'file 2 of 3  95 kB  verifying'],
] as const)('the amount of a download is told in its unit: %j', (more, text) => {
  expect(amountText({ ...state, ...more })).toBe(text);
});
