import { createHash } from 'node:crypto';
import type { Collection } from '@ai-studio/contract/retrieval/collection.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusalOf } from '../fakes/embedding-server.ts';
import { covers } from '../requirements.ts';
import { makeKey, narrowKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import {
  ask,
  askFine,
  chunksOf,
  type List,
  makeCollection,
  readDocument,
  searchIn,
  settled,
  upload,
  uploadReady,
  within,
  wordHits,
} from '../support/retrieval.ts';
import { answer, type Handler, play, silence, type UpstreamCall } from '../support/upstream.ts';

/** Words of a text as a vector: each adds to a place of its own. */
function vectorOf(text: string, length: number): number[] {
  const vector = Array.from({ length }, () => 0.001);
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = createHash('sha256').update(word).digest().readUInt32BE() % length;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/** A server with two embedding models and a reranker that likes long texts. */
function serve(call: UpstreamCall): void {
  const { model, input, documents, dimensions } = call.json as unknown as {
    model: string;
    input?: string[];
    documents?: string[];
    dimensions?: number;
  };
  if (documents !== undefined) {
    const results = documents.map((text, index) => ({ index, relevance_score: Math.min(1, text.length / 100) }));
    return void answer(200, { id: 'x', results, usage: { total_tokens: 9 } })(call);
  }
  // As real embedders of 512 tokens do, so that nothing that the service makes by itself is too long for them.
  const refusal = refusalOf(input ?? []);
  if (refusal !== undefined) return void answer(refusal.status ?? 400, refusal.body)(call);
  const length = dimensions ?? (model === 'small' ? 128 : 256);
  const data = (input ?? []).map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, length) }));
  return void answer(200, {
    object: 'list',
    data,
    model,
    usage: { prompt_tokens: 5 * data.length, total_tokens: 5 * data.length },
  })(call);
}

const away = answer(503, { error: { message: 'overloaded' } });
const page = answer(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' });

/** A server that gives this for each text, or for so many. */
const gives =
  (embedding: unknown, count?: number): Handler =>
  (call) => {
    const { length } = (call.json as unknown as { input: string[] }).input;
    const data = Array.from({ length: count ?? length }, (_, index) => ({ object: 'embedding', index, embedding }));
    return answer(200, { object: 'list', data, model: call.json.model, usage: { prompt_tokens: 5, total_tokens: 5 } })(
      call,
    );
  };
const zeros = gives(Array.from({ length: 128 }, () => 0));
const packed = (length: number, value: number) =>
  Buffer.from(new Float32Array(length).fill(value).buffer).toString('base64');

let house: House;
beforeAll(async () => {
  const engines = (model: string) => [{ engine: 'fake', model }];
  house = await openHouse({
    models: {
      small: { kind: 'embedding', engines: engines('small') },
      large: { kind: 'embedding', engines: engines('large') },
      ranker: { kind: 'rerank', engines: engines('ranker') },
    },
    config: () => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      default_embedder: 'small',
      retrieval: { query_timeout_ms: 5_000, rerank_timeout_ms: 2_000, stored_vectors: 'float16' },
    }),
  });
});
afterAll(() => house.close());
beforeEach(() => {
  house.upstream.reset();
  house.upstream.plays(serve);
});

/** A collection of two documents, made by the first test that searches it. */
let searched: Promise<string> | null = null;
async function makeSearched(): Promise<string> {
  const { collection_id: id } = await makeCollection(house);
  await uploadReady(house, id, 'a.md', '사과 농장');
  await uploadReady(house, id, 'b.md', '고래 바다');
  return id;
}

