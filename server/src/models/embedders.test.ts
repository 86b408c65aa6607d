import { describe, expect, test } from 'vitest';
import { createCatalogue } from './catalogue.ts';
import { knownEmbedder, lengthOfTexts, prefixesOf, shownLength } from './embedders.ts';
import { type LocalModel, localEmbedderSettings, withLocalModels } from './local.ts';
import { withModelServers } from './served.ts';

const e5 = { query: 'query: ', passage: 'passage: ' };
const none = { query: '', passage: '' };

describe('an embedding model is known by its published name, wherever that stands', () => {
  test.each([
    ['intfloat/multilingual-e5-large', 512, 'mean', e5],
    ['multilingual-e5-small-q8_0', 512, 'mean', e5],
    ['nlpai-lab/KoE5', 512, 'mean', e5],
    ['nlpai-lab/KURE-v1', 8_192, 'cls', none],
    ['dragonkue/BGE-m3-ko', 8_192, 'cls', none],
    ['BAAI/bge-m3', 8_192, 'cls', none],
    ['sentence-transformers/all-MiniLM-L6-v2', 256, 'mean', none],
    ['nomic-embed-text:latest', 2_048, 'mean', { query: 'search_query: ', passage: 'search_document: ' }],
  ] as const)('%s', (name, tokens, pooling, prefixes) => {
    expect(knownEmbedder([name])).toEqual({
      max_tokens: tokens,
      pooling,
      query_prefix: prefixes.query,
      passage_prefix: prefixes.passage,
    });
  });

  test('Qwen3-Embedding and E5-instruct have their instruction before queries alone', () => {
    const { query_prefix: qwen, passage_prefix: passage } = knownEmbedder(['Qwen/Qwen3-Embedding-0.6B']);
    expect(qwen).toMatch(/^Instruct: .*\nQuery:$/);
    expect(passage).toBe('');
    expect(knownEmbedder(['intfloat/multilingual-e5-large-instruct']).query_prefix).toMatch(/^Instruct: .*\nQuery: $/);
  });

  test('others are not known', () => expect(knownEmbedder(['my-org/my-embedder', 'e50-large'])).toEqual({}));
});

describe('the entry of an embedding model', () => {
  const entryOf = (fields: object, id = 'mine') => {
    const entry = createCatalogue({ models: { [id]: { kind: 'embedding', ...fields } } }).get(id);
    if (!entry) throw new Error('no entry');
    return entry;
  };

  test('has what its engine name tells, and what was written before that', () => {
    const bound = { engines: [{ engine: 'gpu', model: 'intfloat/multilingual-e5-base' }] };
    expect(prefixesOf(entryOf(bound))).toEqual(e5);
    expect(shownLength(entryOf(bound))).toBe(512);
    const written = entryOf({ ...bound, embedding: { query_prefix: '', max_tokens: 128 } });
    expect(prefixesOf(written)).toEqual({ query: '', passage: 'passage: ' });
    expect(lengthOfTexts(written)).toBe(128);
  });

  test('shows no length that nobody said', () => {
    expect(shownLength(entryOf({ engines: [{ engine: 'gpu', model: 'mine' }] }))).toBeNull();
    expect(shownLength(entryOf({ context_length: 2_048 }))).toBe(2_048);
    for (const kind of ['speech', 'transcription'] as const) expect(shownLength({ ...entryOf({}), kind })).toBeNull();
  });

  test('of a connected server has the smaller of what it reads and what the model was made for', () => {
    const served = (contextLength: number | null) =>
      withModelServers(createCatalogue({ models: {} }), [
        {
          name: 'gpu',
          dialect: null,
          models: [{ remoteId: 'all-MiniLM-L6-v2', id: 'small', kind: 'embedding', contextLength }],
        },
      ]).get('small');
    expect([512, 128, null].map((length) => served(length)?.embedding.max_tokens)).toEqual([256, 128, 256]);
  });
});

describe('an embedding model of this machine', () => {
  const local: LocalModel = {
    id: 'all-minilm-l6-v2',
    kind: 'embedding',
    description: 'a file',
    contextLength: 512,
    tools: false,
    thinking: 'none',
    family: null,
    dimensions: 384,
  };

  test('serves a name that nobody had, as what it is', () => {
    const bindings = [{ catalogueId: 'text-embedding-3-small', localId: local.id }];
    const models = withLocalModels(createCatalogue({ models: {} }), [local], bindings);
    expect(models.find(({ id }) => id === 'text-embedding-3-small')).toMatchObject({
      kind: 'embedding',
      dimensions: 384,
      engines: [{ engine: 'llama', model: local.id }],
      embedding: { max_tokens: 256 },
    });
  });

  test('is read as its entries say, else as its name tells', () => {
    const settingsOf = (embedding: object) => {
      const mine = { kind: 'embedding' as const, engines: [{ engine: 'llama', model: local.id }], embedding };
      return localEmbedderSettings(withLocalModels(createCatalogue({ models: { mine } }), [local], []), local);
    };
    expect(settingsOf({})).toEqual({ pooling: null, assumedPooling: 'mean', normalize: true, maxTokens: 256 });
    expect(settingsOf({ pooling: 'cls', normalize: false, max_tokens: 300 })).toEqual({
      pooling: 'cls',
      assumedPooling: 'mean',
      normalize: false,
      maxTokens: 300,
    });
  });
});
