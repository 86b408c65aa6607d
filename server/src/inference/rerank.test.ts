import { describe, expect, test } from 'vitest';
import { openTestCalls } from '../../test/support/inference.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import type { Engine, RerankCall } from '../ports/engine.ts';
import type { UsageRow } from '../usage/index.ts';
import { estimateRerankTokens, findReranker, rerank } from './rerank.ts';

const binding = { kind: 'rerank' as const, engines: [{ engine: 'e' }] };
const one = createCatalogue({ models: { ranks: binding } });
const two = createCatalogue({ models: { ranks: binding, orders: binding } });

describe('the model of a call', () => {
  const found = (wanted: string | null | undefined, catalogue = two, allowed: readonly string[] | null = null) =>
    findReranker(wanted, { catalogue }, allowed && new Set(allowed)).id;

  test('is the one that is asked for, or else the only one that may be', () => {
    expect(found('orders')).toBe('orders');
    expect(found(null, one)).toBe('ranks');
    expect(found(undefined, two, ['ranks', 'CORE-GOV'])).toBe('ranks');
  });

  test('is refused with those that may be asked for, by their names', () => {
    const refusal = (message: string) =>
      expect.objectContaining({ code: 'invalid_request', param: 'model', message }) as Error;
    const unknown = (name: string, list: string) =>
      refusal(`The reranking model "${name}" does not exist; use one of: ${list}`);
    expect(() => found(null)).toThrow(refusal('model is required; use one of: ranks, orders'));
    expect(() => found(null, createCatalogue({ models: {} }))).toThrow(
      refusal('There is no reranking model yet; add one of kind rerank'),
    );
    expect(() => found('nothing')).toThrow(unknown('nothing', 'ranks, orders'));
    expect(() => found('ranks', two, ['orders'])).toThrow(unknown('ranks', 'orders'));
    expect(() => found('CORE-GOV', two, [])).toThrow(unknown('CORE-GOV', 'none'));
  });
});

/** Ranks by an engine whose score of a document is its number; what the engine was asked, and what was metered. */
async function ranked(documents: readonly string[], more: { readonly top_n?: number } = {}, engine?: Partial<Engine>) {
  const asked: RerankCall[] = [];
  const rows: UsageRow[] = [];
  const rerankBy = (call: RerankCall) => {
    asked.push(call);
    const scores = call.documents.map((text) => Number.parseFloat(text));
    return Promise.resolve({ scores, promptTokens: call.documents.length });
  };
  const calls = openTestCalls({
    router: {
      call: ({ modelId, signal }, work) =>
        work({ id: 'e/0', ...(engine ?? { rerank: rerankBy }) } as Engine, modelId, signal),
    },
    record: (row) => void rows.push(row),
  });
  const { signal } = new AbortController();
  const actor = unlimitedActor({ tenantId: 't' as TenantId, keyId: 'k', userId: null });
  const call = calls.openUnlimited({ actor, requestId: 'r', endpoint: 'rerank', startedMs: 0, signal });
  const done = await rerank({ catalogue: one }, call, { query: 'q', documents: [...documents], ...more });
  return { done, asked, rows };
}

describe('documents', () => {
  test('come best first, equal ones in the order of the request, with their places', async () => {
    const { done } = await ranked(['0.2 a', '0.9 b', '0.2 c', '0.5 d']);
    expect(done).toEqual({
      model: 'ranks',
      promptTokens: 4,
      ranked: [
        { index: 1, score: 0.9, text: '0.9 b' },
        { index: 3, score: 0.5, text: '0.5 d' },
        { index: 0, score: 0.2, text: '0.2 a' },
        { index: 2, score: 0.2, text: '0.2 c' },
      ],
    });
    expect((await ranked(['0.2', '0.9', '0.5'], { top_n: 2 })).done.ranked.map(({ index }) => index)).toEqual([1, 2]);
  });

  test('are asked for some at a time, and metered together', async () => {
    const documents = Array.from({ length: 70 }, (_, at) => `${(70 - at) / 100}`);
    const { done, asked, rows } = await ranked(documents);
    expect(done.ranked.map(({ text }) => text)).toEqual(documents);
    expect(asked.map((part) => part.documents.length)).toEqual([32, 32, 6]);
    expect(asked[0]).toMatchObject({ requestId: 'r', model: 'ranks', query: 'q' });
    expect(rows).toMatchObject([{ model: 'ranks', engine: 'e/0', promptTokens: 70 }]);
  });

  test('are refused in words by an engine that cannot rank', async () => {
    await expect(ranked(['1'], {}, {})).rejects.toMatchObject({
      kind: 'refused',
      detail: 'The engine of this model cannot rerank',
    });
  });
});

test('a request is admitted with a token for each four bytes of its documents, the query counted with each', () => {
  expect(estimateRerankTokens({ query: '가나', documents: ['a', { text: 'bc' }] })).toBe(4);
});
