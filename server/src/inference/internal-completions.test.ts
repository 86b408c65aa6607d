import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { createPrepare } from './request/prepare.ts';
import { createRouter } from './routing/index.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import { createMetering, type UsageRow } from '../usage/index.ts';
import { createRunChat } from './run-chat.ts';
import { createInternalCompletions } from './internal-completions.ts';

/** A service that asks one scripted model, and what it counted. */
function setting() {
  const script = scriptedEngine();
  const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
  const router = createRouter({
    engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
    limits,
    log: silent,
  });
  onTestFinished(() => router.close());
  const catalogue = createCatalogue({
    models: {
      m: { engines: [{ engine: 'script' }] },
      thinker: {
        engines: [{ engine: 'script' }],
        reasoning: { default: 'on', keys: ['reasoning'], format: 'field' },
        template_keys: { think: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
    },
  });
  const rows: UsageRow[] = [];
  const questions = createInternalCompletions({
    catalogue,
    prepare: createPrepare({ catalogue, maxJsonBytes: 10_000 }),
    limiter: { reserve: () => expect.fail('not admitted again'), settle: () => expect.fail('not admitted again') },
    metering: createMetering({
      record(row, kept) {
        rows.push(row);
        kept?.();
      },
    }),
    run: createRunChat({ router }),
  });
  const spent: number[] = [];
  const ask = (signal = new AbortController().signal, model = 'm') =>
    questions.ask(
      { tenantId: 't' as TenantId, keyId: 'k', userId: null },
      {
        model,
        system: 'Find names',
        text: 'Hi',
        schema: { type: 'object' },
        signal,
        spend: ({ completionTokens }) => void spent.push(completionTokens),
      },
    );
  return { script, rows, spent, ask, has: questions.has };
}

test("a question of the service counts as its asker's, as a look for personal values", async () => {
  const { script, rows, spent, ask, has } = setting();
  expect([has('m'), has('other')]).toEqual([true, false]);
  const answer = ask();
  expect(script.last().call.body.request).toMatchObject({
    temperature: 0,
    messages: [
      { role: 'system', content: 'Find names' },
      { role: 'user', content: 'Hi' },
    ],
    response_format: { type: 'json_schema' },
  });
  script.say('thinking', 'reasoning');
  script.say('{"a":');
  script.say('1}');
  script.end();
  expect(await answer).toBe('{"a":1}');
  expect(rows).toMatchObject([{ endpoint: 'text/pii-mask', keyId: 'k', model: 'm', status: 200, completionTokens: 3 }]);
  expect(spent).toEqual([3]);
});

test('is asked once more in words where the server has no schemas, and fails in words for people', async () => {
  const { script, rows, ask } = setting();
  const answer = ask();
  script.last().sink({ type: 'error', error: new EngineError('refused', 'no schemas', { status: 400 }) });
  await expect.poll(() => script.calls.length).toBe(2);
  expect(script.last().call.body.request.response_format).toBeUndefined();
  script.last().sink({ type: 'error', error: new EngineError('timeout', 'secret') });
  await expect(answer).rejects.toThrow('The model took too long');
  expect(rows.map(({ status }) => status)).toEqual([400, 504]);
});

test('that takes too long is ended, and counts as one that its caller ended', async () => {
  const { script, rows, spent, ask } = setting();
  const gone = new AbortController();
  const answer = ask(gone.signal);
  script.say('{');
  gone.abort();
  await expect(answer).rejects.toThrow('it took too long');
  expect(script.last().aborted).toBe(true);
  expect(rows).toMatchObject([{ outcome: 'canceled', status: 499 }]);
  expect(spent).toHaveLength(1);
  await expect(ask(AbortSignal.abort())).rejects.toThrow('it took too long');
});

test('asks models that can think not to, and nobody else anything of it', async () => {
  const { script, ask } = setting();
  const never = new AbortController().signal;
  for (const [model, thinking] of [
    ['thinker', false],
    ['m', null],
  ] as const) {
    const answer = ask(never, model);
    expect(script.last().call.thinking).toBe(thinking);
    script.end();
    expect(await answer).toBe('');
  }
  expect(getEventListeners(never, 'abort')).toHaveLength(0);
});

test('is not asked again after any other failure, nor of a model that is not there', async () => {
  const { script, ask } = setting();
  const answer = ask();
  script.last().sink({ type: 'error', error: new EngineError('timeout', 'secret') });
  await expect(answer).rejects.toThrow('The model took too long');
  expect(script.calls).toHaveLength(1);
  await expect(ask(undefined, 'none')).rejects.toThrow('does not exist');
  expect(script.calls).toHaveLength(1);
});
