import { expect, test } from 'vitest';
import type { TenantId } from '../kernel/context.ts';
import { requireAllowed } from './admission.ts';

const state = { allowed: true, limit: 60, remaining: 7, resetSeconds: 42, window: 1 };

const tenantId = 't' as TenantId;
const key = { tenantId, keyId: 'k', userId: null };
const person = { tenantId, keyId: null, userId: 'ada' };

test('a reservation that was not granted is a 429 that says whose limit it is, and when it is over', () => {
  expect(() => requireAllowed(key, state)).not.toThrow();
  const refused = { ...state, allowed: false };
  expect(() => requireAllowed(key, refused)).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      message: 'The rate limit of this API key is reached; try again in 42 seconds',
      retryAfterSeconds: 42,
    }),
  );
  expect(() => requireAllowed(person, refused)).toThrow('Your rate limit is reached; try again in 42 seconds');
});
