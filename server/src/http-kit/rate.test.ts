import { expect, test } from 'vitest';
import { rateHeaders } from './rate.ts';

const state = { allowed: true, limit: 60, remaining: 7, resetSeconds: 42, window: 1 };

test('headers show what is left, and the largest number where there is no limit', () => {
  expect(rateHeaders(state)).toEqual({
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '7',
    'X-RateLimit-Reset': '42',
  });
  expect(rateHeaders({ ...state, limit: null, remaining: 0 })).toEqual({
    'X-RateLimit-Limit': '2147483647',
    'X-RateLimit-Remaining': '2147483647',
    'X-RateLimit-Reset': '42',
  });
});
