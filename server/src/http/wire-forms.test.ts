import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorCodes, StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { EngineError } from '../ports/engine.ts';
import { statusOf, toStudioError } from '../ports/failure.ts';
import { createFailures } from '../http-kit/failures.ts';
import { covers } from '../../test/requirements.ts';

/** A log that keeps what was an error. */
function listening() {
  const errors: unknown[] = [];
  const log: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (fields) => void errors.push(fields),
    child: () => log,
  };
  return { errors, ...createFailures(log) };
}
const { openAi, console: consoleForm, envelope } = listening();

/** Status, type and code on each surface. Source: decisions section 1, "Error forms". */
const forms: Readonly<Record<ErrorCode, readonly [status: number, type: string, code: string]>> = {
  invalid_request: [400, 'invalid_request_error', '400'],
  unauthenticated: [401, 'authentication_error', '401'],
  forbidden: [403, 'permission_error', '403'],
  not_found: [404, 'not_found_error', '404'],
  method_not_allowed: [405, 'invalid_request_error', '405'],
  conflict: [409, 'invalid_request_error', '409'],
  too_large: [413, 'invalid_request_error', '413'],
  unsupported_media_type: [415, 'invalid_request_error', '415'],
  unprocessable: [422, 'invalid_request_error', '422'],
  rate_limited: [429, 'rate_limit_error', '429'],
  client_closed: [499, 'invalid_request_error', '499'],
  internal: [500, 'server_error', '50000'],
  unavailable: [503, 'server_error', '50300'],
  timeout: [504, 'server_error', '50400'],
};

/** Status and type in the form of Messages. Source: Anthropic API reference, "Errors". */
const messagesForms: Readonly<Record<ErrorCode, readonly [status: number, type: string]>> = {
  invalid_request: [400, 'invalid_request_error'],
  unauthenticated: [401, 'authentication_error'],
  forbidden: [403, 'permission_error'],
  not_found: [404, 'not_found_error'],
  method_not_allowed: [405, 'invalid_request_error'],
  conflict: [409, 'invalid_request_error'],
  too_large: [413, 'request_too_large'],
  unsupported_media_type: [415, 'invalid_request_error'],
  unprocessable: [422, 'invalid_request_error'],
  rate_limited: [429, 'rate_limit_error'],
  client_closed: [499, 'invalid_request_error'],
  internal: [500, 'api_error'],
  unavailable: [529, 'overloaded_error'],
  timeout: [504, 'timeout_error'],
};

test.each(errorCodes)('a failure with the code %s has its form in Messages', (code) => {
  covers('messages.errors.statuses');
  const [status, type] = messagesForms[code];
  const form = listening().messages(new StudioError(code, 'What is wrong', { param: 'a.b' }), 'r');
  expect(form).toMatchObject({
    status,
    headers: { 'request-id': 'r' },
    body: { type: 'error', error: { type, message: 'What is wrong' }, request_id: 'r' },
  });
});

describe.each(errorCodes)('a failure with the code %s', (code) => {
  const [status, type, wireCode] = forms[code];
  const error = new StudioError(code, 'What is wrong', { param: 'a.b' });
  const waiting = status === 503 ? { 'Retry-After': '5' } : {};

  test('has its form on each surface', () => {
    expect(openAi(error, 'r')).toMatchObject({
      status,
      body: { error: { message: 'What is wrong', type, param: 'a.b', code: wireCode } },
    });
    expect(envelope(error, 'r')).toMatchObject({
      status,
      body: { status: { code: `${status}${code === 'invalid_request' ? '01' : '00'}`, message: 'What is wrong' } },
    });
    expect(envelope(new StudioError(code, 'x'), 'r').body).toEqual({ status: { code: `${status}00`, message: 'x' } });
    expect(consoleForm(error, 'r')).toEqual({
      status,
      headers: { ...waiting, 'Cache-Control': 'no-store' },
      body: {
        error: {
          code,
          reason: null,
          message: 'What is wrong',
          param: 'a.b',
          values: {},
          retry_after_seconds: null,
          request_id: 'r',
        },
      },
    });
    expect(statusOf(error)).toBe(status);
  });

  test('asks for credentials only where it is about them, and never in the console', () => {
    const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : waiting;
    expect(openAi(error, 'r').headers).toEqual(headers);
    expect(envelope(error, 'r').headers).toEqual(headers);
  });

  test('is in the log where the service itself is at fault', () => {
    const heard = listening();
    for (const render of [heard.openAi, heard.console, heard.envelope]) render(error, 'r');
    expect(heard.errors).toHaveLength(code === 'internal' ? 3 : 0);
  });
});

