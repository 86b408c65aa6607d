import { describe, expect, test } from 'vitest';
import { openTestCalls } from '../../test/support/inference.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { type EmbedCall, type EmbedResult, type Engine, EngineError } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import { embed, embedWith, estimateEmbedTokens } from './embed.ts';
import { asModelUnavailable } from './model-unavailable.ts';

const catalogue = createCatalogue({ models: { vectors: { kind: 'embedding', engines: [{ engine: 'e' }] } } });
const model = catalogue.get('vectors');
if (model === undefined) throw new Error('the catalogue lacks its model');
const actor = unlimitedActor({ tenantId: 't' as TenantId, keyId: 'k', userId: null });

/** A call whose engine answers so; null is one that makes no vectors. */
function callOf(
  answer: ((call: EmbedCall) => Promise<EmbedResult>) | null,
  allowedModels: ReadonlySet<string> | null = null,
) {
  const engine = { id: 'e/0', ...(answer ? { embed: answer } : {}) } as unknown as Engine;
  const calls = openTestCalls({ router: { call: ({ modelId, signal }, work) => work(engine, modelId, signal) } });
  const { signal } = new AbortController();
  return calls.openUnlimited({
    actor: { ...actor, allowedModels },
    requestId: 'r',
    endpoint: 'embeddings',
    startedMs: 0,
    signal,
  });
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

test('vectors are of the length that was asked for, or the request is refused', async () => {
  const asked = (dimensions: number | null) =>
    embed({ catalogue }, gives([1, 2]), { model: 'vectors', input: 'a', dimensions });
  expect((await asked(2)).vectors).toEqual([[1, 2]]);
  expect((await asked(null)).vectors).toEqual([[1, 2]]);
  await expect(asked(1)).rejects.toMatchObject({ code: 'invalid_request', param: 'dimensions' });
});

test.each([
  ['query', 'Q: a'],
  ['search_query', 'Q: a'],
  ['passage', 'P: a'],
  ['document', 'P: a'],
  ['search_document', 'P: a'],
  [undefined, 'a'],
] as const)('before texts of the type %s stands what the model wants there', async (type, sent) => {
  const embedding = { query_prefix: 'Q: ', passage_prefix: 'P: ' };
  const prefixed = createCatalogue({
    models: { vectors: { kind: 'embedding', engines: [{ engine: 'e' }], embedding } },
  });
  const asked: string[] = [];
  const call = callOf(({ input }) => {
    asked.push(...(input as string[]));
    return Promise.resolve({ vectors: [[1, 2]], promptTokens: 1 });
  });
  await embed({ catalogue: prefixed }, call, { model: 'vectors', input: 'a', input_type: type });
  expect(asked).toEqual([sent]);
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

  test.each([
    [new EngineError('protocol', 'no', { status: 500 }), 'vectors gave an answer that cannot be used'],
    [new EngineError('unavailable', 'no', { status: 500 }), 'vectors cannot be reached at the moment'],
    [new EngineError('unavailable', 'no', { status: 500, detail: 'in its words' }), 'in its words'],
  ])('says which one it is, and what it did', async (thrown, detail) => {
    await expect(ask(fails(thrown))).rejects.toMatchObject({
      status: 500,
      detail: expect.stringMatching(`${detail}$`) as string,
      cause: thrown,
    });
    expect(asModelUnavailable(new EngineError('timeout', 'no'), 'embedding model vectors')).toMatchObject({
      detail: 'The embedding model vectors did not answer in time',
    });
  });
});

describe('the model of a call', () => {
  const several = createCatalogue({
    models: {
      vectors: { kind: 'embedding', engines: [{ engine: 'e' }] },
      words: { kind: 'embedding', engines: [{ engine: 'e' }] },
    },
  });
  const embedders = several.list().filter(({ kind }) => kind === 'embedding');
  const refusalOf = async (wanted: string, allowed: readonly string[] | null) => {
    const call = callOf(() => expect.fail('no engine is asked'), allowed && new Set(allowed));
    const error: unknown = await embed({ catalogue: several }, call, { model: wanted, input: 'a' }).catch(
      (thrown: unknown) => thrown,
    );
    return toStudioError(error);
  };

  test('is the one that is asked for, or else that of the installation', async () => {
    expect(await embed({ catalogue: several }, gives([1]), { model: 'words', input: 'a' })).toMatchObject({
      model: 'words',
      engine: 'e/0',
      vectors: [[1]],
      promptTokens: 1,
    });
    const byDefault = await embed({ catalogue: several }, gives([1]), { input: 'a' });
    expect(byDefault.model).toBe(several.defaultEmbedder);
  });

  test('is refused with those that may be asked for, by their names', async () => {
    const unknown = 'The embedding model "nothing" does not exist; use one of: ';
    const refusal = { code: 'invalid_request', param: 'model' };
    const all = embedders.map(({ id }) => id).join(', ');
    expect(await refusalOf('nothing', null)).toMatchObject({ ...refusal, message: unknown + all });
    expect(await refusalOf('nothing', ['words', 'CORE-GOV'])).toMatchObject({ message: `${unknown}words` });
    expect(await refusalOf('nothing', [])).toMatchObject({ message: `${unknown}none` });
    expect(await refusalOf('vectors', ['words'])).toMatchObject(refusal);
    expect(await refusalOf('CORE-GOV', null)).toMatchObject(refusal);
  });

  test('is asked for all texts in their order, a few hundred at a time, as the caller wants them', async () => {
    const asked: EmbedCall[] = [];
    const call = callOf((part) => {
      asked.push(part);
      return Promise.resolve({ vectors: part.input.map((text) => [Number(text)]), promptTokens: part.input.length });
    });
    const input = Array.from({ length: 600 }, (_, at) => String(at + 1));
    const done = await embed({ catalogue }, call, { model: 'vectors', input, dimensions: 1 });
    expect(done.vectors.map(([number]) => String(number))).toEqual(input);
    expect(done.promptTokens).toBe(600);
    expect(asked.map((part) => part.input.length)).toEqual([256, 256, 88]);
    expect(asked[0]).toMatchObject({ requestId: 'r', model: 'vectors', dimensions: 1 });
  });

  test('whose engine makes no vectors is refused in words', async () => {
    await expect(embed({ catalogue }, callOf(null), { model: 'vectors', input: 'a' })).rejects.toMatchObject({
      kind: 'refused',
      detail: 'The engine of this model makes no embeddings',
    });
  });

  test('has the time that is given for all of it', async () => {
    const times: (number | undefined)[] = [];
    const calls = openTestCalls({
      router: {
        call: ({ totalMs }, _work) => {
          times.push(totalMs?.());
          return Promise.reject(new Error('enough'));
        },
      },
    });
    const { signal } = new AbortController();
    const call = calls.openUnlimited({ actor, requestId: 'r', endpoint: 'embeddings', startedMs: 0, signal });
    for (const wish of [{ dimensions: null }, { dimensions: null, totalMs: 7 }])
      await expect(embedWith(call, model, ['a'], wish)).rejects.toThrow('enough');
    expect(times).toEqual([undefined, 7]);
  });
});

test('a request is admitted with a token for each four bytes of all its texts', () => {
  expect(estimateEmbedTokens({ input: 'abcd' })).toBe(1);
  expect(estimateEmbedTokens({ input: ['가', 'ab'] })).toBe(2);
});
