import { type FileHandle, open } from 'node:fs/promises';

/** Key-value pairs of a GGUF file, nested at the dots of their keys. Long arrays (vocabularies) are left out. */
export type GgufMetadata = Readonly<Record<string, unknown>>;

/** The file is no GGUF, or is damaged. */
export class GgufError extends Error {
  /** The file ends before its header does: it may still be written. */
  readonly truncated: boolean;

  constructor(message: string, truncated = false) {
    super(message);
    this.name = 'GgufError';
    this.truncated = truncated;
  }
}

const MAGIC = 0x46_55_47_47;
const MIN_VERSION = 2;
const MAX_VERSION = 3;
const CHUNK_BYTES = 1024 * 1024;
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
/** Source: the GGUF specification, "keys are at most 2^16-1 bytes long". */
const MAX_KEY_LENGTH = 65_535;
/** Real keys have five parts at most. */
const MAX_KEY_DEPTH = 16;
const MAX_PAIRS = 65_536;
/** The largest vocabularies have some hundred thousand tokens. */
const MAX_ITEMS = 4 * 1024 * 1024;
const MAX_TENSORS = 1024 * 1024;
/** Source: ggml.h, `GGML_MAX_DIMS`. */
const MAX_DIMENSIONS = 4;
const DEFAULT_ALIGNMENT = 32;
/** What all values of a header may take together, so that no file fills the memory. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const ITEM_BYTES = 16;
/** Longer arrays are of no use before the model is loaded. */
const MAX_ARRAY_LENGTH = 4_096;
const STRING = 8;
const ARRAY = 9;

type Read = (bytes: Buffer, at: number) => unknown;

/** Size and reading of each type of number. Source: the GGUF specification, `gguf_metadata_value_type`. */
const numbers: Readonly<Record<number, readonly [size: number, read: Read]>> = {
  0: [1, (bytes, at) => bytes.readUInt8(at)],
  1: [1, (bytes, at) => bytes.readInt8(at)],
  2: [2, (bytes, at) => bytes.readUInt16LE(at)],
  3: [2, (bytes, at) => bytes.readInt16LE(at)],
  4: [4, (bytes, at) => bytes.readUInt32LE(at)],
  5: [4, (bytes, at) => bytes.readInt32LE(at)],
  6: [4, (bytes, at) => bytes.readFloatLE(at)],
  7: [1, (bytes, at) => bytes.readUInt8(at) !== 0],
  10: [8, (bytes, at) => Number(bytes.readBigUInt64LE(at))],
  11: [8, (bytes, at) => Number(bytes.readBigInt64LE(at))],
  12: [8, (bytes, at) => bytes.readDoubleLE(at)],
};

/** Elements of a block of each type of tensor, and the bytes of a block. Source: ggml-common.h, the sizes of its blocks. */
const blocks: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
  40: [64, 36],
  41: [128, 18],
  42: [64, 18],
};

/** Reads a file from its beginning, a piece at a time. */
class Cursor {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #offset = 0;
  #kept = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Offset in the file. */
  get position(): number {
    return this.#offset - this.#bytes.length + this.#at;
  }

  /** Throws GgufError where the position is beyond the end of the file. */
  async assertWithinFile(): Promise<void> {
    const { size } = await this.#file.stat();
    if (this.position > size) throw new GgufError('The file ends within its header.', true);
  }

