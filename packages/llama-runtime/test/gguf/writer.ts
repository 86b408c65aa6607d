import { writeFileSync } from 'node:fs';

// GGUF, version 3. Source: ggml's specification of the format (docs/gguf.md).

/** A value of the header with its type. */
export type Meta =
  | { readonly type: 'u32' | 'i32' | 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'i32s' | 'f32s'; readonly value: readonly number[] };

export const u32 = (value: number): Meta => ({ type: 'u32', value });
export const f32 = (value: number): Meta => ({ type: 'f32', value });
export const bool = (value: boolean): Meta => ({ type: 'bool', value });
export const string = (value: string): Meta => ({ type: 'string', value });
export const strings = (value: readonly string[]): Meta => ({ type: 'strings', value });
export const i32s = (value: readonly number[]): Meta => ({ type: 'i32s', value });

/** A tensor of 32-bit floats; the first dimension varies fastest. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8 } as const;
const ARRAY = 9;
const ALIGNMENT = 32;

const u32Bytes = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64Bytes = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const numberBytes = (type: 'u32' | 'i32' | 'f32', value: number) => {
  const bytes = Buffer.alloc(4);
  if (type === 'f32') bytes.writeFloatLE(value);
  else if (type === 'i32') bytes.writeInt32LE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
};
const stringBytes = (text: string) => {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([u64Bytes(bytes.length), bytes]);
};

function metaBytes(meta: Meta): Uint8Array[] {
  switch (meta.type) {
    case 'string':
      return [u32Bytes(TYPES.string), stringBytes(meta.value)];
    case 'bool':
      return [u32Bytes(TYPES.bool), Buffer.from([meta.value ? 1 : 0])];
    case 'strings':
      return [u32Bytes(ARRAY), u32Bytes(TYPES.string), u64Bytes(meta.value.length), ...meta.value.map(stringBytes)];
    case 'i32s':
    case 'f32s': {
      const type = meta.type === 'i32s' ? 'i32' : 'f32';
      const items = meta.value.map((value) => numberBytes(type, value));
      return [u32Bytes(ARRAY), u32Bytes(TYPES[type]), u64Bytes(meta.value.length), ...items];
    }
    default:
      return [u32Bytes(TYPES[meta.type]), numberBytes(meta.type, meta.value)];
  }
}

const aligned = (size: number) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** The bytes of a file with these header values and tensors. */
export function ggufBytes(metadata: Readonly<Record<string, Meta>>, tensors: Readonly<Record<string, Tensor>>): Buffer {
  const metas = Object.entries(metadata);
  const named = Object.entries(tensors);
  const head: Uint8Array[] = [Buffer.from('GGUF'), u32Bytes(3), u64Bytes(named.length), u64Bytes(metas.length)];
  for (const [key, meta] of metas) head.push(stringBytes(key), ...metaBytes(meta));
  let offset = 0;
  for (const [name, { shape, data }] of named) {
    if (shape.reduce((a, b) => a * b, 1) !== data.length) throw new Error(`${name} has another size than its shape`);
    head.push(stringBytes(name), u32Bytes(shape.length), ...shape.map(u64Bytes), u32Bytes(0), u64Bytes(offset));
    offset += aligned(data.byteLength);
  }
  const header = Buffer.concat(head);
  const parts: Uint8Array[] = [header, Buffer.alloc(aligned(header.length) - header.length)];
  for (const [, { data }] of named) {
    parts.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    parts.push(Buffer.alloc(aligned(data.byteLength) - data.byteLength));
  }
  return Buffer.concat(parts);
}

/** Writes a file and returns its path. */
export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, Meta>>,
  tensors: Readonly<Record<string, Tensor>>,
): string {
  writeFileSync(path, ggufBytes(metadata, tensors));
  return path;
}
