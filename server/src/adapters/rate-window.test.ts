import { expect, test } from 'vitest';
import { amounts, limits } from '../../test/support/rate-limits.ts';
import { rateState, WINDOW_MS } from './rate-window.ts';

const state = (requests: number, tokens: number, ofRequests: number | null, ofTokens: number | null, now = 0) =>
  rateState(
    { startedMs: 0, used: amounts({ requestsPerMinute: requests, tokensPerMinute: tokens }) },
    limits(ofRequests, ofTokens),
    true,
    now,
  );

test('the limit that is nearest to its end is shown, requests where they are equally near', () => {
  expect(WINDOW_MS).toBe(60_000);
  expect(state(5, 40, 10, 100)).toMatchObject({ limit: 10, remaining: 5 });
  expect(state(5, 50, 10, 100)).toMatchObject({ limit: 10, remaining: 5 });
  expect(state(5, 51, 10, 100)).toMatchObject({ limit: 100, remaining: 49 });
  expect(state(5, 0, null, 100)).toMatchObject({ limit: 100, remaining: 100 });
  expect(state(0, 99, 10, null)).toMatchObject({ limit: 10, remaining: 10 });
  expect(state(9, 9, null, null)).toMatchObject({ limit: null, remaining: 0 });
});

test('what is left is whole and never less than none', () => {
  expect(state(0, 10.5, null, 100)).toMatchObject({ remaining: 89 });
  expect(state(0, 150, null, 100)).toMatchObject({ remaining: 0 });
});

test('the end of the window is told in whole seconds, one at least', () => {
  expect(state(0, 0, 1, null, 0)).toMatchObject({ resetSeconds: 60, window: 0, allowed: true });
  expect(state(0, 0, 1, null, 1)).toMatchObject({ resetSeconds: 60 });
  expect(state(0, 0, 1, null, 1000)).toMatchObject({ resetSeconds: 59 });
  expect(state(0, 0, 1, null, 59_999)).toMatchObject({ resetSeconds: 1 });
  expect(state(0, 0, 1, null, 60_000)).toMatchObject({ resetSeconds: 1 });
});
