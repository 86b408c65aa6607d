import { expect, test } from 'vitest';
import { StudioError } from '../../kernel/errors.ts';
import { EngineError } from '../../ports/engine.ts';
import { failureOf, fateOf, type TurnFate } from './turn-failure.ts';

const cause = (code: string) => Object.assign(new Error(code), { code });
const unavailable = (options: ConstructorParameters<typeof EngineError>[2] = {}) =>
  new EngineError('unavailable', 'down', options);
const late = (limit: 'connect' | 'first_token' | 'total' | 'whole_reply') =>
  new EngineError('timeout', 'late', { limit });

test.each<[TurnFate, TurnFate, string, unknown]>([
  ['waits', 'again', 'nobody listens', unavailable({ cause: cause('ECONNREFUSED') })],
  ['waits', 'again', 'its proxy has no server', unavailable({ status: 502 })],
  ['waits', 'again', 'its queue is full', unavailable({ status: 503, busy: true })],
  ['waits', 'again', 'it takes no more for now', unavailable({ status: 429 })],
  ['waits', 'again', 'it is not reached in time', late('connect')],
  ['again', 'again', 'it breaks the connection', unavailable({ cause: cause('ECONNRESET') })],
  ['again', 'again', 'it fails', unavailable({ status: 500 })],
  ['again', 'again', 'it says nothing', late('first_token')],
  ['fails', 'fails', 'the time is over', late('total')],
  ['fails', 'fails', 'the time of a whole reply is over', late('whole_reply')],
  ['fails', 'fails', 'it refuses the request', new EngineError('refused', 'no', { status: 400 })],
  ['fails', 'again', 'it wants another key', unavailable({ status: 401 })],
  ['fails', 'again', 'it has no such model', unavailable({ status: 404 })],
  ['fails', 'again', 'it is no model server', new EngineError('protocol', 'odd')],
  ['fails', 'fails', 'of a fault of our own', new Error('a bug')],
])('a response %s, or is made %s where something came of its turn, where %s', (before, within, _why, error) => {
  expect([fateOf(error, false), fateOf(error, true)]).toEqual([before, within]);
});

test('a turn that was refused is waited for, as long as there is patience', () => {
  const refused = new StudioError('unavailable', 'busy');
  expect(fateOf(refused, false)).toBe('waits');
  const patience = { attempts: 9, patienceMs: 60_000 };
  expect(failureOf(refused, 'waits', { ...patience, waitedMs: 59_999 })).toBeNull();
  expect(failureOf(refused, 'waits', { ...patience, waitedMs: 60_000 })).toMatchObject({
    code: 'unavailable',
    message: 'The response waited 1 minutes for its turn and was given up. The last refusal: busy',
  });
});

test('one that breaks off is made three times', () => {
  const error = unavailable();
  const patience = { waitedMs: Infinity, patienceMs: 1 };
  expect([1, 2, 3].map((attempts) => failureOf(error, 'again', { ...patience, attempts }))).toEqual([
    null,
    null,
    error,
  ]);
  expect(failureOf(error, 'fails', { ...patience, attempts: 1 })).toBe(error);
});
