import { expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
import { ModelProfile } from '../models/profile.ts';
import { EngineError } from '../ports/engine.ts';
import { createFallbacks, fallbackHeader, fallbackReasonOf, type UsedFallback } from './fallback.ts';
import type { PreparedChat } from './request/prepare.ts';

const profile = (fallbacks: unknown) => ModelProfile.parse({ fallbacks });
const down = new EngineError('unavailable', 'down');
const context = { contextLength: 1, promptTokens: 2, isExact: true, completionTokens: null, maxCompletionTokens: null };

test.each<[string | null, unknown]>([
  ['unavailable', down],
  ['unavailable', new EngineError('timeout', 'late', { limit: 'first_token' })],
  ['unavailable', new EngineError('protocol', 'odd')],
  ['overloaded', new EngineError('unavailable', 'full', { busy: true })],
  ['overloaded', new EngineError('unavailable', 'limited', { status: 429 })],
  ['context_length', new EngineError('refused', 'long', { status: 400, context })],
  [null, new EngineError('refused', 'wrong', { status: 400 })],
  [null, new EngineError('timeout', 'late', { limit: 'total' })],
  [null, new EngineError('timeout', 'late', { limit: 'whole_reply' })],
  [null, new StudioError('invalid_request', 'wrong')],
  [null, new Error('a bug')],
])('another model may answer for the reason %s where a call fails with %s', (reason, error) => {
  expect(fallbackReasonOf(error)).toBe(reason);
});

test('each fallback is tried once, in order, for its reasons, without those that refuse the request', () => {
  const asked: UsedFallback[] = [];
  const next = createFallbacks(
    profile(['refuses', { model: 'long', on: ['context_length'] }, 'second', { model: 'third', on: ['unavailable'] }]),
    (used) => {
      asked.push(used);
      if (used.model === 'refuses') throw new StudioError('invalid_request', 'no images');
      return used as unknown as PreparedChat;
    },
  );
  expect(next(down)).toEqual({ model: 'second', reason: 'unavailable' });
  expect(next(down)).toEqual({ model: 'third', reason: 'unavailable' });
  expect(next(down)).toBeNull();
  expect(asked.map(({ model }) => model)).toEqual(['refuses', 'second', 'third']);
});

test('the reason that is told is why the model that was asked for does not answer, whatever was wrong with others', () => {
  const busy = new EngineError('unavailable', 'full', { busy: true });
  const next = createFallbacks(
    profile(['a', { model: 'b', on: ['overloaded'] }]),
    (used) => used as unknown as PreparedChat,
  );
  expect([next(down), next(busy)]).toEqual([
    { model: 'a', reason: 'unavailable' },
    { model: 'b', reason: 'unavailable' },
  ]);
});

test('a fault of our own is no refusal', () => {
  const next = createFallbacks(profile(['a']), () => {
    throw new TypeError('oops');
  });
  expect(() => next(down)).toThrow('oops');
});

test('the header holds any id', () => {
  expect(fallbackHeader({ model: 'vendor/gpt-oss-120b', reason: 'unavailable' })).toBe(
    'vendor/gpt-oss-120b; reason=unavailable',
  );
  expect(fallbackHeader({ model: '모델; a', reason: 'overloaded' })).toBe(
    '%EB%AA%A8%EB%8D%B8%3B%20a; reason=overloaded',
  );
});
