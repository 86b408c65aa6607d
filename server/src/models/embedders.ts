import type { EmbeddingProfile, ModelProfile } from './profile.ts';

// What embedding models want of their callers, as data: the words before texts, and how long a text may be.

type Known = Pick<EmbeddingProfile, 'max_tokens' | 'pooling' | 'query_prefix' | 'passage_prefix'>;

interface Family {
  /** Matches the published name, or that of a file made of it. */
  readonly name: RegExp;
  readonly known: Known;
}

const INSTRUCTION = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const REPRESENT = 'Represent this sentence for searching relevant passages: ';

/** Source of each: the model card of its name at huggingface.co, sections "Usage" and the like; lengths as `max_seq_length` of its files. */
const families: readonly Family[] = [
  // Qwen/Qwen3-Embedding-0.6B, -4B, -8B: an instruction before queries alone, without a blank after "Query:".
  {
    name: /qwen3-embedding/i,
    known: { pooling: 'last', max_tokens: 32_768, query_prefix: INSTRUCTION, passage_prefix: '' },
  },
  // Alibaba-NLP/gte-Qwen2-1.5B-instruct and -7B-instruct.
  {
    name: /gte-qwen2/i,
    known: { pooling: 'last', max_tokens: 32_768, query_prefix: `${INSTRUCTION} `, passage_prefix: '' },
  },
  // intfloat/e5-mistral-7b-instruct.
  {
    name: /e5-mistral/i,
    known: { pooling: 'last', max_tokens: 4_096, query_prefix: `${INSTRUCTION} `, passage_prefix: '' },
  },
  // intfloat/multilingual-e5-large-instruct.
  {
    name: /e5-large-instruct/i,
    known: { pooling: 'mean', max_tokens: 512, query_prefix: `${INSTRUCTION} `, passage_prefix: '' },
  },
  // intfloat/multilingual-e5-small, -base, -large; intfloat/e5-small-v2 and its kin; nlpai-lab/KoE5.
  {
    name: /(?:^|[/_-])(?:koe5|e5-(?:small|base|large))(?=[-_.:]|$)/i,
    known: { pooling: 'mean', max_tokens: 512, query_prefix: 'query: ', passage_prefix: 'passage: ' },
  },
  // BAAI/bge-m3 and what was trained from it: nlpai-lab/KURE-v1, dragonkue/BGE-m3-ko, upskyy/bge-m3-korean.
  {
    name: /bge-m3|(?:^|[/_-])kure-v1/i,
    known: { pooling: 'cls', max_tokens: 8_192, query_prefix: '', passage_prefix: '' },
  },
  // BAAI/bge-small-en-v1.5, -base, -large.
  {
    name: /bge-(?:small|base|large)-en/i,
    known: { pooling: 'cls', max_tokens: 512, query_prefix: REPRESENT, passage_prefix: '' },
  },
  // BAAI/bge-small-zh-v1.5, -base, -large.
  {
    name: /bge-(?:small|base|large)-zh/i,
    known: {
      pooling: 'cls',
      max_tokens: 512,
      query_prefix: '为这个句子生成表示以用于检索相关文章：',
      passage_prefix: '',
    },
  },
  // Snowflake/snowflake-arctic-embed-m-v2.0 and -l-v2.0; dragonkue/snowflake-arctic-embed-l-v2.0-ko.
  {
    name: /arctic-embed.*v2/i,
    known: { pooling: 'cls', max_tokens: 8_192, query_prefix: 'query: ', passage_prefix: '' },
  },
  { name: /arctic-embed/i, known: { pooling: 'cls', max_tokens: 512, query_prefix: REPRESENT, passage_prefix: '' } },
  // mixedbread-ai/mxbai-embed-large-v1.
  {
    name: /mxbai-embed-large/i,
    known: { pooling: 'cls', max_tokens: 512, query_prefix: REPRESENT, passage_prefix: '' },
  },
  // nomic-ai/nomic-embed-text-v1.5; longer texts need its positions scaled, which servers leave off.
  {
    name: /nomic-embed-text/i,
    known: { pooling: 'mean', max_tokens: 2_048, query_prefix: 'search_query: ', passage_prefix: 'search_document: ' },
  },
  // google/embeddinggemma-300m.
  {
    name: /embedding-?gemma/i,
    known: {
      pooling: 'mean',
      max_tokens: 2_048,
      query_prefix: 'task: search result | query: ',
      passage_prefix: 'title: none | text: ',
    },
  },
  // Alibaba-NLP/gte-multilingual-base.
  {
    name: /gte-multilingual-base/i,
    known: { pooling: 'cls', max_tokens: 8_192, query_prefix: '', passage_prefix: '' },
  },
  // sentence-transformers/all-MiniLM-L6-v2: cut at 256 by the reference, though its positions reach 512.
  { name: /all-minilm-l6/i, known: { pooling: 'mean', max_tokens: 256, query_prefix: '', passage_prefix: '' } },
  // sentence-transformers/all-MiniLM-L12-v2, paraphrase-multilingual-MiniLM-L12-v2; jhgan/ko-sroberta-multitask.
  {
    name: /minilm-l12|ko-sroberta-multitask/i,
    known: { pooling: 'mean', max_tokens: 128, query_prefix: '', passage_prefix: '' },
  },
  // sentence-transformers/all-mpnet-base-v2.
  { name: /all-mpnet-base/i, known: { pooling: 'mean', max_tokens: 384, query_prefix: '', passage_prefix: '' } },
  // platform.openai.com/docs/guides/embeddings: text-embedding-3-small, -3-large.
  { name: /^text-embedding-3-/i, known: { max_tokens: 8_192, query_prefix: '', passage_prefix: '' } },
];

