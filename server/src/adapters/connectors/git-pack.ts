import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate, inflateSync, type ZlibOptions } from 'node:zlib';
import { createTurnBudget } from '../../kernel/turns.ts';

// Objects of Git, as they are packed. Source: Git documentation, gitformat-pack.

export type ObjectFormat = 'sha1' | 'sha256';
export const idBytes: Readonly<Record<ObjectFormat, number>> = { sha1: 20, sha256: 32 };

type Kind = 'commit' | 'tree' | 'blob' | 'tag';
const kinds: Readonly<Record<number, Kind>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFS_DELTA = 6;
const REF_DELTA = 7;

export interface GitObject {
  readonly kind: Kind;
  readonly body: Buffer;
}

/** Bytes that a compressed object is unpacked at once; longer ones are unpacked elsewhere. */
const AT_ONCE = 32 * 1024;
/** Longest object of a listing, all of them together, and how many there are at most. */
const MAX_OBJECT = 32 * 1024 * 1024;
const MAX_KEPT = 128 * 1024 * 1024;
const MAX_OBJECTS = 1_000_000;

/** A pack that says what no pack says. */
export class BadPack extends Error {
  override readonly name = 'BadPack';
}

interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
const withInfo = (most: number): ZlibOptions => ({ info: true, maxOutputLength: Math.max(1, most) });
const unpackLong = promisify(inflate) as unknown as (bytes: Uint8Array, options: ZlibOptions) => Promise<Unpacked>;

/** Where an object begins, what it is, and how long it is. */
export interface PackedHeader {
  readonly type: number;
  readonly size: number;
  /** First byte after it. */
  readonly at: number;
}

/** The header of an object; null where its bytes have not all come. Throws BadPack. */
export function readHeader(bytes: Uint8Array, from: number): PackedHeader | null {
  let at = from;
  let byte = bytes[at++];
  if (byte === undefined) return null;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; (byte & 128) !== 0; scale *= 128) {
    byte = bytes[at++];
    if (byte === undefined) return null;
    size += (byte & 127) * scale;
    if (!Number.isSafeInteger(size)) throw new BadPack('an object is too long');
  }
  return { type, size, at };
}

const count = (bytes: Uint8Array, from: number) => {
  let [at, value] = [from, 0];
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    if (byte === undefined || scale > 2 ** 42) throw new BadPack('a difference is cut');
    value += (byte & 127) * scale;
    if ((byte & 128) === 0) return { value, at };
  }
};

/** What a difference makes of an object. Throws BadPack. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = count(delta, 0);
  const to = count(delta, from.at);
  if (from.value !== base.length || to.value > MAX_OBJECT) throw new BadPack('a difference is of another object');
  const made = Buffer.alloc(to.value);
  let [at, filled] = [to.at, 0];
  while (at < delta.length) {
    const code = delta[at++] ?? 0;
    let part: Buffer;
    if ((code & 128) === 0) {
      part = delta.subarray(at, at + code);
      if (code === 0 || part.length < code) throw new BadPack('a difference is cut');
      at += code;
    } else {
      const next = (bit: number) => ((code & bit) === 0 ? 0 : (delta[at++] ?? 0));
      const start = next(1) + next(2) * 0x100 + next(4) * 0x1_0000 + next(8) * 0x100_0000;
      const length = next(16) + next(32) * 0x100 + next(64) * 0x1_0000 || 0x1_0000;
      part = base.subarray(start, start + length);
      if (part.length < length) throw new BadPack('a difference takes what is not there');
    }
    if (filled + part.length > made.length) throw new BadPack('a difference makes too much');
    filled += part.copy(made, filled);
  }
  if (filled !== made.length) throw new BadPack('a difference makes too little');
  return made;
}

/** The id of an object: a hash of all that it is. */
export const idOf = ({ kind, body }: GitObject, format: ObjectFormat): string =>
  createHash(format).update(`${kind} ${body.length}\0`).update(body).digest('hex');

/** The offset of the object that a difference is of, counted back. */
function offsetOf(bytes: Buffer, from: number) {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let offset = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes[at++] ?? 0;
    offset = (offset + 1) * 128 + (byte & 127);
    if (!Number.isSafeInteger(offset)) throw new BadPack('a difference is of no object');
  }
  return { offset, at };
}

/**
 * The objects of a pack by their ids, but for contents of files, in turns with other work. Rejects with BadPack, or with what the
 * decompression says, or the reason of the signal.
 */
