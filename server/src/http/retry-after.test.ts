import { expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { EngineError } from '../ports/engine.ts';
import { createFailures } from '../http-kit/failures.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const surfaces = Object.entries(createFailures(silent));

test.each(surfaces)('Retry-After of the %s form is whole seconds, 1 to 60', (_name, render) => {
  const after = (error: Error) => render(error, 'r').headers['Retry-After'];
  for (const [wanted, told] of [
    [0, '1'],
    [0.2, '1'],
    [1, '1'],
    [1.2, '2'],
    [59, '59'],
    [60, '60'],
    [61, '60'],
    [86_400, '60'],
  ] as const) {
    expect(after(new StudioError('rate_limited', 'wait', { retryAfterSeconds: wanted }))).toBe(told);
    expect(after(new EngineError('unavailable', 'wait', { retryAfterSeconds: wanted }))).toBe(told);
    expect(after(new EngineError('timeout', 'wait', { limit: 'total', retryAfterSeconds: wanted }))).toBe(told);
  }
  // Every 503 has one, also where nobody knows for how long.
  expect(after(new StudioError('unavailable', 'down'))).toBe('5');
  expect(after(new EngineError('unavailable', 'down'))).toBe('5');
  expect(after(new EngineError('timeout', 'slow', { limit: 'total' }))).toBeUndefined();
});
