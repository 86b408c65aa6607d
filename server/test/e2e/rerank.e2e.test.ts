import type { RerankReply } from '@ai-studio/contract/rerank.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, expectError, jsonOf } from '../support/http.ts';
import { answer, type Handler, type UpstreamCall } from '../support/upstream.ts';

const RERANK = '/v1/rerank';
const documents = ['점심은 12시입니다.', '휴가는 연 15일입니다.', '연차는 월 단위로 씁니다.'];
const body = { model: 'ranker', query: '연차는 며칠인가요?', documents };

/** Scores by length of the text, as a server of Cohere's form gives them: best first. */
const cohere = (score: (text: string) => number) => (sent: UpstreamCall) => {
  const texts = sent.json['documents'] as string[];
  const results = texts
    .map((text, index) => ({ index, relevance_score: score(text) }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score);
  return answer(200, { id: 'x', results, usage: { total_tokens: 21 } })(sent);
};

describe('reranking', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({
      models: {
        ranker: { kind: 'rerank', engines: [{ engine: 'fake', model: 'served-ranker' }] },
        builtinRanker: { kind: 'rerank', engines: [{ engine: 'builtin' }] },
      },
    });
  });
  afterAll(() => house.close());
  beforeEach(() => house.upstream.reset());

  test('orders the documents by their scores', async () => {
    covers('rerank.reply', 'rerank.paths', 'rerank.scores');
    house.upstream.plays(cohere((text) => text.length / 100));
    for (const path of [RERANK, '/api/v1/rerank', '/v1/rerank/']) {
      const reply = await call(house, path, { body });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers.get('x-ratelimit-limit')).toBeTruthy();
      const { id, ...rest } = jsonOf<RerankReply>(reply);
      expect(id).toMatch(/^rerank-/);
      expect(rest).toEqual({
        model: 'ranker',
        results: [
          { index: 2, relevance_score: 0.14 },
          { index: 1, relevance_score: 0.13 },
          { index: 0, relevance_score: 0.11 },
        ],
        usage: { prompt_tokens: 21, total_tokens: 21 },
      });
    }
    expect(house.upstream.calls[0]).toMatchObject({ path: RERANK, json: { model: 'served-ranker', documents } });
  });

  test('answers as Cohere does', async () => {
    covers('rerank.cohere');
    house.upstream.plays(cohere((text) => text.length / 100));
    for (const path of ['/v2/rerank', '/api/v2/rerank']) {
      const reply = await call(house, path, { body: { ...body, top_n: 2, max_tokens_per_doc: 4096 } });
      expect(reply.status, reply.text).toBe(200);
      expect(JSON.parse(reply.text)).toEqual({
        id: expect.stringMatching(/^rerank-/) as string,
        results: [
          { index: 2, relevance_score: 0.14 },
          { index: 1, relevance_score: 0.13 },
        ],
        meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
      });
    }
    const wrong = await call(house, '/v2/rerank', { body: { ...body, documents: [] } });
    expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([
      400,
      {
        id: wrong.headers.get('x-request-id'),
        message: expect.stringContaining('documents') as string,
        error: { code: '400' },
      },
    ]);
    const nobody = await fetch(`${house.base}/v2/rerank`, { method: 'POST', body: '{}' });
    expect([nobody.status, await nobody.json()]).toMatchObject([401, { message: expect.any(String) as string }]);
    const read = await call(house, '/v2/rerank');
    expect([read.status, JSON.parse(read.text)]).toMatchObject([405, { message: '/v2/rerank takes POST, not GET' }]);
  });

  test('gives the best only, with their texts, when asked to', async () => {
    covers('rerank.top_n', 'rerank.return_documents');
    house.upstream.plays(cohere((text) => text.length / 100));
    const few = { ...body, documents: documents.map((text) => ({ text })), top_n: 1, return_documents: true };
    expect(jsonOf<RerankReply>(await call(house, RERANK, { body: few })).results).toEqual([
      { index: 2, relevance_score: 0.14, document: { text: documents[2] } },
    ]);
  });

  test('turns logits into probabilities', async () => {
    covers('rerank.scores');
    house.upstream.plays(cohere((text) => text.length - 13));
    const { results } = jsonOf<RerankReply>(await call(house, RERANK, { body }));
    expect(results.map(({ index }) => index)).toEqual([2, 1, 0]);
    expect(results.map((one) => one.relevance_score.toFixed(4))).toEqual(['0.7311', '0.5000', '0.1192']);
  });

  test('speaks to a server of Text Embeddings Inference', async () => {
    covers('rerank.engine');
    house.upstream.plays((sent) => {
      if (sent.path !== '/rerank') return answer(404, '')(sent);
      const texts = sent.json['texts'] as string[];
      return answer(
        200,
        texts.map((text, index) => ({ index, score: text.length / 100 })),
      )(sent);
    });
    const { results } = jsonOf<RerankReply>(await call(house, RERANK, { body }));
    expect(results.map(({ index, relevance_score }) => [index, relevance_score])).toEqual([
      [2, 0.14],
      [1, 0.13],
      [0, 0.11],
    ]);
  });

  test('asks in pieces that servers take, and scores all of them', async () => {
    covers('rerank.engine');
    house.upstream.plays(cohere((text) => Number(text) / 100));
    const many = Array.from({ length: 70 }, (_, i) => String(i));
    const reply = jsonOf<RerankReply>(await call(house, RERANK, { body: { ...body, documents: many } }));
    expect(reply.results.map(({ index }) => index)).toEqual(many.map(Number).toReversed());
    expect(reply.usage.total_tokens).toBe(3 * 21);
  });

  test('refuses what is wrong and names it', async () => {
    covers('rerank.errors', 'rerank.model');
    const refusals: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ query: undefined }, 'query'],
      [{ documents: [] }, 'documents'],
      [{ documents: ['a', ''] }, 'documents[1]'],
      [{ top_n: 0 }, 'top_n'],
      [{ model: 'CORE-GOV' }, 'model'],
      [{ model: 'unknown' }, 'model'],
      [{ model: undefined }, 'model'],
      [{ return_documents: 'yes' }, 'return_documents'],
    ];
    for (const [fields, param] of refusals) {
      expectError(await call(house, RERANK, { body: { ...body, ...fields } }), 400, { param });
    }
    expectError(await call(house, RERANK, { body, key: null }), 401);
    expectError(await call(house, RERANK, { body: { ...body, model: 'builtinRanker' } }), 400);
    expectError(await call(house, RERANK, { body: '{' }), 400);
    expectError(await call(house, RERANK), 405);
    house.upstream.plays(answer(500, { error: 'broken' }));
    expectError(await call(house, RERANK, { body }), 503);
  });

  const scores = (...of: readonly unknown[]) => answer(200, { results: of });
  test.each<[string, Handler]>([
    ['is a page', answer(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' })],
    ['is cut short', answer(200, '{"results":[{"ind')],
    ['closes the connection', ({ response }) => void response.destroy()],
    ['gives no scores', scores()],
    ['gives too few', scores({ index: 0, relevance_score: 1 })],
    ['gives places that are not there', scores(...[7, 8, 9].map((index) => ({ index, relevance_score: 1 })))],
    ['gives texts', scores(...documents.map((text, index) => ({ index, relevance_score: text })))],
  ])('by a model that %s is a 503 that says which one, with the time to wait', async (_what, play) => {
    covers('rerank.errors');
    house.upstream.plays(play);
    const reply = await call(house, RERANK, { body });
    expectError(reply, 503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(reply.text).toContain('reranking model ranker');
    house.upstream.plays(cohere((text) => text.length / 100));
    expect((await call(house, RERANK, { body })).status).toBe(200);
  });

  test('is metered', async () => {
    covers('rerank.usage');
    house.upstream.plays(cohere(() => 0.5));
    const { id, value } = await makeKey(house);
    await call(house, RERANK, { key: value, body });
    await eventually(async () => {
      const [slice] = await usageSlices(house, id);
      expect(slice).toMatchObject({
        calls: 1,
        endpoint: 'rerank',
        model: 'ranker',
        status: 200,
        prompt_tokens: 21,
        completion_tokens: 0,
      });
    });
  });
});
