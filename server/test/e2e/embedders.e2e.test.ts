import type { EmbeddingsReply } from '@ai-studio/contract/embeddings.ts';
import type { ModelList } from '@ai-studio/contract/models.ts';
import type { Collection } from '@ai-studio/contract/retrieval/collection.ts';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingServer, fakeTokensOf, startEmbeddingServer } from '../fakes/embedding-server.ts';
import { call, expectError, jsonOf } from '../support/http.ts';
import {
  ask,
  askFine,
  chunksOf,
  makeCollection,
  searchIn,
  settled,
  upload,
  uploadReady,
  within,
} from '../support/retrieval.ts';
import { withDatabaseOf } from '../support/running-database.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

const e5 = { query_prefix: 'query: ', passage_prefix: 'passage: ' };
let server: EmbeddingServer;
let cutting: EmbeddingServer;
let dataFolder: string;
let service: Service;

/** Starts the service on the same data, with other words before the texts of its model. */
async function start(embedding: object): Promise<void> {
  const bound = (engine: string) => ({ kind: 'embedding', engines: [{ engine, model: 'own' }] });
  const config = {
    engines: { vllm: { addresses: [server.url] }, ollama: { addresses: [cutting.url] } },
    models: {
      vectors: { ...bound('vllm'), embedding },
      plain: bound('vllm'),
      'multilingual-e5-small': { ...bound('ollama') },
    },
    limits: { requests_per_minute: null, tokens_per_minute: null },
    default_embedder: 'vectors',
  };
  service = await startService({ dataFolder, config });
}

beforeAll(async () => {
  server = await startEmbeddingServer({ model: 'own', maxTokens: 128 });
  cutting = await startEmbeddingServer({ kind: 'ollama', model: 'own', maxTokens: 512 });
  dataFolder = await temporaryFolder();
  await start(e5);
});
afterAll(async () => {
  await service.close();
  await Promise.all([server.close(), cutting.close()]);
  await rm(dataFolder, { recursive: true, force: true });
});

const words = (count: number, word = 'word') => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const embed = (body: object) => call(service, '/v1/embeddings', { body: { model: 'vectors', ...body } });
/** The texts that reached the server since a call. */
const sent = (from: number) => server.calls.slice(from).flat();

test('input_type puts the words of the model before texts; without it they stand as they are', async () => {
  for (const [type, text] of [
    ['query', 'query: sea'],
    ['search_query', 'query: sea'],
    ['passage', 'passage: sea'],
    ['document', 'passage: sea'],
    ['search_document', 'passage: sea'],
    [undefined, 'sea'],
  ] as const) {
    const from = server.calls.length;
    expect((await embed({ input: 'sea', input_type: type })).status).toBe(200);
    expect(sent(from)).toEqual([text]);
  }
  expectError(await embed({ input: 'sea', input_type: 'poem' }), 400, { message: /input_type/ });
  // By its name alone it is known what this one wants.
  const known = await call(service, '/v1/embeddings', {
    body: { model: 'multilingual-e5-small', input: 'sea', input_type: 'query' },
  });
  expect(known.status).toBe(200);
  expect(cutting.calls.at(-1)).toEqual(['query: sea']);
});

test('a text that is longer than the model reads is a 400 that names both lengths, or is cut', async () => {
  const long = words(200);
  expectError(await embed({ input: ['sea', long] }), 400, {
    message: /202 tokens.*128/,
    code: 'context_length_exceeded',
  });
  expect(jsonOf<{ error: unknown }>(await embed({ input: ['sea', long] })).error).toMatchObject({ param: 'input[1]' });
  for (const truncate of [true, 'END']) {
    const cut = await embed({ input: ['sea', long], truncate });
    expect(cut.status).toBe(200);
    expect(jsonOf<EmbeddingsReply>(cut).data).toHaveLength(2);
  }
  // One that cuts without a word is not believed.
  const quiet = { model: 'multilingual-e5-small', input: words(600) };
  expectError(await embed(quiet), 400, { message: /512 or more tokens.*512/, code: 'context_length_exceeded' });
  expect((await embed({ ...quiet, truncate: true })).status).toBe(200);
});

test('vectors of a length that the model does not give are refused, whatever its server makes of dimensions', async () => {
  expectError(await embed({ input: 'sea', dimensions: 4 }), 400, { message: /matryoshka/ });
  // One that lets the field go is not believed.
  const ignoring = { model: 'multilingual-e5-small', input: 'sea' };
  const refused = await call(service, '/v1/embeddings', { body: { ...ignoring, dimensions: 4 } });
  expectError(refused, 400, { param: 'dimensions', message: /dimensions is 4, .* vectors of 16 numbers/ });
  expect((await call(service, '/v1/embeddings', { body: { ...ignoring, dimensions: 16 } })).status).toBe(200);
});