test('collections embed with the default model, or another, each with vectors of its own length', async () => {
  covers('retrieval.settings', 'retrieval.usage');
  const { id: keyId, value } = await makeKey(house);
  const caller = { ...house, key: value };
  const small = await makeCollection(caller);
  expect(small.ingest_config).toMatchObject({ embedding_model: 'small', embedding_dimension: null });
  const large = await makeCollection(caller, { ingest_config: { embedding_model: 'large', embedding_dimension: 200 } });
  for (const [collection, model, dimension] of [
    [small, 'small', 128],
    [large, 'large', 200],
  ] as const) {
    await uploadReady(caller, collection.collection_id, 'a.md', '# 절\n\n사과 나무 농장');
    await uploadReady(caller, collection.collection_id, 'b.md', '# 절\n\n고래 바다 여행');
    const read = await askFine<Collection>(caller, `collections/${collection.collection_id}`);
    expect(read.ingest_config).toMatchObject({ embedding_model: model, embedding_dimension: dimension });
    const { result, usage } = await searchIn(caller, collection.collection_id, '고래 바다', { search_type: 'vector' });
    expect(result.embedding_model).toBe(model);
    expect(result.hits.map(({ document_name: name }) => name)).toEqual(['b.md', 'a.md']);
    expect(usage).toEqual({ embedding_tokens: 5, total_tokens: 5 });
  }
  // Vectors of two models are never compared; both are asked.
  const { result, usage } = await searchIn(caller, [small.collection_id, large.collection_id], '고래 바다', {
    search_type: 'hybrid',
    top_k: 4,
  });
  expect(result.hits.slice(0, 2).map(({ document_name: name }) => name)).toEqual(['b.md', 'b.md']);
  expect(usage.embedding_tokens).toBe(10);
  await eventually(async () => {
    const rows = await usageSlices(house, keyId);
    const tokens = (endpoint: string) =>
      rows.filter((row) => row.endpoint === endpoint).reduce((sum, row) => sum + row.prompt_tokens, 0);
    expect([tokens('ingest'), tokens('search')]).toEqual([20, 20]);
  });
});

test('a document of a model whose length nobody knows is cut anew by what its refusal tells', async () => {
  const { collection_id: id } = await makeCollection(house);
  const page = Array.from({ length: 90 }, (_, at) => `제${at}조에 따라 직원의 국내여비와 숙박비를 지급한다.`).join(' ');
  const document = await uploadReady(house, id, 'long.md', page);
  expect(document).toMatchObject({ warnings: [], failures: [] });
  expect(document.chunk_count).toBeGreaterThan(2);
  // Another model and another size at once: what is there is cut anew, not carried over.
  const change = { ingest_config: { embedding_model: 'large', chunk_size: 64 } };
  await askFine(house, `collections/${id}`, { method: 'PATCH', body: change });
  await within(async () => {
    const read = await askFine<Collection>(house, `collections/${id}`);
    expect(read).toMatchObject({ reindex: null, ingest_config: { embedding_model: 'large', chunk_size: 64 } });
    expect(read.chunk_count).toBeGreaterThan(10);
  });
});

test('passages are ordered by a reranker where that is asked', async () => {
  covers('retrieval.search.rerank');
  const { collection_id: id } = await makeCollection(house);
  const texts = ['고래', '고래 바다 여행 이야기 모음집', '고래 이야기'];
  for (const [at, text] of texts.entries()) await uploadReady(house, id, `${at}.md`, text);
  for (const rerank of [true, { model: 'ranker' }, { top_n: 3 }]) {
    const { result, usage } = await searchIn(house, id, '고래', { rerank });
    expect(result.hits.map(({ content }) => content)).toEqual([texts[1], texts[2], texts[0]]);
    expect(result.hits[0]?.scores.rerank).toBe(result.hits[0]?.score);
    expect(usage).toEqual({ embedding_tokens: 5, rerank_tokens: 9, total_tokens: 14 });
  }
  const few = await searchIn(house, id, '고래', { rerank: { model: 'ranker', top_n: 2 } });
  expect(few.result.hits).toHaveLength(2);
  const good = await searchIn(house, id, '고래', { rerank: true, score_threshold: 0.1 });
  expect(good.result.hits.map(({ content }) => content)).toEqual([texts[1]]);
  // The collection may say so for all.
  await askFine(house, `collections/${id}`, { method: 'PATCH', body: { search_config: { rerank: true } } });
  expect((await searchIn(house, id, '고래')).usage.rerank_tokens).toBe(9);
  expect((await searchIn(house, id, '고래', { rerank: false })).usage).not.toHaveProperty('rerank_tokens');
  // A key that may not use the model is told that there is none.
  const { value } = await makeKey(house, { allowedModels: ['CORE-GOV'] });
  const limited = { ...house, key: value };
  const own = await makeCollection(limited);
  await uploadReady(limited, own.collection_id, 'a.md', '고래');
  expect(
    await ask(limited, 'search', {
      body: { query: '고래', collection_id: own.collection_id, rerank: { model: 'ranker' } },
    }),
  ).toMatchObject({ status: 400 });
  expect(
    await ask(limited, 'collections', { body: { name: 'x', ingest_config: { embedding_model: 'large' } } }),
  ).toMatchObject({ status: 400, code: '40001' });
});

