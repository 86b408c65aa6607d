import { expect, test } from 'vitest';
import type { Logger } from '../kernel/log.ts';
import { EngineError } from '../ports/engine.ts';
import { createFailures } from './failures.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const { openAi, envelope } = createFailures(silent);

test('a connection that takes too long is a 504 that names connect_ms and not the engine', () => {
  const error = new EngineError('timeout', 'Engine gpu-7/1 gave no connection in 300 ms', { limit: 'connect' });
  for (const render of [openAi, envelope]) {
    const { status, body } = render(error, 'a');
    expect(status).toBe(504);
    expect(JSON.stringify(body)).toContain('connect_ms');
    expect(JSON.stringify(body)).not.toContain('gpu-7');
  }
});

test('other limits are named by the words of who watches them', () => {
  const message = 'The time limit of 9 ms for the first token (first_token_ms) ran out';
  expect(openAi(new EngineError('timeout', message, { limit: 'first_token' }), 'a').body).toMatchObject({
    error: { message, code: '50400' },
  });
});
