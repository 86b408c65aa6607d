import { describe, expect, test } from 'vitest';
import { openTestCalls } from '../../test/support/inference.ts';
import { createMemoryRateLimiter } from '../adapters/embedded/memory-rate-limiter.ts';
import { type Actor, noRights } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import type { UsageRow } from '../usage/index.ts';
import { Call } from './call.ts';
import { embed } from './embed.ts';
import { rerank } from './rerank.ts';

const actor: Actor = {
  tenantId: 't' as TenantId,
  keyId: 'k',
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits: { requestsPerMinute: 10, tokensPerMinute: 100 },
  guard: null,
};
const binding = { engines: [{ engine: 'e' }] };
const catalogue = createCatalogue({
  models: { vectors: { kind: 'embedding', ...binding }, ranks: { kind: 'rerank', ...binding } },
});

/** Calls over one engine, what was metered, and what is reserved of the limits at the moment. */
function setting(engine: Partial<Engine> = {}) {
  const rows: UsageRow[] = [];
  const state = { requests: 0, tokens: 0 };
  const calls = openTestCalls({
    router: { call: ({ modelId, signal }, work) => work({ id: 'e/0', ...engine } as Engine, modelId, signal) },
    limiter: {
      reserve(subject, { requestsPerMinute }, { requestsPerMinute: requests, tokensPerMinute: tokens }) {
        expect(subject).toBe('k');
        const allowed = state.requests < (requestsPerMinute ?? 0);
        if (allowed) {
          state.requests += requests;
          state.tokens += tokens;
        }
        return { allowed, limit: requestsPerMinute, remaining: 3, resetSeconds: 5, window: 7 };
      },
      settle(_subject, _limits, { requestsPerMinute: requests, tokensPerMinute: tokens }, window) {
        expect(window).toBe(7);
        state.requests += requests;
        state.tokens += tokens;
      },
    },
    record: (row) => void rows.push(row),
  });
  const gone = new AbortController();
  const details = { actor, requestId: 'r', endpoint: 'embeddings', startedMs: Date.now(), signal: gone.signal };
  const told: RateState[] = [];
  const admit = (tokens: number, who = actor) =>
    calls.admit({ ...details, actor: who }, tokens, (rate) => void told.push(rate));
  return { calls, details, rows, state, gone, told, admit };
}
const vectorsOf = ({ input }: { readonly input: readonly string[] }) => ({
  vectors: input.map(() => [1]),
  promptTokens: 4,
});