test('the list of models has the length of an embedding model as it is known by its name, or as its server says', async () => {
  await within(async () => {
    const { data } = jsonOf<ModelList>(await call(service, '/v1/models'));
    const lengthOf = (id: string) => data.find((model) => model.id === id)?.max_model_len;
    expect([lengthOf('multilingual-e5-small'), lengthOf('vectors')]).toEqual([512, 128]);
  });
});

test('chunks are as long as the model reads; where one is edited to be longer, the refusal names both lengths and the setting', async () => {
  const { collection_id: id } = await makeCollection(service, { ingest_config: { embedding_model: 'plain' } });
  const from = server.calls.length;
  const text = `# 고래\n\n${words(90, '고래')}. ${words(300, 'sea')}.`;
  const document = await uploadReady(service, id, 'long.md', text);
  expect(document.warnings).toEqual([]);
  expect(document.chunk_count).toBeGreaterThan(3);
  const embedded = sent(from);
  expect(Math.max(...embedded.map(fakeTokensOf))).toBeLessThanOrEqual(128);
  // The title that stands in the first chunk does not stand before it as well.
  expect(embedded[0]).toMatch(/^# 고래/);
  const [first] = await chunksOf(service, document.document_id);
  const edited = await ask(service, `chunks/${first?.chunk_id ?? ''}`, {
    method: 'PATCH',
    body: { content: words(200, 'sea') },
  });
  expect([edited.status, edited.code]).toEqual([400, '40001']);
  expect(edited.message).toMatch(/\d+ tokens.*128.*ingest_config\.embedding_model/);
  const { result } = await searchIn(service, id, words(150, 'sea'), { search_type: 'hybrid' });
  expect(result).toMatchObject({ query_cut_by: ['plain'] });
  expect((await searchIn(service, id, 'sea')).result).not.toHaveProperty('query_cut_by');
});

const prefixesOf = async (id: string) => {
  const { embedding_prefixes: prefixes, reindex } = await askFine<Collection>(service, `collections/${id}`);
  return { ...prefixes, reindex };
};

test('collections are embedded with the words of their model, and anew when these change; older ones stay as they were', async () => {
  const { collection_id: id } = await makeCollection(service);
  const { collection_id: old } = await makeCollection(service);
  await withDatabaseOf(service, (db) =>
    db.query
      .updateTable('collections')
      .set({ ingest_config: sql<string>`ingest_config - 'embedding_prefixes'` })
      .where('id', '=', old)
      .execute(),
  );
  for (const one of [id, old]) {
    const from = server.calls.length;
    await uploadReady(service, one, 'a.md', 'the sea is wide');
    await searchIn(service, one, 'wide sea', { search_type: 'vector' });
    expect(sent(from)).toEqual(
      one === id ? ['passage: the sea is wide', 'query: wide sea'] : ['the sea is wide', 'wide sea'],
    );
  }
  expect(await prefixesOf(id)).toEqual({ query: 'query: ', passage: 'passage: ', reindex: null });

  // Other words before queries leave the vectors as they are; other words before passages make them anew.
  await service.stop();
  await start({ query_prefix: 'ask: ', passage_prefix: 'passage: ' });
  const from = server.calls.length;
  await within(async () => expect(await prefixesOf(id)).toMatchObject({ query: 'ask: ' }));
  await searchIn(service, id, 'wide sea', { search_type: 'vector' });
  expect(sent(from)).toEqual(['ask: wide sea']);

  await service.stop();
  const before = server.calls.length;
  await start({ query_prefix: 'ask: ', passage_prefix: 'text: ' });
  await within(async () => expect(await prefixesOf(id)).toMatchObject({ passage: 'text: ', reindex: null }));
  expect(sent(before)).toEqual(['text: the sea is wide']);
  const { result } = await searchIn(service, id, 'wide sea', { search_type: 'vector' });
  expect(result.hits).toHaveLength(1);

  // What is older than such words takes them once somebody makes it anew.
  expect(await prefixesOf(old)).toEqual({ query: '', passage: '', reindex: null });
  await askFine(service, `collections/${old}/reindex`, { method: 'POST' });
  await within(async () => expect(await prefixesOf(old)).toMatchObject({ passage: 'text: ', reindex: null }));
  expect(sent(before).slice(-1)).toEqual(['text: the sea is wide']);
  const { document_id: added } = await upload(service, old, 'b.md', 'the lake is deep');
  expect(await settled(service, added)).toMatchObject({ state: 'ready' });
  expect(sent(before).slice(-1)).toEqual(['text: the lake is deep']);
});