test('the console has words for reasons that it knows, and says how long to wait', () => {
  const error = (reason: string) =>
    new StudioError('unavailable', 'm', { reason, values: { n: 1 }, retryAfterSeconds: 7 });
  expect(consoleForm(error('disk_full'), 'r')).toMatchObject({
    headers: { 'Retry-After': '7', 'Cache-Control': 'no-store' },
    body: { error: { reason: 'disk_full', values: { n: 1 }, retry_after_seconds: 7 } },
  });
  expect(consoleForm(error('nobody knows this'), 'r').body).toMatchObject({ error: { reason: null } });
});

describe('a failure of an engine', () => {
  const told = (error: EngineError) => {
    const { code, message, param, retryAfterSeconds, cause } = toStudioError(error);
    expect(cause).toBe(error);
    return [code, message, param, retryAfterSeconds];
  };
  const more = { detail: 'For callers', param: 'messages', retryAfterSeconds: 9 };

  test.each<[string, EngineError, unknown[]]>([
    [
      'refused',
      new EngineError('refused', 'secret', { ...more, status: 400 }),
      ['invalid_request', 'For callers', 'messages', undefined],
    ],
    [
      'refused as too large',
      new EngineError('refused', 'secret', { ...more, status: 413 }),
      ['too_large', 'For callers', 'messages', undefined],
    ],
    [
      'refused without words',
      new EngineError('refused', 'secret'),
      ['invalid_request', 'The model server refused the request', null, undefined],
    ],
    ['unavailable', new EngineError('unavailable', 'secret', more), ['unavailable', 'For callers', null, 9]],
    [
      'unavailable without words',
      new EngineError('unavailable', 'secret'),
      ['unavailable', 'The model is not available at the moment; try again later', null, undefined],
    ],
    [
      'a limit of its own, as long as it says',
      new EngineError('unavailable', 'secret', { status: 429, retryAfterSeconds: 9 }),
      ['rate_limited', 'The model server takes no more requests for this model now; try again later', null, 9],
    ],
    [
      'a limit of its own without a time',
      new EngineError('unavailable', 'secret', { status: 429 }),
      ['rate_limited', 'The model server takes no more requests for this model now; try again later', null, 1],
    ],
    [
      'slow',
      new EngineError('timeout', 'secret', { retryAfterSeconds: 9 }),
      ['timeout', 'The model took too long', null, 9],
    ],
    [
      'slow to connect',
      new EngineError('timeout', 'secret', { limit: 'connect' }),
      ['timeout', 'The time limit for reaching the model server (connect_ms) ran out', null, undefined],
    ],
    [
      'past a limit',
      new EngineError('timeout', 'The limit of 9 ms', { limit: 'total' }),
      ['timeout', 'The limit of 9 ms', null, undefined],
    ],
    [
      'nonsense',
      new EngineError('protocol', 'secret', more),
      ['internal', 'The model server gave an answer that cannot be read; try again', null, 9],
    ],
  ])('that is %s', (_name, error, expected) => expect(told(error)).toEqual(expected));
});

test('anything else is told nothing of, and is in the log with its causes', () => {
  const heard = listening();
  const error = new TypeError('secret', { cause: new Error('deeper', { cause: 'deepest' }) });
  expect(heard.openAi(error, 'r').body).toEqual({
    error: { message: 'Internal Server Error', type: 'server_error', param: null, code: '50000' },
  });
  const deepest = { message: 'deepest' };
  const deeper = { name: 'Error', message: 'deeper', cause: deepest };
  expect(heard.errors).toMatchObject([
    { requestId: 'r', err: { name: 'TypeError', message: 'secret', cause: deeper } },
  ]);
  const full = toStudioError(Object.assign(new Error('write'), { code: 'ENOSPC' }));
  expect(full).toMatchObject({ code: 'unavailable', reason: 'disk_full' });
});
