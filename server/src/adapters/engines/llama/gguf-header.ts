import { type FileHandle, open } from 'node:fs/promises';

/** Key-value pairs of a GGUF file, nested at the dots of their keys. Long arrays (vocabularies) are left out. */
export type GgufMetadata = Readonly<Record<string, unknown>>;

/** The file is no GGUF, or is damaged. */
export class GgufError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GgufError';
  }
}

const MAGIC = 0x46_55_47_47;
const OLDEST_VERSION = 2;
const NEWEST_VERSION = 3;
const CHUNK_BYTES = 1024 * 1024;
const LONGEST_TEXT = 16 * 1024 * 1024;
const MOST_PAIRS = 65_536;
const MOST_ITEMS = 64 * 1024 * 1024;
/** Longer arrays are of no use before the model is loaded. */
const LONGEST_ARRAY = 4_096;
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

/** Reads a file from its beginning, a piece at a time. */
class Cursor {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #offset = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Whether so many bytes are there without reading on. */
  has(size: number): boolean {
    return this.#at + size <= this.#bytes.length;
  }

  /** Makes so many bytes be there. Throws GgufError at the end of the file. */
  async fill(size: number): Promise<void> {
    const rest = this.#bytes.subarray(this.#at);
    const next = Buffer.allocUnsafe(Math.max(size, CHUNK_BYTES));
    rest.copy(next);
    let held = rest.length;
    while (held < size) {
      const { bytesRead } = await this.#file.read(next, held, next.length - held, this.#offset);
      if (bytesRead === 0) throw new GgufError('The file ends within its header.');
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
    if (!this.has(size)) await this.fill(size);
    return this.take(size, read) as number;
  }

  /** Passes over the items of an array: a vocabulary has hundreds of thousands. */
  async skip(type: number, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      let size = numbers[type]?.[0];
      if (type === STRING) {
        if (!this.has(8)) await this.fill(8);
        size = Number(this.take(8, (bytes, at) => bytes.readBigUInt64LE(at)));
      }
      if (size === undefined || size > LONGEST_TEXT)
        throw new GgufError('The header has an array that cannot be read.');
      if (!this.has(size)) await this.fill(size);
      this.#at += size;
    }
  }

  async text(): Promise<string> {
    const length = await this.number(10);
    if (length > LONGEST_TEXT) throw new GgufError('The header has a text that is too long.');
    if (!this.has(length)) await this.fill(length);
    return this.take(length, (bytes, at) => bytes.toString('utf8', at, at + length)) as string;
  }
}

async function readArray(cursor: Cursor): Promise<readonly unknown[]> {
  const type = await cursor.number(4);
  const count = await cursor.number(10);
  if (count > MOST_ITEMS) throw new GgufError('The header has an array that is too long.');
  const items: unknown[] = [];
  if (count > LONGEST_ARRAY) await cursor.skip(type, count);
  else for (let i = 0; i < count; i++) items.push(await readValue(cursor, type));
  return items;
}

const readValue = (cursor: Cursor, type: number): Promise<unknown> => {
  if (type === STRING) return cursor.text();
  return type === ARRAY ? readArray(cursor) : cursor.number(type);
};

/** `a.b.c` becomes `{a: {b: {c}}}`; where a value stands at `a.b` already, `b.c` becomes the key within `a`. */
function place(root: Record<string, unknown>, key: string, value: unknown): void {
  const parts = key.split('.');
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

/** Reads the metadata of a file. Throws GgufError where it is no GGUF file or is damaged; file system errors as they are. */
export async function readGgufHeader(path: string): Promise<GgufMetadata> {
  const file = await open(path, 'r');
  try {
    const cursor = new Cursor(file);
    if ((await cursor.number(4)) !== MAGIC) throw new GgufError('The file is no GGUF file.');
    const version = await cursor.number(4);
    if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
      throw new GgufError(`The file is of the GGUF version ${version}, which is not known.`);
    }
    await cursor.number(10);
    const pairs = await cursor.number(10);
    if (pairs > MOST_PAIRS) throw new GgufError('The header is damaged.');
    const root = Object.create(null) as Record<string, unknown>;
    for (let i = 0; i < pairs; i++) {
      const key = await cursor.text();
      place(root, key, await readValue(cursor, await cursor.number(4)));
    }
    return root;
  } finally {
    await file.close();
  }
}
