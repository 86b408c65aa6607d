/** Reads of fewer bytes are left to the collector, which takes them along. */
const MIN_FREED_BYTES = 16 * 1024;

/** Memory is kept in sizes of powers of two from the first to the last. */
const MIN_KEPT_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 2 * 1024 * 1024;
/** What is kept in all, while it is used. */
const MAX_KEPT_IN_ALL = 32 * 1024 * 1024;

/** The memory of bytes that have it for themselves alone; null where others may have a part of it. */
function ownMemory({ buffer, byteLength }: Buffer): ArrayBuffer | null {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : null;
}

/**
 * Frees what a read has brought, now that it was copied or is needed no more. Left to the collector, the reads of large bodies made it
 * mark the whole heap each time that there were 64 MB of them, which took more than all else that was done for such a request.
 */
export function freeRead(bytes: Buffer): void {
  if (bytes.byteLength >= MIN_FREED_BYTES) ownMemory(bytes)?.transfer(0);
}

interface SizeClass {
  readonly bytes: number;
  readonly free: ArrayBuffer[];
  /** The fewest that were free since the last {@link BodyMemory.trim}: those were not needed. */
  fewest: number;
}

/**
 * Memory for bodies that came in several reads, used again and again. What is given back is moved: whoever still holds the bytes finds
 * none in place of another's.
 */
export class BodyMemory {
  readonly #classes: SizeClass[] = [];
  #kept = 0;

  constructor() {
    for (let bytes = MIN_KEPT_BYTES; bytes <= MAX_KEPT_BYTES; bytes *= 2)
      this.#classes.push({ bytes, free: [], fewest: 0 });
  }

  /** Bytes that are kept and not in use. */
  get kept(): number {
    return this.#kept;
  }

  /** All pieces in one. */
  join(pieces: readonly Buffer[]): Buffer {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const joined = this.#take(length);
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }

  /** Takes back what {@link join} gave. */
  give({ buffer }: Buffer): void {
    if (!(buffer instanceof ArrayBuffer)) return;
    const kind = this.#classes.find(({ bytes }) => bytes === buffer.byteLength);
    if (!kind || this.#kept + kind.bytes > MAX_KEPT_IN_ALL) return void buffer.transfer(0);
    kind.free.push(buffer.transfer());
    this.#kept += kind.bytes;
  }

  /** Lets go of what was not needed since the last time. */
  trim(): void {
    for (const kind of this.#classes) {
      for (const unused of kind.free.splice(0, kind.fewest)) {
        this.#kept -= unused.byteLength;
        unused.transfer(0);
      }
      kind.fewest = kind.free.length;
    }
  }

  #take(length: number): Buffer {
    const kind = this.#classes.find(({ bytes }) => bytes >= length);
    if (!kind) return Buffer.allocUnsafeSlow(length);
    const kept = kind.free.pop();
    kind.fewest = Math.min(kind.fewest, kind.free.length);
    if (!kept) return Buffer.allocUnsafeSlow(kind.bytes).subarray(0, length);
    this.#kept -= kind.bytes;
    return Buffer.from(kept, 0, length);
  }
}
