import { defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { expect, it, describe } from 'vitest';
import { openTestChat } from '../../test/support/inference.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { silent } from '../../test/support/postgres.ts';
import { createRouter } from './routing/index.ts';
import { type Actor, noRights } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { unlimited } from '../kernel/rate-limits.ts';
import { StudioError } from '../kernel/errors.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import type { RateLimiter, RateState } from '../ports/rate-limiter.ts';
import { createPrivacyGuard, findPii, type PrivacyGuard } from '../privacy/index.ts';
import type { UsageRow } from '../usage/index.ts';

const limits = { ...unlimited, requestsPerMinute: 10, tokensPerMinute: 1_000 };
const actor: Actor = {
  tenantId: 'tenant' as TenantId,
  keyId: 'key',
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits,
  guard: null,
};
const timeouts = { connect_ms: 5000, first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
const body = (more: object = {}) =>
  Buffer.from(
    JSON.stringify({ model: 'script', stream: true, messages: [{ role: 'user', content: 'Hello' }], ...more }),
  );

/** A service of one scripted model, and what its limiter and its meter were told. */
function openHouse({ allowed = true, guard }: { allowed?: boolean; guard?: PrivacyGuard } = {}) {
  const script = scriptedEngine();
  const rows: UsageRow[] = [];
  const reserved: [subject: string, tokens: number][] = [];
  const settled: [subject: string, tokens: number][] = [];
  const state: RateState = { allowed, limit: 10, remaining: 5, resetSeconds: 7, window: 3 };
  const limiter: RateLimiter = {
    reserve(subject, _limits, { tokensPerMinute }) {
      reserved.push([subject, tokensPerMinute]);
      return state;
    },
    settle: (subject, _limits, { tokensPerMinute }) => void settled.push([subject, tokensPerMinute]),
    close: () => Promise.resolve(),
  };
  const router = createRouter({
    engines: new Map([[script.engine.id, [{ engine: script.engine, weight: 1 }]]]),
    limits: timeouts,
    log: silent,
  });
  const catalogue = createCatalogue({
    models: {
      script: { engines: [{ engine: 'script' }] },
      switch: {
        engines: [{ engine: 'script' }],
        reasoning: { default: 'on', keys: ['reasoning'], format: 'field' },
        template_keys: { enable_thinking: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
    },
  });
  const record = (row: UsageRow) => void rows.push(row);
  const openChat = openTestChat({ catalogue, router, limiter, record, ...(guard ? { guard } : {}) });
  const open = (who: Actor = actor) =>
    openChat({ actor: who, requestId: 'request', endpoint: 'chat', startedMs: Date.now() });
  /** Admits and runs a chat; its events come to `text`. */
  async function start(who: Actor = actor, more: object = {}) {
    const inference = open(who);
    const chat = await inference.admit(body(more));
    const results: string[] = [];
    let text = '';
    const running = inference.run(
      chat,
      { events: (event) => void (event.type === 'text' && (text += event.json)) },
      ({ outcome }) => results.push(outcome),
    );
    return { inference, running, results, text: () => text };
  }
  return { script, rows, reserved, settled, open, start, close: () => router.close() };
}

describe('a call of a chat model', () => {
  it('is counted against the limits by an estimate, and by what it used once that is known', async () => {
    const house = openHouse();
    const { results, text } = await house.start();
    house.script.say('Hi');
    house.script.end();
    expect(results).toEqual(['ok']);
    expect(text()).toBe('Hi');
    const [, estimate] = house.reserved[0] ?? ['', 0];
    expect(house.reserved).toEqual([['key', estimate]]);
    expect(estimate).toBeGreaterThan(0);
    expect(house.settled).toEqual([['key', 10 - estimate]]);
    house.close();
  });

  it.each([
    ['a key', actor, { keyId: 'key', userId: null }, 'key'],
    ['a person', { ...actor, keyId: null, userId: 'ada' }, { keyId: null, userId: 'ada' }, 'person/tenant/ada'],
    ['a key that a person used', { ...actor, userId: 'ada' }, { keyId: 'key', userId: null }, 'key'],
  ])('of %s is one row of theirs', async (_who, who, ids, subject) => {
    const house = openHouse();
    await house.start(who);
    house.script.end();
    expect(house.rows).toMatchObject([
      { ...ids, tenantId: 'tenant', endpoint: 'chat', model: 'script', engine: 'script', status: 200, outcome: 'ok' },
    ]);
    expect(house.rows[0]).toMatchObject({ promptTokens: 7, completionTokens: 3, reasoningTokens: 1, stream: true });
    expect(house.reserved[0]?.[0]).toBe(subject);
    house.close();
  });

  it.each([
    ['refused by its engine', new EngineError('refused', 'no', { detail: 'Too long' }), 400],
    ['whose engine is away', new EngineError('unavailable', 'no'), 503],
    ['that took too long', new EngineError('timeout', 'no', { limit: 'total' }), 504],
  ])('%s is a row with its status', async (_what, error, status) => {
    const house = openHouse();
    const { results } = await house.start();
    house.script.say('Half');
    house.script.last().sink({ type: 'error', error });
    expect(results).toEqual(['error']);
    expect(house.rows).toMatchObject([{ outcome: 'error', status }]);
    house.close();
  });

  it('for which its engine has no room is refused before anything is done for it, its body unread where it begins with the model', async () => {
    const house = openHouse();
    await house.start();
    house.script.end();
    const [rows, reserved] = [house.rows.length, house.reserved.length];
    house.script.setRefusal(new EngineError('unavailable', 'full', { busy: true, retryAfterSeconds: 7 }));
    const later = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], model: 'script' });
    for (const bytes of [body(), Buffer.from(later), Buffer.from('{"model":"script", "messages": [broken')])
      await expect(house.open().admit(bytes)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 7 });
    // What is wrong elsewhere is told as ever.
    await expect(house.open().admit(body({ model: 'nobody' }))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(house.rows).toHaveLength(rows);
    expect(house.reserved).toHaveLength(reserved);
    house.script.setRefusal(null);
    await house.open().admit(body());
    house.close();
  });

  it.each(['cancel', 'stop'] as const)(
    'that its caller ends (%s) is a row with 499, whatever was sent',
    async (how) => {
      const house = openHouse();
      const { running, results } = await house.start();
      house.script.say('Half');
      running[how]();
      expect(results).toEqual(['canceled']);
      expect(house.rows).toMatchObject([{ outcome: 'canceled', status: 499 }]);
      house.close();
    },
  );

  it('that was ended before it ran is ended at once', async () => {
    const house = openHouse();
    const inference = house.open();
    const chat = await inference.admit(body());
    inference.cancel();
    const results: string[] = [];
    inference.run(chat, { events: () => undefined }, ({ outcome }) => results.push(outcome));
    expect(results).toEqual(['canceled']);
    house.close();
  });

  it('beyond the limits is refused with the words for its actor, and nothing is given back', async () => {
    const house = openHouse({ allowed: false });
    const refused = { code: 'rate_limited', retryAfterSeconds: 7 };
    await expect(house.open().admit(body())).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/API key/) as string,
    });
    const person = house.open({ ...actor, keyId: null, userId: 'ada' });
    await expect(person.admit(body())).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/^Your rate limit/) as string,
    });
    expect(person.rate).toMatchObject({ remaining: 5 });
    expect(house.settled).toEqual([]);
    house.close();
  });

  it('that never ran gives back what it had reserved, once', async () => {
    const house = openHouse();
    const inference = house.open();
    await inference.admit(body());
    inference.settle();
    inference.settle();
    expect(house.settled.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(-(house.reserved[0]?.[1] ?? 0));
    expect(house.rows).toEqual([]);
    house.close();
  });

  it('that is admitted again, as its transaction was, holds one reservation', async () => {
    const house = openHouse();
    const inference = house.open();
    await inference.admit(body());
    await inference.admit(body());
    const [, estimate] = house.reserved[0] ?? ['', 0];
    expect(house.settled.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(-estimate);
    inference.settle();
    expect(house.settled.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(-2 * estimate);
    house.close();
  });

  it('that the policy for personal values refuses gives back what it had reserved', async () => {
    const refusal = new StudioError('unprocessable', 'It holds personal values');
    const guard: PrivacyGuard = {
      open: () => {
        throw refusal;
      },
      hide: (_policy, text) => text,
      hideInError: (_policy, error) => error,
    };
    const house = openHouse({ guard });
    const guarded = { ...actor, guard: { mode: 'refuse' } as Actor['guard'] };
    await expect(house.open(guarded).admit(body())).rejects.toBe(refusal);
    expect(house.settled).toEqual([['key', -(house.reserved[0]?.[1] ?? 0)]]);
    house.close();
  });

  it('tells what was found of personal values and what stands behind their tokens, and nothing before or without', async () => {
    const findings: unknown[] = [];
    const guard = createPrivacyGuard({
      box: createSecretBox(Buffer.alloc(32, 7)),
      search: { find: (text, policy) => Promise.resolve(findPii(text, policy)) },
      counts: { add: (...found: unknown[]) => void findings.push(found) },
    });
    const house = openHouse({ guard });
    const policy = { ...defaultGuardPolicy, mode: 'mask' as const, types: ['PHONE' as const] };
    const inference = house.open({ ...actor, guard: policy });
    expect([inference.findings, inference.maskedValues.size]).toEqual(['', 0]);
    const phone = '010-1234-5678';
    const chat = await inference.admit(body({ messages: [{ role: 'user', content: `Call ${phone}` }] }));
    expect(inference.findings).toBe('PHONE=1');
    expect([...inference.maskedValues.values()]).toEqual([phone]);
    expect(inference.chat).toBe(chat);
    const [token = ''] = inference.maskedValues.keys();
    expect(JSON.stringify(chat.body.request.messages)).toContain(token);
    expect(JSON.stringify(findings)).toContain('"chat"');
    let text = '';
    inference.run(chat, { events: (event) => void (event.type === 'text' && (text += event.json)) }, () => undefined);
    house.script.say(`Calling ${token} now`);
    house.script.end();
    expect(text).toBe(`Calling ${phone} now`);
    expect(JSON.stringify(inference.redactError(new Error(`no ${phone}`)), ['message'])).not.toContain(phone);

    const plain = house.open();
    const admitted = await plain.admit(body());
    expect([plain.findings, plain.maskedValues.size]).toEqual(['', 0]);
    expect(plain.chat).toBe(admitted);
    const error = new Error(phone);
    expect(plain.redactError(error)).toBe(error);
    house.close();
  });

  it('may be refused or fitted by its caller after the check, before anything is counted', async () => {
    const house = openHouse();
    const accept = () => {
      throw new StudioError('conflict', 'No');
    };
    await expect(house.open().admit(body(), { accept })).rejects.toMatchObject({ code: 'conflict' });
    expect(house.reserved).toEqual([]);
    const inference = house.open();
    const chat = await inference.admit(body(), { fit: () => body({ max_tokens: 5 }) });
    expect(chat.maxTokens).toBe(5);
    expect(inference.chat).toBe(chat);
    expect(house.reserved).toHaveLength(1);
    house.close();
  });

  it('that its caller ends gives back what was not used, and is settled once', async () => {
    const house = openHouse();
    const { inference, results } = await house.start();
    house.script.say('Half');
    inference.cancel();
    inference.cancel();
    expect(results).toEqual(['canceled']);
    const [row] = house.rows;
    const estimate = house.reserved[0]?.[1] ?? 0;
    expect(house.settled).toEqual([['key', (row?.promptTokens ?? 0) + (row?.completionTokens ?? 0) - estimate]]);
    expect(row?.completionTokens).toBe(1);
    house.close();
  });

  it('of a wrong body is counted as a request of no tokens', async () => {
    const house = openHouse();
    const inference = house.open();
    await expect(inference.admit(Buffer.from('{}'))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(house.reserved).toEqual([]);
    await inference.countRequest();
    await inference.countRequest();
    expect(house.reserved).toEqual([['key', 0]]);
    house.close();
  });

  it('hands on no thinking where its caller asked for none', async () => {
    const house = openHouse();
    const { text } = await house.start(actor, { model: 'switch', chat_template_kwargs: { enable_thinking: false } });
    house.script.say('hidden', 'reasoning');
    house.script.say('shown');
    house.script.end();
    expect(text()).toBe('shown');
    house.close();
  });
});
