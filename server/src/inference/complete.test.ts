import { describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import { type ChatResult, complete } from './complete.ts';
import { createPrepare } from './request/prepare.ts';
import { createRouter } from './routing/index.ts';

const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
const down = new EngineError('unavailable', 'down', { status: 503 });

/** A chat of a model with two engines, and what its client got. */
function setting(more: object = {}) {
  const [first, second] = [scriptedEngine(), scriptedEngine()];
  const engines = new Map([
    ['first', [{ engine: first.engine, weight: 1 }]],
    ['second', [{ engine: second.engine, weight: 1 }]],
  ]);
  const router = createRouter({ engines, limits, log: silent });
  onTestFinished(() => router.close());
  const catalogue = createCatalogue({
    models: {
      m: {
        engines: [
          { engine: 'first', priority: 0 },
          { engine: 'second', priority: 1 },
        ],
        reasoning: { default: 'on', keys: ['reasoning'], format: 'open' },
        template_keys: { think: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
    },
  });
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], ...more };
  const chat = createPrepare({ catalogue, maxJsonBytes: 10_000 })(Buffer.from(JSON.stringify(body)), null);
  const seen: string[] = [];
  const results: ChatResult[] = [];
  const clock = { now: 1_000_000 };
  const running = complete(
    { router, memory: new Map(), now: () => clock.now },
    chat,
    { requestId: 'r', toolStream: 'openai' },
    {
      open: () => void seen.push('open'),
      write: (bytes) => seen.push(bytes) > 0,
      end: () => void seen.push('end'),
      reply: (bytes) => void seen.push(bytes),
      fail: (error) => void seen.push(String(error)),
    },
    (result) => results.push(result),
  );
  const fail = () => first.last().sink({ type: 'error', error: down });
  return { first, second, running, seen, results, clock, fail };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a chat whose engine fails', () => {
  test('before anything was sent goes to another one', async () => {
    const { second, seen, results, fail } = setting();
    fail();
    second.say('Hello');
    second.end();
    await turn();
    expect(seen.join('')).toContain('Hello');
    expect(results).toMatchObject([{ outcome: 'ok', engine: 'script' }]);
  });

  test('after a sign of life was sent fails, as another would begin anew', async () => {
    const { second, running, seen, results, fail } = setting();
    running.ping();
    fail();
    await turn();
    expect(second.calls).toEqual([]);
    expect(seen).toEqual(['open', ': ping\n\n', 'EngineError: down']);
    expect(results).toMatchObject([{ outcome: 'error', error: down, firstTokenMs: null }]);
    // A call that failed before anything came has cost its caller nothing.
    expect(results[0]?.usage).toMatchObject({ promptTokens: 0, completionTokens: 0 });
  });
});

describe('how a chat ended', () => {
  test('is told once, with the time to its first event and what it used', async () => {
    const { first, running, results, clock } = setting();
    clock.now += 250;
    first.say('Hello');
    clock.now += 250;
    first.say(' you');
    first.end();
    running.cancel();
    running.stop();
    await turn();
    expect(results).toMatchObject([
      {
        outcome: 'ok',
        error: null,
        engine: 'script',
        firstTokenMs: 250,
        usage: { promptTokens: 7, completionTokens: 3 },
      },
    ]);
  });

  test.each(['cancel', 'stop'] as const)('is canceled after %s, and its engine is stopped', (how) => {
    const { first, running, results } = setting();
    first.say('Hello');
    running[how]();
    first.say(' you');
    expect(first.last().aborted).toBe(true);
    expect(results).toMatchObject([{ outcome: 'canceled', error: null }]);
  });
});

test('thinking that begins without a mark is known by the model having been asked to think', async () => {
  const texts = async (think: boolean) => {
    const { first, seen } = setting({ stream: false, chat_template_kwargs: { think } });
    first.say('Let me see</think>42');
    first.end();
    await turn();
    const { choices } = JSON.parse(seen.join('')) as {
      choices: { message: { content: string; reasoning?: string } }[];
    };
    return choices[0]?.message;
  };
  expect(await texts(true)).toMatchObject({ content: '42', reasoning: 'Let me see' });
  expect(await texts(false)).toMatchObject({ content: 'Let me see</think>42' });
});

test('a stream keeps the thinking apart while it is being said', async () => {
  const { first, seen } = setting({ chat_template_kwargs: { think: true } });
  first.say('Let me ');
  await turn();
  expect(seen.join('')).toContain('"reasoning":"Let me"');
  expect(seen.join('')).not.toContain('"content":"Let me');
});