test.each<[string, Handler]>([
  ['is overloaded', away],
  ['is a page', page],
  ['is cut short', answer(200, '{"results":[{"ind')],
  ['hangs', silence],
  ['gives too few scores', answer(200, { results: [{ index: 0, relevance_score: 1 }] })],
  ['gives places that are not there', answer(200, { results: [7, 8].map((index) => ({ index, relevance_score: 1 })) })],
])('searches with a reranker that %s keep the order in which passages were found, and say so', async (_what, play) => {
  covers('retrieval.search.rerank');
  const id = await (searched ??= makeSearched());
  const plain = await searchIn(house, id, '고래 바다', { search_type: 'hybrid', top_k: 1 });
  house.upstream.plays((call) => ('documents' in call.json ? play(call) : serve(call)));
  // The threshold is for scores of the reranker.
  const how = { search_type: 'hybrid', rerank: { top_n: 1 }, score_threshold: 2 } as const;
  const { result, usage } = await searchIn(house, id, '고래 바다', how);
  expect(result).toEqual({ ...plain.result, rerank_unavailable: 'ranker' });
  expect(usage).toEqual(plain.usage);
  house.upstream.plays(serve);
  const { result: well } = await searchIn(house, id, '고래 바다', { rerank: true });
  expect(well).not.toHaveProperty('rerank_unavailable');
  expect(well.hits[0]?.scores).toHaveProperty('rerank');
});

test('a chat model says more of a query: other queries, or a passage; one that says nothing leaves the query as it is', async () => {
  const { collection_id: id } = await makeCollection(house);
  for (const text of ['돌고래 헤엄', '연차유급휴가 부여 기준']) await uploadReady(house, id, `${text}.md`, text);
  const speaks = (text: string) => (call: UpstreamCall) =>
    'messages' in call.json ? play({ text })(call) : serve(call);
  const wish = (kind: 'rewrite' | 'hyde', more: object = {}) =>
    searchIn(house, id, '며칠 쉬어?', { search_type: 'hybrid', query_expansion: { kind, model: 'CORE-GOV' }, ...more });
  house.upstream.plays(speaks('1. 연차유급휴가 기준\n2. 연차유급휴가 부여'));
  const { result, usage } = await wish('rewrite', { search_type: 'keyword' });
  expect(result.hits.map(({ content }) => content)).toEqual(['연차유급휴가 부여 기준']);
  expect(result.query_expansion).toEqual({
    kind: 'rewrite',
    model: 'CORE-GOV',
    texts: ['연차유급휴가 기준', '연차유급휴가 부여'],
  });
  expect(usage).toEqual({ embedding_tokens: 0, expansion_tokens: 18, total_tokens: 18 });
  house.upstream.plays(speaks('연차유급휴가 부여 기준은 15일이다.'));
  const hyde = await wish('hyde', { search_type: 'vector', top_k: 1 });
  expect(hyde.result.hits[0]?.content).toBe('연차유급휴가 부여 기준');
  expect(hyde.usage).toMatchObject({ embedding_tokens: 10, expansion_tokens: 18 });
  for (const chat of [away, page, speaks('  ')]) {
    house.upstream.plays((call) => ('messages' in call.json ? chat(call) : serve(call)));
    const plain = await wish('rewrite');
    expect(plain.result.query_expansion_unavailable).toBe('CORE-GOV');
    expect(plain.result).not.toHaveProperty('query_expansion');
    expect(plain.result.search_type).toBe('hybrid');
  }
  const body = (model: string) => ({ query: 'x', collection_id: id, query_expansion: { kind: 'hyde', model } });
  for (const model of ['small', 'nobody'])
    expect(await ask(house, 'search', { body: body(model) })).toMatchObject({ status: 400, code: '40001' });
  const { value } = await makeKey(house, { scopes: ['retrieval'] });
  const limited = { ...house, key: value };
  expect(await ask(limited, 'search', { body: body('CORE-GOV') })).toMatchObject({ status: 403 });
});

