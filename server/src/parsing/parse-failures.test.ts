import { expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
import { parseFailures } from './parse-failures.ts';

test('what is no fault of the document is told as the service tells it', () => {
  const cause = new Error('heap');
  expect(parseFailures.unavailable('Too many wait', 10)).toBeInstanceOf(StudioError);
  expect(parseFailures.unavailable('Too many wait', 10)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
  expect(parseFailures.tooLarge('Ask for fewer pages.', cause)).toMatchObject({
    code: 'unprocessable',
    message: 'TOO_LARGE: Ask for fewer pages.',
    param: 'file',
    cause,
  });
});
