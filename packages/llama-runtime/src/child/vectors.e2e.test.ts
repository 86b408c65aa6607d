import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEmbeddingModel, writeRerankModel } from '../../test/gguf/index.ts';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';
import { writeTinyModel } from './tiny-model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'llama-vectors-'));
const mean = writeTinyModel(join(folder, 'mean.gguf'), { pooling: 1 });
const last = writeTinyModel(join(folder, 'last.gguf'), { pooling: 3 });
const ranker = writeTinyModel(join(folder, 'rank.gguf'), { tokens: [{ name: 'tax' }], chain: {}, rankToken: 'tax' });
const EMBED = '/v1/embeddings';
const WIDTH = 64;

let embedder: RunningChild;
let stepwise: RunningChild;
let whole: RunningChild;
let reranker: RunningChild;
/** Reads several texts at once. */
let many: RunningChild;
beforeAll(async () => {
  [embedder, stepwise, whole, reranker, many] = await Promise.all([
    startTestChild(mean, { kind: 'embedding', contextLength: 256 }),
    startTestChild(last, { kind: 'embedding', contextLength: 256, batch: 16 }),
    startTestChild(last, { kind: 'embedding', contextLength: 256, batch: 256 }),
    startTestChild(ranker, { kind: 'rerank', contextLength: 256 }),
    startTestChild(mean, { kind: 'embedding', contextLength: 1_024, threads: 1, lanes: 3 }),
  ]);
});
afterAll(async () => {
  await Promise.all([embedder, stepwise, whole, reranker, many].map((child) => child.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const lengthOf = (vector: number[]) => Math.hypot(...vector);
const cosine = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const vectorOf = async (child: RunningChild, input: string, more: object = {}): Promise<number[]> =>
  (await child.post(EMBED, { input, ...more })).body.data[0].embedding;

describe('embeddings', () => {
  test('have length 1, in the order of the texts, the same alone and in company', async () => {
    const input = ['한국어 문장', 'an english text', 'x'];
    const { body } = await embedder.post(EMBED, { input });
    expect(body.data.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
    for (const [i, { embedding }] of body.data.entries()) {
      expect(embedding).toHaveLength(WIDTH);
      expect(lengthOf(embedding)).toBeCloseTo(1, 9);
      expect(await vectorOf(embedder, input[i] ?? '')).toEqual(embedding);
    }
    const count = input.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(body.usage).toEqual({ prompt_tokens: count, total_tokens: count });
  });

  test('dimensions gives the first numbers, made of length 1 again', async () => {
    const [full, part] = [await vectorOf(embedder, 'text'), await vectorOf(embedder, 'text', { dimensions: 8 })];
    expect(part).toHaveLength(8);
    expect(lengthOf(part)).toBeCloseTo(1, 9);
    expect(cosine(part, full) / lengthOf(full.slice(0, 8))).toBeCloseTo(1, 6);
    const { status, body } = await embedder.post(EMBED, { input: 'x', dimensions: 65 });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: 'dimensions', message: expect.stringMatching(/65.*64/) as string });
  });

  test('by the last token are the same whether the text is read in steps or at once', async () => {
    const text = 'a text of some length, long enough for several steps';
    expect(cosine(await vectorOf(stepwise, text), await vectorOf(whole, text))).toBeCloseTo(1, 5);
    expect(cosine(await vectorOf(stepwise, text), await vectorOf(embedder, text))).toBeLessThan(0.99);
  });

  test('are pooled as the settings say, over the file', async () => {
    const child = await startTestChild(mean, { kind: 'embedding', contextLength: 256, pooling: 'last' });
    try {
      expect(cosine(await vectorOf(child, 'some text'), await vectorOf(whole, 'some text'))).toBeCloseTo(1, 5);
    } finally {
      await child.stop();
    }
  });

  test('of a file that does not say are pooled as its name tells, or as its attention suggests; without normalisation where told', async () => {
    const unsaid = writeTinyModel(join(folder, 'unsaid.gguf'), {});
    const settings = { kind: 'embedding', contextLength: 256 } as const;
    const [plain, assumed] = await Promise.all([
      startTestChild(unsaid, settings),
      startTestChild(unsaid, { ...settings, assumedPooling: 'mean', normalize: false }),
    ]);
    try {
      expect(cosine(await vectorOf(plain, 'some text'), await vectorOf(whole, 'some text'))).toBeCloseTo(1, 5);
      const raw = await vectorOf(assumed, 'some text');
      expect(cosine(raw, await vectorOf(embedder, 'some text')) / lengthOf(raw)).toBeCloseTo(1, 5);
      expect(Math.abs(lengthOf(raw) - 1)).toBeGreaterThan(0.01);
    } finally {
      await Promise.all([plain.stop(), assumed.stop()]);
    }
  });

  test('of a text that is too long: both numbers, and nothing is cut', async () => {
    const { status, body } = await embedder.post(EMBED, { input: ['short', 'x'.repeat(300)] });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: 'input[1]', message: expect.stringMatching(/256.*300/) as string });
  });

  test('many requests at once all get their own', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);
    const vectors = await Promise.all(texts.map((text) => vectorOf(embedder, text)));
    for (const [i, text] of texts.entries()) expect(await vectorOf(embedder, text)).toEqual(vectors[i]);
  });

  test('of many texts at once are those of each alone, in order, the long ones among them too', async () => {
    const input = Array.from({ length: 60 }, (_, i) => `${i} `.repeat(i % 20 === 7 ? 90 : (i % 11) + 1));
    const { body } = await many.post(EMBED, { input });
    expect(body.data).toHaveLength(input.length);
    for (const [i, text] of input.entries()) {
      const { index, embedding } = body.data[i];
      expect(index).toBe(i);
      // One thread, one text at a time.
      const single = text.length > 256 ? await vectorOf(many, text) : await vectorOf(embedder, text);
      for (const [k, value] of single.entries()) expect(Math.abs(embedding[k] - value)).toBeLessThan(1e-4);
    }
    expect(many.busy()).toBe(0);
  });

  test('end with their connection, and the next request is answered', async () => {
    const { call } = many.open(EMBED, { input: Array.from({ length: 2_048 }, () => 'some text '.repeat(20)) });
    while (many.busy() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    call.destroy();
    await many.whenIdle();
    expect(lengthOf(await vectorOf(many, 'x'))).toBeCloseTo(1, 9);
  });

  test.each([[{}], [{ input: '' }], [{ input: [] }], [{ input: 5 }], ['[']])('%j is refused', async (body) => {
    expect((await embedder.post(EMBED, body)).status).toBe(400);
  });
});