test('a chat model says where passages stand, by which they are found; one that is away leaves them without', async () => {
  const speaks = (call: UpstreamCall) =>
    'messages' in call.json ? play({ text: '공무원 복무규정의\n연가 장이다.' })(call) : serve(call);
  house.upstream.plays(speaks);
  const ingest_config = { context_model: 'CORE-GOV' };
  const { collection_id: id } = await makeCollection(house, { ingest_config, search_config: { mode: 'keyword' } });
  const made = await uploadReady(house, id, 'a.txt', '해마다 15일을 준다.');
  expect(made.warnings).toEqual([]);
  const [hit] = await wordHits(house, id, '복무규정');
  expect(hit?.content).toBe('해마다 15일을 준다.');
  const near = await searchIn(house, id, '복무규정의', { search_type: 'vector' });
  expect(near.result.hits[0]?.score).toBeGreaterThan(0.2);
  expect((await chunksOf(house, made.document_id))[0]?.metadata.context).toBe('공무원 복무규정의 연가 장이다.');
  // An edit keeps it.
  await askFine(house, `chunks/${hit?.chunk_id}`, { method: 'PATCH', body: { content: '해마다 20일을 준다.' } });
  expect((await wordHits(house, id, '복무규정')).map(({ content }) => content)).toEqual(['해마다 20일을 준다.']);
  house.upstream.plays((call) => ('messages' in call.json ? away(call) : serve(call)));
  const without = await uploadReady(house, id, 'b.txt', '고래는 바다에 산다.');
  expect(without.warnings).toMatchObject([
    { code: 'context_missing', message: expect.stringContaining('1 of 1') as string },
  ]);
  expect(await wordHits(house, id, '고래')).toHaveLength(1);
  const wrong = { method: 'PATCH', body: { ingest_config: { context_model: 'small' } } };
  expect(await ask(house, `collections/${id}`, wrong)).toMatchObject({ status: 400, code: '40001' });
  // A key without the scope chat asks no chat model.
  const { id: keyId, value } = await makeKey(house, { scopes: ['retrieval', 'chat'] });
  const limited = { ...house, key: value };
  const own = await makeCollection(limited, { ingest_config });
  await narrowKey(house, keyId, ['retrieval']);
  const unsaid = await uploadReady(limited, own.collection_id, 'c.txt', '고래');
  expect(unsaid.warnings.map(({ code }) => code)).toEqual(['context_missing']);
});

test('an edit of a chunk whose embedder hangs is a 503 when the time for it is over', async () => {
  covers('retrieval.ingest.waits');
  const { collection_id: id } = await makeCollection(house);
  const { document_id: documentId } = await uploadReady(house, id, 'a.md', '사과 농장');
  const path = `documents/${documentId}/chunks`;
  const { items } = await askFine<List<{ chunk_id: string }>>(house, path);
  house.upstream.plays(silence);
  const replies = await Promise.all([
    ask(house, `chunks/${items[0]?.chunk_id}`, { method: 'PATCH', body: { content: '포도' } }),
    ask(house, path, { body: { title: '', content: '포도' } }),
  ]);
  for (const reply of replies)
    expect(reply).toMatchObject({ status: 503, message: expect.stringContaining('did not answer in time') as string });
});

test('a model that is away is waited for, which is told; then all goes on by itself', async () => {
  covers('retrieval.ingest.waits');
  const { collection_id: id } = await makeCollection(house);
  const before = await uploadReady(house, id, 'a.md', '사과 농장');
  house.upstream.plays(away);
  const { document_id: waiting } = await upload(house, id, 'b.md', '고래 바다');
  const told = await within(async () => {
    const document = await readDocument(house, waiting);
    expect(document.error?.code, JSON.stringify(document)).toBe('EMBEDDING_UNAVAILABLE');
    return document;
  });
  expect(told).toMatchObject({ state: 'embedding', searchable: false });
  expect(told.failures[0]).toMatchObject({ stage: 'embedding', code: 'EMBEDDING_UNAVAILABLE' });
  // Searches that need it are refused, those by words are not.
  expect(
    await ask(house, 'search', { body: { query: '사과', collection_id: id, search_type: 'vector' } }),
  ).toMatchObject({ status: 503, code: '50300' });
  expect(await wordHits(house, id, '사과')).toHaveLength(1);
  expect(await wordHits(house, id, '고래')).toEqual([]);
  // A change that needs it is refused, and changes nothing.
  const { items } = await askFine<List<{ chunk_id: string; content: string }>>(
    house,
    `documents/${before.document_id}/chunks`,
  );
  expect(
    await ask(house, `chunks/${items[0]?.chunk_id}`, { method: 'PATCH', body: { content: '포도' } }),
  ).toMatchObject({ status: 503 });
  expect(await askFine(house, `chunks/${items[0]?.chunk_id}`)).toMatchObject({ content: '사과 농장' });
  house.upstream.plays(serve);
  expect(await settled(house, waiting)).toMatchObject({ state: 'ready', error: null });
  expect((await searchIn(house, id, '고래 바다')).result.hits[0]?.document_id).toBe(waiting);
});