  /** Counts bytes that stay in memory. Throws GgufError beyond the limit. */
  reserve(bytes: number): void {
    this.#kept += bytes;
    if (this.#kept > MAX_HEADER_BYTES) throw new GgufError('The header is larger than that of any model.');
  }

  /** Skips bytes; whether they exist is checked by the next read. */
  advance(size: number): void {
    const held = this.#bytes.length - this.#at;
    this.#at += Math.min(size, held);
    this.#offset += Math.max(0, size - held);
  }

  /** Whether so many bytes are buffered. */
  hasBuffered(size: number): boolean {
    return this.#at + size <= this.#bytes.length;
  }

  /** Reads until so many bytes are buffered. Throws GgufError at the end of the file. */
  async fill(size: number): Promise<void> {
    const rest = this.#bytes.subarray(this.#at);
    const next = Buffer.allocUnsafe(Math.max(size, CHUNK_BYTES));
    rest.copy(next);
    let held = rest.length;
    while (held < size) {
      const { bytesRead } = await this.#file.read(next, held, next.length - held, this.#offset);
      if (bytesRead === 0) throw new GgufError('The file ends within its header.', true);
      this.#offset += bytesRead;
      held += bytesRead;
    }
    this.#bytes = next.subarray(0, held);
    this.#at = 0;
  }

  take(size: number, read: Read): unknown {
    const value = read(this.#bytes, this.#at);
    this.#at += size;
    return value;
  }

  async number(type: number): Promise<number> {
    const [size, read] = numbers[type] ?? [];
    if (size === undefined || !read) throw new GgufError(`The header has a value of the unknown type ${type}.`);
    if (!this.hasBuffered(size)) await this.fill(size);
    return this.take(size, read) as number;
  }

  /** Skips the items of an array: a vocabulary has hundreds of thousands. */
  async skipItems(type: number, count: number): Promise<void> {
    const size = numbers[type]?.[0];
    if (size !== undefined) return this.advance(size * count);
    if (type !== STRING) throw new GgufError('The header has an array that cannot be read.');
    for (let i = 0; i < count; i++) {
      if (!this.hasBuffered(8)) await this.fill(8);
      const length = Number(this.take(8, (bytes, at) => bytes.readBigUInt64LE(at)));
      if (length > MAX_TEXT_LENGTH) throw new GgufError('The header has a text that is too long.');
      this.advance(length);
    }
  }

  async text(maxLength = MAX_TEXT_LENGTH): Promise<string> {
    const length = await this.number(10);
    if (length > maxLength) throw new GgufError('The header has a text that is too long.');
    this.reserve(length);
    if (!this.hasBuffered(length)) await this.fill(length);
    return this.take(length, (bytes, at) => bytes.toString('utf8', at, at + length)) as string;
  }
}

async function readArray(cursor: Cursor): Promise<readonly unknown[]> {
  const type = await cursor.number(4);
  const count = await cursor.number(10);
  if (count > MAX_ITEMS) throw new GgufError('The header has an array that is too long.');
  // Source: llama.cpp, which reads no arrays of arrays either.
  if (type === ARRAY) throw new GgufError('The header has an array within an array.');
  const items: unknown[] = [];
  cursor.reserve(Math.min(count, MAX_ARRAY_LENGTH) * ITEM_BYTES);
  if (count > MAX_ARRAY_LENGTH) await cursor.skipItems(type, count);
  else for (let i = 0; i < count; i++) items.push(await readValue(cursor, type));
  return items;
}

const readValue = (cursor: Cursor, type: number): Promise<unknown> => {
  if (type === STRING) return cursor.text();
  return type === ARRAY ? readArray(cursor) : cursor.number(type);
};

/** `a.b.c` becomes `{a: {b: {c}}}`; where a value stands at `a.b` already, `b.c` becomes the key within `a`. */
function place(root: Record<string, unknown>, key: string, value: unknown): void {
  const all = key.split('.', MAX_KEY_DEPTH);
  const head = all.slice(0, MAX_KEY_DEPTH - 1);
  const parts = all.length < MAX_KEY_DEPTH ? all : [...head, key.slice(head.join('.').length + 1)];
  let at = root;
  while (parts.length > 1) {
    const [part = ''] = parts;
    const inner = Object.hasOwn(at, part) ? at[part] : (at[part] = Object.create(null) as object);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) break;
    at = inner as Record<string, unknown>;
    parts.shift();
  }
  at[parts.join('.')] = value;
}

interface MetadataSection {
  readonly tensors: number;
  readonly metadata: GgufMetadata;
}

async function readMetadataSection(cursor: Cursor): Promise<MetadataSection> {
  if ((await cursor.number(4)) !== MAGIC) throw new GgufError('The file is no GGUF file.');
  const version = await cursor.number(4);
  if (version < MIN_VERSION || version > MAX_VERSION) {
    throw new GgufError(`The file is of the GGUF version ${version}, which is not known.`);
  }
  const tensors = await cursor.number(10);
  const pairs = await cursor.number(10);
  if (pairs > MAX_PAIRS) throw new GgufError('The header is damaged.');
  const root = Object.create(null) as Record<string, unknown>;
  for (let i = 0; i < pairs; i++) {
    const key = await cursor.text(MAX_KEY_LENGTH);
    cursor.reserve(ITEM_BYTES * MAX_KEY_DEPTH);
    place(root, key, await readValue(cursor, await cursor.number(4)));
  }
  await cursor.assertWithinFile();
  return { tensors, metadata: root };
}

/** Bytes of a tensor's data; of a type that is not known as if it had none. */
async function readTensorEnd(cursor: Cursor): Promise<number> {
  const name = await cursor.number(10);
  if (name > MAX_KEY_LENGTH) throw new GgufError('The header has a text that is too long.');
  cursor.advance(name);
  const dimensions = await cursor.number(4);
  if (dimensions > MAX_DIMENSIONS) throw new GgufError('The header has a tensor that cannot be read.');
  let elements = 1;
  for (let i = 0; i < dimensions; i++) elements *= await cursor.number(10);
  const [perBlock, blockBytes] = blocks[await cursor.number(4)] ?? [1, 0];
  const offset = await cursor.number(10);
  const end = offset + Math.ceil(elements / perBlock) * blockBytes;
  if (!Number.isSafeInteger(end)) throw new GgufError('The header has a tensor that is too large.');
  return end;
}

function alignmentOf(metadata: GgufMetadata): number {
  const general = metadata['general'] as Readonly<Record<string, unknown>> | undefined;
  const value = general?.['alignment'];
  return typeof value === 'number' && value > 0 && value <= CHUNK_BYTES ? value : DEFAULT_ALIGNMENT;
}

async function withCursor<T>(path: string, read: (cursor: Cursor) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await read(new Cursor(file));
  } finally {
    await file.close();
  }
}

/** Reads the metadata of a file. Throws GgufError where it is no GGUF file or is damaged; file system errors as they are. */
export const readGgufHeader = (path: string): Promise<GgufMetadata> =>
  withCursor(path, async (cursor) => (await readMetadataSection(cursor)).metadata);

/**
 * File size that the header requires: up to the end of the last tensor. Throws GgufError, `truncated` where the file ends
 * within its header; file system errors as they are.
 */
export const readGgufFileSize = (path: string): Promise<number> =>
  withCursor(path, async (cursor) => {
    const { tensors, metadata } = await readMetadataSection(cursor);
    if (tensors > MAX_TENSORS) throw new GgufError('The header is damaged.');
    let end = 0;
    for (let i = 0; i < tensors; i++) end = Math.max(end, await readTensorEnd(cursor));
    await cursor.assertWithinFile();
    if (tensors === 0) return cursor.position;
    const alignment = alignmentOf(metadata);
    return Math.ceil(cursor.position / alignment) * alignment + end;
  });