/** What is known of an embedding model by any of its names, the first that says something; nothing where none does. */
export const knownEmbedder = (names: readonly string[]): Known =>
  names.flatMap((name) => families.find((family) => family.name.test(name)) ?? [])[0]?.known ?? {};

const smallest = (...lengths: readonly (number | null | undefined)[]): number | undefined => {
  const known = lengths.filter((length) => typeof length === 'number');
  return known.length === 0 ? undefined : Math.min(...known);
};

/** What is known of an entry beside what was written in it. */
export interface EmbedderHints {
  /** Its names: at its engine, of its file, its id. */
  readonly names: readonly string[];
  /** Tokens that its engine reads; null where it does not say. */
  readonly engineLength?: number | null;
}

/** An entry with what is known of it by name and by its engine; what was written in it stays. Entries of other kinds are as they were. */
export function completeEmbedder<T extends ModelProfile>(entry: T, { names, engineLength = null }: EmbedderHints): T {
  if (entry.kind !== 'embedding') return entry;
  const { max_tokens: written, ...own } = entry.embedding;
  // What a file says of its pooling counts before what its name tells.
  const { max_tokens: named, pooling: _assumed, ...known } = knownEmbedder(names);
  const maxTokens = smallest(written ?? named, engineLength);
  return {
    ...entry,
    embedding: { ...known, ...own, ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) },
    context_length: maxTokens ?? entry.context_length,
  };
}

/** Tokens of a text that an embedding model reads, special ones counted; null where nobody has said. */
export const lengthOfTexts = ({ embedding }: Pick<ModelProfile, 'embedding'>): number | null =>
  embedding.max_tokens ?? null;

/** Kinds whose requests are limited by the length of sound or text, not by a context. */
const withoutContext: ReadonlySet<ModelProfile['kind']> = new Set(['transcription', 'speech']);

/**
 * The length of a model as people are shown it, in tokens; null where it is not known, as with many embedding models of servers, and
 * for speech.
 */
export function shownLength(model: ModelProfile): number | null {
  if (withoutContext.has(model.kind)) return null;
  return model.kind === 'embedding' ? lengthOfTexts(model) : model.context_length;
}

/** What stands before a text for an embedding model. */
export interface Prefixes {
  readonly query: string;
  readonly passage: string;
}

/** Whether anybody says what a model wants before its texts: its entry, or its name. */
export const saysPrefixes = ({ embedding }: Pick<ModelProfile, 'embedding'>): boolean =>
  embedding.query_prefix !== undefined || embedding.passage_prefix !== undefined;

/** The words that a model wants before its texts; empty where it wants none. */
export const prefixesOf = ({ embedding }: Pick<ModelProfile, 'embedding'>): Prefixes => ({
  query: embedding.query_prefix ?? '',
  passage: embedding.passage_prefix ?? '',
});