test.each<[string, Handler]>([
  ['is overloaded', away],
  ['is broken', answer(500, { error: 'CUDA error' })],
  ['does not know its key', answer(401, { error: { message: 'no' } })],
  ['does not know the model', answer(404, { error: { message: 'no' } })],
  ['is a page', page],
  ['is cut short', answer(200, '{"data":[{"ind')],
  ['closes the connection', ({ response }) => void response.destroy()],
  ['hangs', silence],
  ['gives no vectors', gives([1], 0)],
  ['gives too many', gives(vectorOf('a', 128), 2)],
  ['gives texts', gives(['a', 'b'])],
  ['gives vectors of another length', gives(vectorOf('a', 64))],
  ['gives vectors of NaN', gives(packed(128, NaN))],
  ['gives vectors of zeros alone', zeros],
])(
  'searches with an embedder that %s are a 503, hybrid ones go by words and say so; then all is well',
  async (_what, play) => {
    covers('retrieval.search.away');
    const id = await (searched ??= makeSearched());
    house.upstream.plays(play);
    const body = { query: '고래 바다', collection_id: id };
    const refused = await ask(house, 'search', { body: { ...body, search_type: 'vector' } });
    expect(refused, refused.message).toMatchObject({ status: 503, code: '50300' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const { result, usage } = await searchIn(house, id, '고래 바다', { search_type: 'hybrid' });
    expect(result).toMatchObject({
      search_type: 'hybrid',
      embedding_model: null,
      embedding_unavailable: ['small'],
      hits: [{ document_name: 'b.md', score: 1 }],
    });
    expect(usage).toEqual({ embedding_tokens: 0, total_tokens: 0 });
    house.upstream.plays(serve);
    for (const search_type of ['vector', 'hybrid'] as const) {
      const good = await searchIn(house, id, '고래 바다', { search_type });
      expect(good.result).toMatchObject({ embedding_model: 'small', hits: [{ document_name: 'b.md' }, {}] });
      expect(good.result).not.toHaveProperty('embedding_unavailable');
    }
  },
);

test('searches of collections that one model filled with vectors of two lengths do without those that it gives no more', async () => {
  covers('retrieval.search.away');
  const { collection_id: long } = await makeCollection(house);
  await uploadReady(house, long, 'a.md', '사과 농장');
  // Another server took its place.
  house.upstream.plays((call) => gives(vectorOf('x', 64))(call));
  const { collection_id: short } = await makeCollection(house);
  await uploadReady(house, short, 'b.md', '고래 바다');
  for (const ids of [
    [long, short],
    [short, long],
  ]) {
    const { result } = await searchIn(house, ids, '고래 사과', { search_type: 'hybrid' });
    expect(result).toMatchObject({ embedding_model: 'small', embedding_unavailable: ['small'] });
    const scores = new Map(
      result.hits.map(({ document_name: name, scores: of }) => [name, Object.keys(of).toSorted()]),
    );
    expect(scores).toEqual(
      new Map([
        ['a.md', ['keyword']],
        ['b.md', ['keyword', 'vector']],
      ]),
    );
    expect(
      await ask(house, 'search', { body: { query: '사과', collection_ids: ids, search_type: 'vector' } }),
    ).toMatchObject({ status: 503, message: expect.stringContaining('64 numbers instead of 128') as string });
  }
  const { result } = await searchIn(house, short, '고래', { search_type: 'vector' });
  expect(result).toMatchObject({ embedding_model: 'small', hits: [{ document_name: 'b.md' }] });
  expect(result).not.toHaveProperty('embedding_unavailable');
  // Its documents are embedded anew, however long the vectors were before.
  await askFine(house, `collections/${long}/reindex`, { method: 'POST' });
  expect((await changed(long)).ingest_config).toMatchObject({ embedding_model: 'small', embedding_dimension: 64 });
  const both = await searchIn(house, [long, short], '고래 사과', { search_type: 'vector' });
  expect(both.result.hits).toHaveLength(2);
  expect(both.usage.embedding_tokens).toBe(5);
});

test('a document whose vectors are zeros alone is not ready: it waits with the reason, and goes on by itself', async () => {
  covers('retrieval.ingest.waits');
  const { collection_id: id } = await makeCollection(house);
  house.upstream.plays(zeros);
  const { document_id: waiting } = await upload(house, id, 'a.md', '고래 바다');
  const told = await within(async () => {
    const document = await readDocument(house, waiting);
    expect(document.error?.code, JSON.stringify(document)).toBe('EMBEDDING_UNUSABLE');
    return document;
  });
  expect(told).toMatchObject({ state: 'embedding', searchable: false });
  expect(told.error?.message).toContain('zeros');
  house.upstream.plays(serve);
  expect(await settled(house, waiting)).toMatchObject({ state: 'ready', error: null });
});

test('a change of the whole collection says what it waits for, and goes on by itself', async () => {
  covers('retrieval.ingest.waits', 'retrieval.settings');
  const { collection_id: id } = await makeCollection(house);
  await uploadReady(house, id, 'a.md', '고래 바다');
  const read = () => askFine<Collection>(house, `collections/${id}`);
  house.upstream.plays((call) => (call.json.model === 'large' ? page(call) : serve(call)));
  const body = { ingest_config: { embedding_model: 'large' } };
  await askFine(house, `collections/${id}`, { method: 'PATCH', body });
  await within(async () => expect((await read()).reindex?.reason ?? '').toContain('EMBEDDING_UNUSABLE'));
  const waiting = await read();
  expect(waiting.reindex).toMatchObject({ state: 'running', progress: 0, embedding_model: 'large' });
  const { items } = await askFine<List<Collection>>(house, 'collections?size=1');
  expect(items[0]?.reindex).toEqual(waiting.reindex);
  house.upstream.plays(serve);
  expect((await changed(id)).ingest_config.embedding_model).toBe('large');
});

test('vectors that cannot be used fail the document, with the reason', async () => {
  covers('retrieval.upload.unreadable');
  const { collection_id: id } = await makeCollection(house);
  await uploadReady(house, id, 'a.md', '사과 농장');
  house.upstream.plays(answer(400, { error: { message: 'input is too long for me' } }));
  const { document_id: refused } = await upload(house, id, 'b.md', '고래 바다');
  expect(await settled(house, refused)).toMatchObject({
    state: 'failed',
    error: { code: 'EMBEDDING_REFUSED', message: expect.stringContaining('too long') as string },
  });
});

test('another embedding model makes a collection anew, with its changes, while searches go on', async () => {
  covers('retrieval.settings');
  const { collection_id: id } = await makeCollection(house);
  const documents: Document[] = [];
  for (const [at, text] of ['사과 농장', '고래 바다', '산양 목장'].entries())
    documents.push(await uploadReady(house, id, `${at}.md`, text));
  const path = `documents/${documents[0]?.document_id}/chunks`;
  const { items } = await askFine<List<{ chunk_id: string }>>(house, path);
  await askFine(house, `chunks/${items[0]?.chunk_id}`, { method: 'PATCH', body: { content: '복숭아 과수원' } });
  /** Lets the new model answer. */
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  house.upstream.plays(async (call) => {
    if (call.json.model === 'large') await opened;
    serve(call);
  });
  const changed = await askFine<Collection>(house, `collections/${id}`, {
    method: 'PATCH',
    body: { ingest_config: { embedding_model: 'large' } },
  });
  expect(changed.reindex).toMatchObject({ state: 'running', embedding_model: 'large', reason: null });
  expect(changed.ingest_config.embedding_model).toBe('small');
  // As it was, and changes are not lost.
  const search = () => searchIn(house, id, '고래 바다', { search_type: 'vector', top_k: 1 });
  expect((await search()).result).toMatchObject({ embedding_model: 'small', hits: [{ content: '고래 바다' }] });
  await askFine(house, `documents/${documents[1]?.document_id}`, {
    method: 'PATCH',
    body: { metadata: { kind: 'sea' } },
  });
  const added = await upload(house, id, '3.md', '독수리 둥지');
  open();
  expect(await settled(house, added.document_id)).toMatchObject({ state: 'ready', error: null });
  const ready = await within(async () => {
    const collection = await askFine<Collection>(house, `collections/${id}`);
    expect(collection.reindex, JSON.stringify(collection.reindex)).toBeNull();
    return collection;
  });
  expect(ready.ingest_config).toMatchObject({ embedding_model: 'large', embedding_dimension: 256 });
  expect(ready).toMatchObject({ document_count: 4, chunk_count: 4 });
  expect((await search()).result).toMatchObject({
    embedding_model: 'large',
    hits: [{ content: '고래 바다', metadata: { kind: 'sea' } }],
  });
  for (const word of ['복숭아', '독수리', '산양']) expect(await wordHits(house, id, word), word).toHaveLength(1);
  expect(await wordHits(house, id, '사과')).toEqual([]);
  // The chunk that was changed is still the same one.
  expect(await askFine(house, `chunks/${items[0]?.chunk_id}`)).toMatchObject({ content: '복숭아 과수원' });
});

/** Resolves when no change of the whole collection is under way, with the collection. */
const changed = (id: string): Promise<Collection> =>
  within(async () => {
    const collection = await askFine<Collection>(house, `collections/${id}`);
    expect(collection.reindex, JSON.stringify(collection.reindex)).toBeNull();
    return collection;
  });

test('a document that is embedded while the collection changes its model is embedded by the new one', async () => {
  covers('retrieval.settings');
  const { collection_id: id } = await makeCollection(house);
  await uploadReady(house, id, 'a.md', '사과 농장');
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let waits = false;
  house.upstream.plays(async (call) => {
    if (call.json.model === 'small') {
      waits = true;
      await released;
    }
    serve(call);
  });
  const { document_id: late } = await upload(house, id, 'b.md', '고래 바다');
  await eventually(() => expect(waits).toBe(true));
  const body = { ingest_config: { embedding_model: 'large' } };
  await askFine(house, `collections/${id}`, { method: 'PATCH', body });
  expect((await changed(id)).ingest_config.embedding_model).toBe('large');
  release();
  expect(await settled(house, late)).toMatchObject({ state: 'ready', error: null });
  const { result } = await searchIn(house, id, '고래 바다', { search_type: 'vector', top_k: 1 });
  expect(result).toMatchObject({ embedding_model: 'large', hits: [{ content: '고래 바다' }] });
});

test('a collection without an embedding model is searched by words, and by both once it gets one, unless that was chosen', async () => {
  covers('retrieval.settings', 'retrieval.search.lexical');
  const without = { embedding_model: 'lexical' };
  for (const [chosen, mode] of [
    [undefined, 'hybrid'],
    [{ mode: 'keyword' }, 'keyword'],
  ] as const) {
    const { collection_id: id, search_config: first } = await makeCollection(house, { ingest_config: without });
    expect(first.mode).toBe('keyword');
    await uploadReady(house, id, 'a.md', '고래 바다');
    const { result: by } = await searchIn(house, id, '고래 바다');
    expect(by).toMatchObject({ search_type: 'keyword', embedding_model: null, total: 1 });
    const body = { ingest_config: { embedding_model: 'small' }, ...(chosen ? { search_config: chosen } : {}) };
    await askFine(house, `collections/${id}`, { method: 'PATCH', body });
    expect((await changed(id)).search_config.mode).toBe(mode);
    const { result } = await searchIn(house, id, '고래 바다');
    expect(result).toMatchObject({ search_type: mode, embedding_model: chosen ? null : 'small', total: 1 });
  }
  const { search_config: other } = await makeCollection(house);
  expect(other.mode).toBe('hybrid');
});

test('another length of vectors makes a collection anew, and all goes on with it', async () => {
  covers('retrieval.settings');
  const { collection_id: id } = await makeCollection(house);
  for (const [at, text] of ['사과 농장', '고래 바다'].entries()) await uploadReady(house, id, `${at}.md`, text);
  const lengths = [64, 200, null];
  for (const [turn, asked] of lengths.entries()) {
    // Left to the model it is that of `serve`.
    const length = asked ?? 128;
    const body = { ingest_config: { embedding_dimension: asked } };
    await askFine(house, `collections/${id}`, { method: 'PATCH', body });
    expect((await changed(id)).ingest_config).toMatchObject({ embedding_model: 'small', embedding_dimension: length });
    for (const search_type of ['vector', 'hybrid'] as const) {
      const { result } = await searchIn(house, id, '고래 바다', { search_type, top_k: 1 });
      expect(result.hits, search_type).toMatchObject([{ content: '고래 바다' }]);
    }
    const added = await uploadReady(house, id, `${length}.md`, `산양 ${length}`);
    const { items } = await askFine<List<{ chunk_id: string }>>(house, `documents/${added.document_id}/chunks`);
    await askFine(house, `chunks/${items[0]?.chunk_id}`, { method: 'PATCH', body: { content: `목장 ${length}` } });
    expect(await wordHits(house, id, '목장')).toHaveLength(turn + 1);
  }
});

test('a change of all documents that failed is tried again where it stands, or given up', async () => {
  covers('retrieval.reindex.failed');
  const { collection_id: id } = await makeCollection(house);
  for (const text of ['사과 농장', '고래 바다']) await uploadReady(house, id, `${text}.md`, text);
  const refuse = answer(400, { error: { message: 'no such text' } });
  const change = async (large: Handler = refuse) => {
    house.upstream.plays((call) => (call.json.model === 'large' ? large(call) : serve(call)));
    await askFine(house, `collections/${id}`, {
      method: 'PATCH',
      body: { ingest_config: { embedding_model: 'large' } },
    });
    await within(async () => expect((await read()).reindex).toMatchObject({ state: 'failed' }));
  };
  const read = () => askFine<Collection>(house, `collections/${id}`);
  await change();
  expect((await read()).reindex?.reason).toContain('EMBEDDING_REFUSED');
  const kept = await askFine<Collection>(house, `collections/${id}/reindex`, { method: 'DELETE' });
  expect(kept).toMatchObject({ reindex: null, ingest_config: { embedding_model: 'small' } });
  expect((await searchIn(house, id, '고래 바다', { search_type: 'vector', top_k: 1 })).result).toMatchObject({
    embedding_model: 'small',
    hits: [{ content: '고래 바다' }],
  });
  // A collection that would have got its first model is searched by words again; not where somebody chose otherwise.
  for (const [chosen, mode] of [
    [{}, 'keyword'],
    [{ search_config: { mode: 'hybrid' } }, 'hybrid'],
  ] as const) {
    const { collection_id: first } = await makeCollection(house, { ingest_config: { embedding_model: 'lexical' } });
    await uploadReady(house, first, 'a.md', '사과 농장');
    const body = { ingest_config: { embedding_model: 'large' }, ...chosen };
    const begun = await askFine<Collection>(house, `collections/${first}`, { method: 'PATCH', body });
    expect(begun.search_config.mode).toBe('hybrid');
    await within(async () =>
      expect((await askFine<Collection>(house, `collections/${first}`)).reindex).toMatchObject({ state: 'failed' }),
    );
    const back = await askFine<Collection>(house, `collections/${first}/reindex`, { method: 'DELETE' });
    expect(back).toMatchObject({ ingest_config: { embedding_model: 'lexical' }, search_config: { mode } });
  }
  // Where there is none it changes nothing.
  expect(await askFine<Collection>(house, `collections/${id}/reindex`, { method: 'DELETE' })).toEqual(kept);

  // One document is refused at once, the other when it is tried again already: that refusal is of the first try.
  const late = Promise.withResolvers<void>();
  await change(async (call) => {
    if (JSON.stringify(call.json.input).includes('고래')) await late.promise;
    return refuse(call);
  });
  house.upstream.plays(serve);
  expect((await askFine<Collection>(house, `collections/${id}/reindex`, { method: 'POST' })).reindex).toMatchObject({
    state: 'running',
    reason: null,
  });
  late.resolve();
  await within(async () =>
    expect(await read()).toMatchObject({ reindex: null, ingest_config: { embedding_model: 'large' } }),
  );
  expect((await searchIn(house, id, '고래 바다', { search_type: 'vector', top_k: 1 })).result).toMatchObject({
    embedding_model: 'large',
    hits: [{ content: '고래 바다' }],
  });
});
