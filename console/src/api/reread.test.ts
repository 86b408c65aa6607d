import { expect, test } from 'vitest';
import { ApiError } from './error.ts';
import { rereadDelay } from './reread.ts';

const failed = (status: number) => ({ state: { status: 'error', error: new ApiError(status, 'code', 'A message') } });

test.for([0, 502, 503, 504])('a query that failed with %i is tried again by itself', (status) => {
  expect(rereadDelay(failed(status))).toBeGreaterThan(0);
});

test.for([400, 401, 403, 404, 409, 500])('one that failed with %i is not', (status) => {
  expect(rereadDelay(failed(status))).toBe(false);
});

test('one that is to be tried later is tried then', () => {
  const error = new ApiError(503, 'unavailable', 'A message', { retryAfterSeconds: 60 });
  expect(rereadDelay({ state: { status: 'error', error } })).toBe(60_000);
});

test('one that did not fail, or by a defect of the console, is not', () => {
  expect(rereadDelay({ state: { status: 'success', error: null } })).toBe(false);
  expect(rereadDelay({ state: { status: 'error', error: new TypeError('no such field') } })).toBe(false);
});
