import { normal, ones, randomNumbers, zeros } from './numbers.ts';
import { type Meta, bool, f32, string, type Tensor, u32, writeGguf } from './writer.ts';

// A projector in the form of LLaVA: an image in squares, a layer of attention, and two matrices that make embeddings of the language model
// of them. Source: llama.cpp, tools/mtmd/clip.cpp and models/llava.cpp.

const WIDTH = 32;
const HEADS = 2;
const FEED_FORWARD = 64;
/** Pixels of an image's side, and of a square's. */
const IMAGE = 56;
const SQUARE = 14;
/** Tokens that an image takes. */
export const IMAGE_TOKENS = (IMAGE / SQUARE) ** 2;

export interface ProjectorOptions {
  /** Width of the language model. */
  readonly embedding: number;
  readonly seed?: number;
}

/** Writes a tiny projector of random weights for a model of that width. Returns the path. */
export function writeRandomProjector(path: string, { embedding, seed = 1 }: ProjectorOptions): string {
  const random = randomNumbers(seed);
  const make = (...shape: readonly number[]) => normal(random, 1 / Math.sqrt(shape[0] ?? 1), ...shape);
  const vision: Record<string, Meta> = {
    image_size: u32(IMAGE),
    patch_size: u32(SQUARE),
    embedding_length: u32(WIDTH),
    feed_forward_length: u32(FEED_FORWARD),
    projection_dim: u32(embedding),
    // The last layer is not used by this form.
    block_count: u32(2),
    'attention.head_count': u32(HEADS),
    'attention.layer_norm_epsilon': f32(1e-6),
    image_mean: { type: 'f32s', value: [0.5, 0.5, 0.5] },
    image_std: { type: 'f32s', value: [0.5, 0.5, 0.5] },
  };
  const tensors: Record<string, Tensor> = {
    'v.patch_embd.weight': make(SQUARE, SQUARE, 3, WIDTH),
    'v.position_embd.weight': make(WIDTH, IMAGE_TOKENS),
    'mm.0.weight': make(WIDTH, embedding),
    'mm.0.bias': zeros(embedding),
    'mm.2.weight': make(embedding, embedding),
    'mm.2.bias': zeros(embedding),
  };
  const linear = (name: string, from: number, to: number) => {
    tensors[`${name}.weight`] = make(from, to);
    tensors[`${name}.bias`] = zeros(to);
  };
  for (const layer of [0, 1].map((i) => `v.blk.${i}`)) {
    for (const norm of ['ln1', 'ln2']) {
      tensors[`${layer}.${norm}.weight`] = ones(WIDTH);
      tensors[`${layer}.${norm}.bias`] = zeros(WIDTH);
    }
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_out']) linear(`${layer}.${part}`, WIDTH, WIDTH);
    linear(`${layer}.ffn_up`, WIDTH, FEED_FORWARD);
    linear(`${layer}.ffn_down`, FEED_FORWARD, WIDTH);
  }
  return writeGguf(
    path,
    {
      'general.architecture': string('clip'),
      'general.file_type': u32(0),
      'clip.has_vision_encoder': bool(true),
      'clip.projector_type': string('mlp'),
      'clip.use_gelu': bool(true),
      ...Object.fromEntries(Object.entries(vision).map(([key, value]) => [`clip.vision.${key}`, value])),
    },
    tensors,
  );
}
