import { expect, test } from 'vitest';
import { createLimitsOf, rateHeaders, requireAllowed } from './rate.ts';

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

test("a key's own limits go before the configured ones, each by itself", () => {
  const limitsOf = createLimitsOf({ requestsPerMinute: 10, tokensPerMinute: 1000 });
  const of = (requestsPerMinute: number | null, tokensPerMinute: number | null) =>
    limitsOf({ limits: { requestsPerMinute, tokensPerMinute } });
  expect(of(null, null)).toEqual({ requestsPerMinute: 10, tokensPerMinute: 1000 });
  expect(of(3, null)).toEqual({ requestsPerMinute: 3, tokensPerMinute: 1000 });
  expect(of(null, 5)).toEqual({ requestsPerMinute: 10, tokensPerMinute: 5 });
});

test('a reservation that was not granted is a 429 that says whose limit it is, and when it is over', () => {
  expect(() => requireAllowed(state)).not.toThrow();
  const refused = { ...state, allowed: false };
  expect(() => requireAllowed(refused)).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      message: 'The rate limit of this API key is reached; try again in 42 seconds',
      retryAfterSeconds: 42,
    }),
  );
  expect(() => requireAllowed(refused, 'Your rate limit')).toThrow(
    'Your rate limit is reached; try again in 42 seconds',
  );
});
