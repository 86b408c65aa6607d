import { describe, expect, test } from 'vitest';
import { type EmbedCall, type Engine, EngineError } from '../../ports/engine.ts';
import { startEmbeddingServer } from '../../../test/fakes/embedding-server.ts';
import { silent } from '../../../test/support/silent-log.ts';
import { createOpenAiEngine } from '../../adapters/engines/openai/index.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { checkEmbedder } from './embedders.ts';

const engineOf = (embed: Engine['embed']) => ({ id: 'gpu', embed }) as unknown as Engine;
const gives = (...vectors: number[][]) => engineOf(() => Promise.resolve({ vectors, promptTokens: 1 }));
const hangs = ({ signal }: EmbedCall) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('the doctor asks an embedding model for a vector', () => {
  test.each([
    ['that can be used', gives([1, 2]), 'ok', 'of 2 numbers'],
    ['of zeros alone', gives([0, 0]), 'warn', 'zeros'],
    ['that is not there', gives(), 'warn', '0 vectors for 1'],
    ['and is told no', engineOf(() => Promise.reject(new Error('a web page'))), 'warn', 'a web page'],
    ['in vain', engineOf(hangs), 'warn', 'within 20 ms'],
  ])('%s', async (_what, engine, level, text) => {
    expect(await checkEmbedder({ engine, model: 'bge', timeoutMs: 20, entries: [], filled: [] })).toMatchObject([
      { level, subject: 'Embedding model bge', text: expect.stringContaining(text) as string },
    ]);
  });

  test('of each length that collections ask for, and names those that it fits no more', async () => {
    const engine = engineOf(({ dimensions }) =>
      dimensions === 5
        ? Promise.reject(new EngineError('refused', 'no', { detail: 'no such length' }))
        : Promise.resolve({ vectors: [Array.from({ length: dimensions ?? 3 }, () => 1)], promptTokens: 1 }),
    );
    const of = (requested: number | null, length: number, ...names: string[]) => ({
      model: 'm',
      requested,
      length,
      names,
    });
    const filled = [
      of(null, 2, 'a', 'b', 'c', 'd', 'e', 'f'),
      of(null, 3, 'well'),
      of(4, 4, 'cut'),
      of(4, 2, 'once'),
      of(5, 5, 'x'),
    ];
    const findings = await checkEmbedder({ engine, model: 'bge', timeoutMs: 1_000, entries: [], filled });
    expect(findings.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'ok: gives vectors of 3 numbers',
      'warn: gives vectors of 3 numbers, those of "a", "b", "c", "d", "e" and 1 more have 2',
      'warn: gives vectors of 4 numbers, those of "once" have 2',
      'warn: no such length, where 5 numbers are asked for',
    ]);
  });
});

describe('the doctor finds out what an embedding model does', () => {
  const entriesOf = (fields: object) => {
    const entry = createCatalogue({ models: { mine: { kind: 'embedding', ...fields } } }).get('mine');
    return entry ? [entry] : [];
  };
  const check = async (server: Parameters<typeof startEmbeddingServer>[0], fields: object = {}) => {
    const fake = await startEmbeddingServer(server);
    const engine = createOpenAiEngine({ id: 'gpu', baseUrl: fake.url, log: silent });
    try {
      const asked = { engine, model: 'fake-embedder', timeoutMs: 5_000, entries: entriesOf(fields), filled: [] };
      return (await checkEmbedder(asked)).map(({ level, text }) => `${level}: ${text}`);
    } finally {
      await engine.close();
      await fake.close();
    }
  };

  test('and tells its length, norm, dimensions and prefixes', async () => {
    expect(await check({ kind: 'vllm', shortens: true, norm: 3 })).toEqual([
      'ok: gives vectors of 16 numbers of norm 3; reads 512 tokens of a text; takes dimensions; does not heed prefixes',
    ]);
    expect(await check({ kind: 'tei', autoTruncate: true })).toEqual([
      'ok: gives vectors of 16 numbers of norm 1; reads 512 tokens of a text, and cuts longer ones without a word; does not take dimensions; does not heed prefixes',
    ]);
  });

  test('and what of its entry does not fit', async () => {
    const found = await check(
      { kind: 'vllm', wantsPrefixes: true },
      { dimensions: 1_024, embedding: { max_tokens: 8_192 } },
    );
    expect(found.slice(1)).toEqual([
      'warn: gives vectors of 16 numbers, the catalogue says 1024',
      'warn: reads 512 tokens of a text at its server, the catalogue says 8192',
      'warn: finds passages otherwise with words such as "query: " before texts, and is given none',
    ]);
    const prefixed = { embedding: { query_prefix: 'query: ', passage_prefix: 'passage: ' } };
    expect(await check({ kind: 'vllm', wantsPrefixes: true }, prefixed)).toHaveLength(1);
  });

  test('also of one that reads a few words alone', async () => {
    const [facts, ...others] = await check({ kind: 'vllm', maxTokens: 10, wantsPrefixes: true }, { dimensions: 1_024 });
    expect(facts).toContain('reads 10 tokens of a text; does not take dimensions; heeds prefixes');
    expect(others[0]).toContain('gives vectors of 16 numbers, the catalogue says 1024');
  });

  test('also where the server does not say how much it reads', async () => {
    expect((await check({ kind: 'ollama' }))[0]).toContain('reads 512 tokens of a text, and cuts longer ones');
  });
});
