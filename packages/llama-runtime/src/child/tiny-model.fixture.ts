import { writeFileSync } from 'node:fs';

/** A token beyond the 256 bytes: text as it is written, or bytes that need not be whole characters. */
export interface ExtraToken {
  readonly name: string;
  /** What it adds to the text; the name when left out. */
  readonly bytes?: Uint8Array;
  readonly special?: boolean;
}

export interface TinyModel {
  readonly tokens?: readonly ExtraToken[];
  /** Which token follows which, by name. With it the weights say exactly this; without it they are random. */
  readonly chain?: Readonly<Record<string, string>>;
  /** Logit of the token that follows; the others have 0. */
  readonly sharpness?: number;
  readonly template?: string;
  /** Token that stands before every text. */
  readonly bos?: string;
  readonly architecture?: string;
  /** 1 mean, 2 first, 3 last. */
  readonly pooling?: number;
  readonly contextLength?: number;
  /** Makes it a reranker (of the architecture qwen3): the more of this token in a text, the higher the score. */
  readonly rankToken?: string;
  readonly width?: number;
}

export const END = '<end>';
const FLOAT_BYTES = 4;
const HEADS = 4;
const ALIGNMENT = 32;

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const f32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

function byteChars(): string[] {
  const chars: string[] = [];
  let shifted = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const plain = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    chars.push(String.fromCharCode(plain ? byte : shifted++));
  }
  return chars;
}

/** Source: the GGUF specification; llama.h, `enum llama_token_type`. */
const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;

interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

function tensors(names: readonly string[], width: number, model: TinyModel): Tensor[] {
  const list: Tensor[] = [];
  const size = names.length;
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const scale = 3.4 / Math.sqrt(width);
  const add = (name: string, dims: readonly number[], fill: 'one' | 'zero' | 'random') => {
    const count = dims.reduce((a, b) => a * b, 1);
    const values = new Float32Array(count);
    if (fill !== 'zero') for (let i = 0; i < count; i++) values[i] = fill === 'one' ? 1 : random() * scale;
    list.push({ name, dims, values });
    return values;
  };
  const scripted = model.chain !== undefined;
  const embedding = add('token_embd.weight', [width, size], scripted ? 'zero' : 'random');
  const output = add('output.weight', [width, size], scripted ? 'zero' : 'random');
  if (model.chain) {
    for (let token = 0; token < size; token++) embedding[token * width + token] = 1;
    // The norm makes the single 1 of a token √width long.
    const weight = (model.sharpness ?? 30) / Math.sqrt(width);
    for (const [from, to] of Object.entries(model.chain)) {
      output[names.indexOf(to) * width + names.indexOf(from)] = weight;
    }
  }
  add('output_norm.weight', [width], 'one');
  const inner = scripted ? 'zero' : 'random';
  add('blk.0.attn_norm.weight', [width], 'one');
  for (const part of ['q', 'k', 'v', 'output']) {
    const values = add(`blk.0.attn_${part}.weight`, [width, width], inner);
    // Equal attention to all tokens, handed on as they are.
    const identity = model.rankToken !== undefined && (part === 'v' || part === 'output');
    if (identity) for (let i = 0; i < width; i++) values[i * width + i] = 1;
  }
  add('blk.0.ffn_norm.weight', [width], 'one');
  add('blk.0.ffn_gate.weight', [width, width], inner);
  add('blk.0.ffn_up.weight', [width, width], inner);
  add('blk.0.ffn_down.weight', [width, width], inner);
  if (model.rankToken !== undefined) {
    for (const part of ['q', 'k']) add(`blk.0.attn_${part}_norm.weight`, [width / HEADS], 'one');
    // Two rows: yes and no.
    const scores = add('cls.output.weight', [width, 2], 'zero');
    scores[names.indexOf(model.rankToken)] = 1;
  }
  return list;
}

/** Writes a GGUF file of one small layer. Returns its path. */
export function writeTinyModel(path: string, model: TinyModel): string {
  const chars = byteChars();
  const extra: readonly ExtraToken[] = [...(model.tokens ?? []), { name: END, special: true }];
  const shown = (token: ExtraToken) =>
    token.bytes === undefined ? token.name : [...token.bytes].map((byte) => chars[byte]).join('');
  const kindOf = (token: ExtraToken) => (token.special ? CONTROL : token.bytes === undefined ? USER_DEFINED : NORMAL);
  const names = [...chars, ...extra.map(({ name }) => name)];
  const texts = [...chars, ...extra.map(shown)];
  const types = [...chars.map(() => NORMAL), ...extra.map(kindOf)];
  const arch = model.architecture ?? (model.rankToken === undefined ? 'llama' : 'qwen3');
  const width = model.width ?? (model.chain ? Math.ceil((names.length + 1) / 32) * 32 : 64);
  const pairs: Buffer[] = [];
  const put = (key: string, type: number, value: Buffer) => pairs.push(Buffer.concat([text(key), u32(type), value]));
  const list = (type: number, items: Buffer[]) => Buffer.concat([u32(type), u64(items.length), ...items]);
  put('general.architecture', 8, text(arch));
  put(`${arch}.context_length`, 4, u32(model.contextLength ?? 4096));
  put(`${arch}.embedding_length`, 4, u32(width));
  put(`${arch}.block_count`, 4, u32(1));
  put(`${arch}.feed_forward_length`, 4, u32(width));
  put(`${arch}.attention.head_count`, 4, u32(HEADS));
  put(`${arch}.attention.head_count_kv`, 4, u32(HEADS));
  put(`${arch}.rope.dimension_count`, 4, u32(width / HEADS));
  put(`${arch}.attention.layer_norm_rms_epsilon`, 6, f32(1e-9));
  if (model.pooling !== undefined) put(`${arch}.pooling_type`, 4, u32(model.pooling));
  if (model.rankToken !== undefined) put(`${arch}.classifier.output_labels`, 9, list(8, [text('yes'), text('no')]));
  put('tokenizer.ggml.model', 8, text('gpt2'));
  put('tokenizer.ggml.pre', 8, text('qwen2'));
  put('tokenizer.ggml.tokens', 9, list(8, texts.map(text)));
  put('tokenizer.ggml.token_type', 9, list(5, types.map(u32)));
  put('tokenizer.ggml.merges', 9, list(8, [text('a b')]));
  put('tokenizer.ggml.eos_token_id', 4, u32(names.indexOf(END)));
  put('tokenizer.ggml.add_bos_token', 7, Buffer.from([model.bos === undefined ? 0 : 1]));
  if (model.bos !== undefined) put('tokenizer.ggml.bos_token_id', 4, u32(names.indexOf(model.bos)));
  if (model.template !== undefined) put('tokenizer.chat_template', 8, text(model.template));
  const weights = tensors(names, width, model);
  const infos: Buffer[] = [];
  let offset = 0;
  const padded = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  for (const { name, dims, values } of weights) {
    infos.push(Buffer.concat([text(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset)]));
    offset += padded(values.length * FLOAT_BYTES);
  }
  const magic = Buffer.from('GGUF');
  const head = Buffer.concat([magic, u32(3), u64(weights.length), u64(pairs.length), ...pairs, ...infos]);
  const body = weights.map(({ values }) => {
    const bytes = Buffer.from(values.buffer);
    return Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
  });
  writeFileSync(path, Buffer.concat([head, Buffer.alloc(padded(head.length) - head.length), ...body]));
  return path;
}
