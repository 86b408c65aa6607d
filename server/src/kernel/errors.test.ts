import { expect, test } from 'vitest';
import { errorCodes, httpStatuses, invalidRequest, quoteId, StudioError, withoutStack } from './errors.ts';

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

test('each code has its HTTP status', () => {
  expect(errorCodes.map((code) => `${code} ${httpStatuses[code]}`)).toEqual([
    'invalid_request 400',
    'unauthenticated 401',
    'forbidden 403',
    'not_found 404',
    'method_not_allowed 405',
    'conflict 409',
    'too_large 413',
    'unsupported_media_type 415',
    'unprocessable 422',
    'rate_limited 429',
    'client_closed 499',
    'internal 500',
    'unavailable 503',
    'timeout 504',
  ]);
});

test('an error without its stack is the same otherwise, and later ones have theirs', () => {
  const { stackTraceLimit } = Error;
  const cheap = withoutStack(() => new StudioError('unavailable', 'Text', { reason: 'engine_busy' }));
  expect(cheap).toMatchObject({ code: 'unavailable', message: 'Text', reason: 'engine_busy' });
  expect(cheap.stack).not.toContain('errors.test.ts');
  expect(() =>
    withoutStack(() => {
      throw new Error('in between');
    }),
  ).toThrow('in between');
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  expect(new Error('later').stack).toContain('errors.test.ts');
});
