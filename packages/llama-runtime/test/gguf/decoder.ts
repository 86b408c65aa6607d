import { f32, type Meta, string, type Tensor, u32 } from './writer.ts';
import { ones, zeros } from './numbers.ts';

/** Sizes of a model of the architecture `llama`, or of one with the same tensors. */
export interface DecoderSizes {
  readonly embedding: number;
  readonly layers: number;
  readonly heads: number;
  readonly headSize: number;
  readonly feedForward: number;
  readonly contextLength: number;
}

export function decoderMetadata(architecture: string, name: string, sizes: DecoderSizes): Record<string, Meta> {
  const own = (key: string) => `${architecture}.${key}`;
  return {
    'general.architecture': string(architecture),
    'general.name': string(name),
    'general.file_type': u32(0),
    [own('context_length')]: u32(sizes.contextLength),
    [own('embedding_length')]: u32(sizes.embedding),
    [own('block_count')]: u32(sizes.layers),
    [own('feed_forward_length')]: u32(sizes.feedForward),
    [own('attention.head_count')]: u32(sizes.heads),
    [own('attention.head_count_kv')]: u32(sizes.heads),
    [own('attention.key_length')]: u32(sizes.headSize),
    [own('attention.value_length')]: u32(sizes.headSize),
    [own('attention.layer_norm_rms_epsilon')]: f32(1e-6),
    [own('rope.dimension_count')]: u32(sizes.headSize),
    [own('rope.freq_base')]: f32(10_000),
  };
}

/** The tensors of the layers; `make` gives each its numbers. Source: llama.cpp's tensor names of the architecture `llama`. */
export function decoderLayers(
  { layers, embedding, heads, headSize, feedForward }: DecoderSizes,
  make: (...shape: readonly number[]) => Tensor = zeros,
): Record<string, Tensor> {
  const inner = heads * headSize;
  const tensors: Record<string, Tensor> = {};
  for (let i = 0; i < layers; i++) {
    tensors[`blk.${i}.attn_norm.weight`] = ones(embedding);
    tensors[`blk.${i}.attn_q.weight`] = make(embedding, inner);
    tensors[`blk.${i}.attn_k.weight`] = make(embedding, inner);
    tensors[`blk.${i}.attn_v.weight`] = make(embedding, inner);
    tensors[`blk.${i}.attn_output.weight`] = make(inner, embedding);
    tensors[`blk.${i}.ffn_norm.weight`] = ones(embedding);
    tensors[`blk.${i}.ffn_gate.weight`] = make(embedding, feedForward);
    tensors[`blk.${i}.ffn_up.weight`] = make(embedding, feedForward);
    tensors[`blk.${i}.ffn_down.weight`] = make(feedForward, embedding);
  }
  return tensors;
}
