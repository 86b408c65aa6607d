import { identity, normal, ones, randomNumbers, zeros } from './numbers.ts';
import { bool, f32, i32s, type Meta, string, strings, type Tensor, u32, writeGguf } from './writer.ts';

/** Sizes of an embedding model. */
export interface BertSizes {
  readonly embedding: number;
  readonly layers: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly context: number;
}

const TINY: BertSizes = { embedding: 64, layers: 1, heads: 1, feedForward: 64, context: 256 };
const EMBEDDING = TINY.embedding;
/** Source: llama.cpp, `llama_pooling_type`. */
const POOLING = { mean: 1, cls: 2, rank: 4 } as const;

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** Letters, digits, Hangul letters and signs: a word that is no token of its own is cut into these. */
const characters = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789.,?!:;-()\'"',
  ...Array.from({ length: 0x11ff - 0x1100 + 1 }, (_, i) => String.fromCodePoint(0x1100 + i)),
];

/** A WordPiece vocabulary as llama.cpp has it: pieces that begin a word carry `▁`. */
function wordPieces(words: readonly string[]): { readonly tokens: string[]; readonly metadata: Record<string, Meta> } {
  const tokens = [
    ...new Set([
      ...SPECIAL,
      ...words.map((word) => `▁${word.normalize('NFD')}`),
      ...characters.map((c) => `▁${c}`),
      ...characters,
    ]),
  ];
  return {
    tokens,
    metadata: {
      'tokenizer.ggml.model': string('bert'),
      'tokenizer.ggml.pre': string('default'),
      'tokenizer.ggml.tokens': strings(tokens),
      'tokenizer.ggml.token_type': i32s(tokens.map((_, id) => (id < SPECIAL.length ? 3 : 1))),
      'tokenizer.ggml.token_type_count': u32(2),
      'tokenizer.ggml.padding_token_id': u32(0),
      'tokenizer.ggml.unknown_token_id': u32(1),
      'tokenizer.ggml.bos_token_id': u32(2),
      'tokenizer.ggml.eos_token_id': u32(3),
      'tokenizer.ggml.cls_token_id': u32(2),
      'tokenizer.ggml.seperator_token_id': u32(3),
      'tokenizer.ggml.mask_token_id': u32(4),
    },
  };
}

function bertMetadata(name: string, pooling: keyof typeof POOLING, sizes = TINY): Record<string, Meta> {
  return {
    'general.architecture': string('bert'),
    'general.name': string(name),
    'general.file_type': u32(0),
    'bert.context_length': u32(sizes.context),
    'bert.embedding_length': u32(sizes.embedding),
    'bert.block_count': u32(sizes.layers),
    'bert.feed_forward_length': u32(sizes.feedForward),
    'bert.attention.head_count': u32(sizes.heads),
    'bert.attention.layer_norm_epsilon': f32(1e-12),
    'bert.attention.causal': bool(false),
    'bert.pooling_type': u32(POOLING[pooling]),
  };
}

/** One layer. Every token looks at all others alike, and takes so much of their mean to itself. */
function bertLayer(layer: number, share: number, { embedding, feedForward }: BertSizes): Record<string, Tensor> {
  const square = () => zeros(embedding, embedding);
  const bias = () => zeros(embedding);
  const mean = identity(embedding);
  for (let i = 0; i < mean.data.length; i++) mean.data[i] = (mean.data[i] ?? 0) * share;
  const tensors = {
    'attn_q.weight': square(),
    'attn_q.bias': bias(),
    'attn_k.weight': square(),
    'attn_k.bias': bias(),
    'attn_v.weight': identity(embedding),
    'attn_v.bias': bias(),
    'attn_output.weight': mean,
    'attn_output.bias': bias(),
    'attn_output_norm.weight': ones(embedding),
    'attn_output_norm.bias': bias(),
    'ffn_up.weight': zeros(embedding, feedForward),
    'ffn_up.bias': zeros(feedForward),
    'ffn_down.weight': zeros(feedForward, embedding),
    'ffn_down.bias': bias(),
    'layer_output_norm.weight': ones(embedding),
    'layer_output_norm.bias': bias(),
  };
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [`blk.${layer}.${name}`, tensor]));
}

function bertTensors(count: number, share: number, random: () => number, sizes = TINY): Record<string, Tensor> {
  const { embedding, context, layers } = sizes;
  return {
    'token_embd.weight': normal(random, 1, embedding, count),
    'token_types.weight': zeros(embedding, 2),
    'position_embd.weight': normal(random, 0.02, embedding, context),
    'token_embd_norm.weight': ones(embedding),
    'token_embd_norm.bias': zeros(embedding),
    ...Object.assign({}, ...Array.from({ length: layers }, (_, layer) => bertLayer(layer, share, sizes))),
  };
}

export interface EmbeddingModelOptions {
  readonly pooling?: 'mean' | 'cls';
  /** Words that are one token each; others are cut into letters. */
  readonly words?: readonly string[];
  readonly seed?: number;
  /** Other than tiny: for measurements. */
  readonly sizes?: BertSizes;
}

/** Writes an embedding model of 64 dimensions and 256 tokens of context: texts that share words lie near each other. Returns the path. */
export function writeEmbeddingModel(path: string, options: EmbeddingModelOptions = {}): string {
  const { pooling = 'mean', words = [], seed = 7, sizes = TINY } = options;
  const { tokens, metadata } = wordPieces(words);
  return writeGguf(
    path,
    { ...bertMetadata('Tiny embedder', pooling, sizes), ...metadata },
    bertTensors(tokens.length, pooling === 'cls' ? 4 : 0.5, randomNumbers(seed), sizes),
  );
}

export interface RerankModelOptions {
  /** A pair in which this word stands is relevant, the more often the more. */
  readonly relevant: string;
  readonly words?: readonly string[];
  readonly seed?: number;
}

/** Writes a reranker that looks for one word. Returns the path. */
export function writeRerankModel(path: string, options: RerankModelOptions): string {
  const { relevant, words = [], seed = 11 } = options;
  const { tokens, metadata } = wordPieces([relevant, ...words]);
  const tensors = bertTensors(tokens.length, 4, randomNumbers(seed));
  const id = tokens.indexOf(`▁${relevant.normalize('NFD')}`);
  const embeddings = tensors['token_embd.weight']?.data ?? new Float32Array();
  const wanted = embeddings.slice(id * EMBEDDING, (id + 1) * EMBEDDING).map((x) => x / Math.sqrt(EMBEDDING));
  return writeGguf(
    path,
    { ...bertMetadata('Tiny reranker', 'rank'), ...metadata },
    {
      ...tensors,
      'cls.weight': identity(EMBEDDING),
      'cls.bias': zeros(EMBEDDING),
      'cls.output.weight': { shape: [EMBEDDING, 1], data: wanted },
      'cls.output.bias': zeros(1),
    },
  );
}