export async function readPack(
  bytes: Buffer,
  format: ObjectFormat,
  { maxKept = MAX_KEPT, signal }: { readonly maxKept?: number; readonly signal?: AbortSignal } = {},
): Promise<ReadonlyMap<string, GitObject>> {
  if (bytes.toString('latin1', 0, 4) !== 'PACK' || bytes.length < 12) throw new BadPack('it is none');
  const total = bytes.readUInt32BE(8);
  if (total > MAX_OBJECTS) throw new BadPack(`it has more than ${MAX_OBJECTS} objects`);
  const budget = createTurnBudget();
  const byId = new Map<string, GitObject>();
  const byOffset = new Map<number, GitObject>();
  /** Differences of objects that come later. */
  const waiting = new Map<string, { readonly offset: number; readonly delta: Buffer }[]>();
  let kept = 0;
  /** Counts what is held from now on. Throws BadPack. */
  const hold = (length: number) => {
    kept += length;
    if (kept > maxKept) throw new BadPack('it unpacks to too much');
  };

  async function keep(offset: number, object: GitObject): Promise<void> {
    // Differences of contents are contents.
    if (object.kind === 'blob') return;
    hold(object.body.length);
    const found: [number, GitObject][] = [[offset, object]];
    for (let one = found.pop(); one !== undefined; one = found.pop()) {
      const [at, { kind, body }] = one;
      await budget(body.length);
      const id = idOf(one[1], format);
      byId.set(id, one[1]);
      byOffset.set(at, one[1]);
      for (const later of waiting.get(id) ?? []) {
        const made = applyDelta(body, later.delta);
        hold(made.length);
        await budget(made.length);
        found.push([later.offset, { kind, body: made }]);
      }
      waiting.delete(id);
    }
  }

  let at = 12;
  for (let nth = 0; nth < total; nth++) {
    const offset = at;
    const header = readHeader(bytes, at);
    if (header === null) throw new BadPack('it is cut');
    const { type, size } = header;
    if (size > MAX_OBJECT) throw new BadPack('an object is too long');
    ({ at } = header);
    let base: number | string | null = null;
    if (type === OFS_DELTA) {
      const back = offsetOf(bytes, at);
      base = offset - back.offset;
      ({ at } = back);
    } else if (type === REF_DELTA) base = bytes.toString('hex', at, (at += idBytes[format]));
    else if (kinds[type] === undefined) throw new BadPack('it has objects of a kind that there is not');
    const rest = bytes.subarray(at);
    const { buffer, engine } =
      size > AT_ONCE
        ? await unpackLong(rest, withInfo(size))
        : (inflateSync(rest, withInfo(size)) as unknown as Unpacked);
    if (buffer.length !== size) throw new BadPack('an object is shorter than it says');
    at += engine.bytesWritten;
    await budget(size + 100);
    signal?.throwIfAborted();
    const kind = kinds[type];
    if (kind !== undefined) await keep(offset, { kind, body: buffer });
    else if (typeof base === 'number') {
      const object = byOffset.get(base);
      if (object !== undefined) await keep(offset, { kind: object.kind, body: applyDelta(object.body, buffer) });
    } else if (base !== null) {
      const object = byId.get(base);
      if (object !== undefined) await keep(offset, { kind: object.kind, body: applyDelta(object.body, buffer) });
      else {
        // Of a base that never comes as well.
        hold(buffer.length);
        const others = waiting.get(base);
        if (others === undefined) waiting.set(base, [{ offset, delta: buffer }]);
        else others.push({ offset, delta: buffer });
      }
    }
  }
  return byId;
}

/** An entry of a folder. */
export interface TreeEntry {
  readonly kind: 'folder' | 'file' | 'other';
  readonly name: string;
  readonly id: string;
}

/** The entries of a folder. Throws BadPack. */
export function* readTree(body: Buffer, format: ObjectFormat): Generator<TreeEntry> {
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    const next = end + 1 + idBytes[format];
    if (space < 0 || end < 0 || next > body.length) throw new BadPack('a folder is cut');
    const mode = body.toString('latin1', at, space);
    // Links, and repositories within, are neither.
    const kind = /^0?40000$/.test(mode) ? 'folder' : mode.startsWith('100') ? 'file' : 'other';
    yield { kind, name: body.toString('utf8', space + 1, end), id: body.toString('hex', end + 1, next) };
    at = next;
  }
}