describe('models that read in both directions', () => {
  const words = ['예산', '세금', 'river', 'bank', 'tax'];

  test('embed: a shared word brings texts together, and the whole context can be used', async () => {
    const child = await startTestChild(writeEmbeddingModel(join(folder, 'bert.gguf'), { words }), {
      kind: 'embedding',
      contextLength: 4096,
    });
    try {
      // Beyond what it was trained with there are no positions.
      expect(child.info.contextLength).toBe(256);
      const [a, b, c] = [
        await vectorOf(child, '예산 tax'),
        await vectorOf(child, '예산 bank'),
        await vectorOf(child, 'river'),
      ];
      expect(cosine(a, b)).toBeGreaterThan(cosine(a, c));
      // With the marks that the model wants before and after.
      const { body } = await child.post(EMBED, { input: 'river bank' });
      expect(body.usage.prompt_tokens).toBe(4);
      expect(lengthOf(await vectorOf(child, 'river '.repeat(254)))).toBeCloseTo(1, 9);
      expect((await child.post(EMBED, { input: 'river '.repeat(255) })).status).toBe(400);
    } finally {
      await child.stop();
    }
  });

  test('embed: Hangul by all letters of its syllables, composed or not, and letters without their accents', async () => {
    const child = await startTestChild(writeEmbeddingModel(join(folder, 'letters.gguf')), {
      kind: 'embedding',
      contextLength: 256,
    });
    try {
      const texts = ['사과', '시계', '소금'];
      const vectors = await Promise.all(texts.map((text) => vectorOf(child, text)));
      for (const [i, one] of vectors.entries())
        for (const other of vectors.slice(i + 1)) expect(cosine(one, other)).toBeLessThan(0.99);
      for (const [i, text] of texts.entries())
        expect(cosine(await vectorOf(child, text.normalize('NFD')), vectors[i] ?? [])).toBeCloseTo(1, 6);
      const tokensOf = async (input: string) => (await child.post(EMBED, { input })).body.usage.prompt_tokens;
      // Two marks, and a token for each letter: ㅅㅏㄱㅗㅏ is four code points, 값 is three.
      expect(await tokensOf('사과')).toBe(2 + 4);
      expect(await tokensOf('값')).toBe(2 + 3);
      expect(await tokensOf('é')).toBe(2 + 1);
      expect(await vectorOf(child, 'é')).toEqual(await vectorOf(child, 'e'));
    } finally {
      await child.stop();
    }
  });

  test('rank', async () => {
    const path = writeRerankModel(join(folder, 'cross.gguf'), { relevant: 'tax', words });
    const child = await startTestChild(path, { kind: 'rerank', contextLength: 256 });
    try {
      const documents = ['river bank', 'tax tax', 'river tax bank'];
      const { body } = await child.post('/v1/rerank', { query: 'bank', documents });
      expect(body.results.map(({ index }: { index: number }) => index)).toEqual([1, 2, 0]);
      // [CLS] query [SEP] document [SEP]
      expect(body.usage.prompt_tokens).toBe(3 * 4 + 2 + 2 + 3);
    } finally {
      await child.stop();
    }
  });
});

describe('reranking', () => {
  test('gives many documents the scores that each has alone', async () => {
    const several = await startTestChild(ranker, { kind: 'rerank', contextLength: 256, threads: 3 });
    try {
      const documents = Array.from({ length: 40 }, (_, i) => `${'tax '.repeat(i % 4)}document ${i}`);
      const { body } = await several.post('/v1/rerank', { query: 'what?', documents });
      expect(body.results).toHaveLength(documents.length);
      for (const { index, relevance_score: score } of body.results) {
        const single = await reranker.post('/v1/rerank', { query: 'what?', documents: [documents[index]] });
        expect(score).toBeCloseTo(single.body.results[0].relevance_score, 4);
      }
    } finally {
      await several.stop();
    }
  });

  test('puts what answers first, with scores between 0 and 1', async () => {
    const documents = ['nothing here', 'tax tax tax', 'some tax, and a longer text that speaks of other things'];
    const { status, body } = await reranker.post('/v1/rerank', { query: 'what?', documents });
    expect(status).toBe(200);
    expect(body.results.map(({ index }: { index: number }) => index)).toEqual([1, 2, 0]);
    for (const { relevance_score: score } of body.results) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(body.usage.prompt_tokens).toBeGreaterThan(50);
    const top = await reranker.post('/v1/rerank', { query: 'what?', documents, top_n: 1 });
    expect(top.body.results).toEqual([body.results[0]]);
  });

  test('of a document that is too long: both numbers', async () => {
    const { status, body } = await reranker.post('/v1/rerank', { query: 'q', documents: ['a', 'x'.repeat(400)] });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: 'documents[1]', message: expect.stringMatching(/256.*40\d/) as string });
  });
});
