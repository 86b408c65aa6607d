import { describe, expect, test } from 'vitest';
import { openTestCalls } from '../../test/support/inference.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import { embed, embedWith } from './embed.ts';

const catalogue = createCatalogue({ models: { vectors: { kind: 'embedding', engines: [{ engine: 'e' }] } } });
const model = catalogue.get('vectors');
if (model === undefined) throw new Error('the catalogue lacks its model');
const actor = unlimitedActor({ tenantId: 't' as TenantId, keyId: 'k', userId: null });

/** A call whose engine answers so. */
function callOf(answer: () => Promise<EmbedResult>) {
  const engine = { id: 'e/0', embed: answer } as unknown as Engine;
  const calls = openTestCalls({ router: { call: ({ modelId, signal }, work) => work(engine, modelId, signal) } });
  const { signal } = new AbortController();
  return calls.within({ actor, requestId: 'r', endpoint: 'embeddings', startedMs: 0, signal });
}
const gives = (...vectors: (number[] | Float32Array)[]) => callOf(() => Promise.resolve({ vectors, promptTokens: 1 }));
const fails = (thrown: Error) => callOf(() => Promise.reject(thrown));
const ask = (call: ReturnType<typeof callOf>) => embed({ catalogue }, call, { model: 'vectors', input: ['a', 'b'] });

describe('vectors that cannot be used are a 503 with the time to wait, and are not metered', () => {
  test.each<[string, (number[] | Float32Array)[]]>([
    ['too few', [[1, 2]]],
    ['none at all', []],
    [
      'of zeros alone',
      [
        [1, 2],
        [0, 0],
      ],
    ],
    [
      'of numbers too small to keep',
      [
        [1, 2],
        [1e-60, 0],
      ],
    ],
    ['with NaN', [[1, 2], Float32Array.of(NaN, 1)]],
    [
      'of numbers too large to keep',
      [
        [1, 2],
        [1e39, 1],
      ],
    ],
    ['of different lengths', [[1, 2], [1]]],
    ['without numbers', [[], []]],
  ])('%s', async (_what, vectors) => {
    const call = gives(...vectors);
    const error: unknown = await ask(call).catch((thrown: unknown) => thrown);
    expect(toStudioError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(toStudioError(error).message).toContain('vectors gave');
    expect(call.model).toBeNull();
  });

  test('of another length than that of the collection', async () => {
    const wish = { dimensions: null, length: 3 };
    await expect(embedWith(gives([1, 2]), model, ['a'], wish)).rejects.toMatchObject({ kind: 'protocol' });
    expect(await embedWith(gives([1, 2, 3]), model, ['a'], wish)).toMatchObject({ vectors: [[1, 2, 3]] });
  });
});

describe('an embedder that fails', () => {
  test.each([
    ['with an answer that is none', new EngineError('protocol', 'no'), 'unavailable', 5],
    ['by being away', new EngineError('unavailable', 'no'), 'unavailable', 5],
    ['by asking for a pause', new EngineError('unavailable', 'no', { retryAfterSeconds: 9 }), 'unavailable', 9],
    ['by its time limit', new EngineError('timeout', 'no', { limit: 'total' }), 'timeout', undefined],
    ['by refusing the text', new EngineError('refused', 'no', { detail: 'too long' }), 'invalid_request', undefined],
  ] as const)('%s', async (_what, thrown, code, retryAfterSeconds) => {
    const error: unknown = await ask(fails(thrown)).catch((one: unknown) => one);
    expect(toStudioError(error)).toMatchObject({ code, retryAfterSeconds });
  });
});
