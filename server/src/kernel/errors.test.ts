import { expect, test } from 'vitest';
import { invalidRequest, quoteId, StudioError } from './errors.ts';

test('a failure holds all that it was given, and nothing where it was given nothing', () => {
  const cause = new Error('why');
  const full = new StudioError('conflict', 'Text', {
    param: 'a',
    retryAfterSeconds: 3,
    cause,
    reason: 'name_taken',
    values: { name: 'x' },
  });
  expect({ ...full, message: full.message, cause: full.cause }).toEqual({
    name: 'StudioError',
    code: 'conflict',
    param: 'a',
    retryAfterSeconds: 3,
    reason: 'name_taken',
    values: { name: 'x' },
    message: 'Text',
    cause,
  });
  const bare = new StudioError('internal', 'Text');
  expect({ ...bare }).toEqual({
    name: 'StudioError',
    code: 'internal',
    param: null,
    retryAfterSeconds: undefined,
    reason: null,
    values: {},
  });
  expect('cause' in bare).toBe(false);
  expect(invalidRequest('Wrong', 'b')).toMatchObject({ code: 'invalid_request', message: 'Wrong', param: 'b' });
  expect(invalidRequest('Wrong').param).toBeNull();
});

test('an id is quoted, and cut after 100 characters', () => {
  expect(quoteId('a"b')).toBe(String.raw`"a\"b"`);
  expect(quoteId('x'.repeat(100))).toBe(`"${'x'.repeat(100)}"`);
  expect(quoteId('x'.repeat(101))).toBe(`"${'x'.repeat(100)}…"`);
});