describe('a call of a model', () => {
  test('holds its estimate while it runs, and counts what it took once it is settled', async () => {
    const { admit, state, rows, told } = setting({ embed: (call) => Promise.resolve(vectorsOf(call)) });
    const call = await admit(30);
    expect(state).toEqual({ requests: 1, tokens: 30 });
    expect(told).toMatchObject([{ remaining: 3 }]);
    await expect(embed({ catalogue }, call, { model: 'vectors', input: 'Hi' })).resolves.toMatchObject({
      model: 'vectors',
      promptTokens: 4,
    });
    expect(state.tokens).toBe(30);
    call.settle();
    call.settle();
    expect(state).toEqual({ requests: 1, tokens: 4 });
    expect(rows).toMatchObject([
      {
        tenantId: 't',
        keyId: 'k',
        endpoint: 'embeddings',
        model: 'vectors',
        engine: 'e/0',
        status: 200,
        promptTokens: 4,
      },
    ]);
  });

  test('beyond the limits is a 429 that says whose limit it is and when it is over, and gives nothing back', async () => {
    const { calls, admit, state, told, rows } = setting();
    const full = { ...actor, limits: { requestsPerMinute: 0, tokensPerMinute: null } };
    const refusal = { code: 'rate_limited', retryAfterSeconds: 5 };
    const ofKey = { ...refusal, message: 'The rate limit of this API key is reached; try again in 5 seconds' };
    await expect(admit(30, full)).rejects.toMatchObject(ofKey);
    await expect(calls.count(full, (rate) => void told.push(rate))).rejects.toMatchObject(ofKey);
    expect(told).toMatchObject([{ allowed: false }, { allowed: false }]);
    expect([state, rows]).toEqual([{ requests: 0, tokens: 0 }, []]);
    const person = { ...full, keyId: null, userId: 'ada' };
    const refused = { reserve: () => ({ ...(told[0] as RateState) }), settle: () => expect.fail('nothing was held') };
    await expect(openTestCalls({ limiter: refused }).count(person)).rejects.toThrow(/^Your rate limit is reached/);
  });

  test('is refused by whichever of two limits is reached first', async () => {
    const limiter = createMemoryRateLimiter(Date.now);
    const calls = openTestCalls({ limiter });
    const { details } = setting();
    const first = await calls.admit({ ...details, actor }, 60);
    await expect(calls.admit({ ...details, actor }, 60)).rejects.toMatchObject({ code: 'rate_limited' });
    first.meter({ model: 'vectors', engine: null, promptTokens: 10 });
    first.settle();
    const second = await calls.admit({ ...details, actor }, 60);
    second.settle();
    expect(second.rate).toMatchObject({ limit: 100, remaining: 30 });
    for (let at = 0; at < 8; at++) await calls.count(actor);
    await expect(calls.count(actor)).rejects.toMatchObject({ code: 'rate_limited' });
    await limiter.close();
  });

  test('that is counted before its tokens are known is one request, and refused by the limit of tokens then', async () => {
    const limiter = createMemoryRateLimiter(Date.now);
    const details = { actor: { ...actor, limits: { requestsPerMinute: 2, tokensPerMinute: 100 } } };
    const open = () =>
      new Call({ limiter, metering: { record: () => undefined } }, { ...setting().details, ...details });
    const first = open();
    await first.reserve(first.details.actor, 0);
    await first.reserve(first.details.actor, 60);
    expect(first.rate).toMatchObject({ allowed: true, limit: 100, remaining: 40 });
    const second = open();
    await second.reserve(second.details.actor, 0);
    expect(second.rate).toMatchObject({ allowed: true, limit: 2, remaining: 0 });
    expect(() => second.reserve(second.details.actor, 60)).toThrow(/rate limit/);
    first.settle();
    // The last request of the minute was its own.
    await second.reserve(second.details.actor, 60);
    expect(second.rate).toMatchObject({ allowed: true });
    expect(() => open().reserve(second.details.actor, 0)).toThrow(/rate limit/);
    await limiter.close();
  });

  test('that fails gives back what it had reserved, and charges nothing', async () => {
    const { admit, state, rows } = setting({ embed: () => Promise.reject(new EngineError('unavailable', 'no')) });
    const call = await admit(30);
    await expect(embed({ catalogue }, call, { model: 'vectors', input: 'Hi' })).rejects.toThrow('no');
    call.settle();
    expect([state.tokens, rows]).toEqual([0, []]);
  });

  test.each([
    ['which failed', new EngineError('timeout', 'late'), false, { outcome: 'error', status: 504 }],
    ['whose caller left', new EngineError('timeout', 'late'), true, { outcome: 'canceled', status: 499 }],
    ['that came to its end after its caller left', undefined, true, { outcome: 'canceled', status: 499 }],
    ['that came to its end', undefined, false, { outcome: 'ok', status: 200 }],
  ])('%s is metered so, with what it took until then', async (_what, error, left, row) => {
    const { admit, gone, rows, state } = setting();
    const call = await admit(5);
    if (left) gone.abort();
    call.meter({ model: 'vectors', engine: 'e/0', promptTokens: 2, completionTokens: 7, error });
    call.settle();
    expect(rows).toMatchObject([{ ...row, promptTokens: 2, completionTokens: 7 }]);
    expect(state.tokens).toBe(9);
    expect(call.model).toBe('vectors');
  });

  test('counts what was spent elsewhere for it, also where it failed', async () => {
    const { admit, state, rows } = setting();
    const call = await admit(5);
    call.spend(12);
    call.settle();
    expect([state.tokens, rows]).toEqual([12, []]);
  });

  test('asks only models that its actor may use', async () => {
    const { calls, details } = setting();
    const call = calls.openUnlimited({ ...details, actor: { ...actor, allowedModels: new Set(['other']) } });
    const refused = { code: 'invalid_request', param: 'model' };
    await expect(embed({ catalogue }, call, { model: 'vectors', input: 'Hi' })).rejects.toMatchObject(refused);
    await expect(rerank({ catalogue }, call, { model: 'ranks', query: 'a', documents: ['b'] })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('a call within another', () => {
  const engine: Partial<Engine> = {
    embed: (call) => Promise.resolve(vectorsOf(call)),
    rerank: ({ documents }) => Promise.resolve({ scores: documents.map(() => 0.5), promptTokens: 9 }),
  };

  test('is counted by no limit, and metered once all of its work is done', async () => {
    const { calls, details, rows, state } = setting(engine);
    const call = calls.openUnlimited({ ...details, endpoint: 'search' });
    await call.deferMetering(async () => {
      await embed({ catalogue }, call, { model: 'vectors', input: 'Hi' });
      await rerank({ catalogue }, call, { model: 'ranks', query: 'Hi', documents: ['a', 'b'] });
      expect(rows).toEqual([]);
    });
    call.settle();
    expect(rows).toMatchObject([
      { endpoint: 'search', model: 'vectors', promptTokens: 4 },
      { endpoint: 'search', model: 'ranks', promptTokens: 9 },
    ]);
    expect(state).toEqual({ requests: 0, tokens: 0 });
  });

  test('whose work fails is not metered, nor what still runs beside it', async () => {
    const late = Promise.withResolvers<EmbedResult>();
    const { calls, details, rows } = setting({ ...engine, embed: () => late.promise });
    const call = calls.openUnlimited(details);
    let beside: Promise<unknown> = Promise.resolve();
    const work = call.deferMetering(async () => {
      beside = embed({ catalogue }, call, { model: 'vectors', input: 'Hi' });
      await rerank({ catalogue }, call, { model: 'ranks', query: 'Hi', documents: ['a'] });
      throw new Error('the index is away');
    });
    await expect(work).rejects.toThrow('the index is away');
    late.resolve(vectorsOf({ input: ['Hi'] }));
    await beside;
    expect(rows).toEqual([]);
  });
});
