import { BYTE_PLACES_MODULE } from './byte-places-module.ts';

/** Finds the bytes that matter to the search for windows, in blocks: digits, the backslash, and first bytes of characters that may be read as others. */
export interface BytePlaces {
  /** The most bytes that are read at once. */
  readonly blockBytes: number;
  /** Reads a part of `bytes`, `blockBytes` at most. Returns how many of {@link places} it wrote. */
  read(bytes: Buffer, start: number, end: number): number;
  /** Places that were found last, ascending, from `start`. Overwritten by the next read. */
  readonly places: Uint16Array;
}

/** What the module exports; see byte-places.wat. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly BLOCK: { readonly value: number };
  readonly BLOCK_BYTES: { readonly value: number };
  readonly PLACES: { readonly value: number };
  read(size: number): number;
}

/** The part of the WebAssembly interface that is used; Node's types leave it to the browser's. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

class ModulePlaces implements BytePlaces {
  readonly blockBytes: number;
  readonly places: Uint16Array;
  readonly #block: Uint8Array;
  readonly #exports: ModuleExports;

  constructor(exports: ModuleExports) {
    const { memory, BLOCK, BLOCK_BYTES, PLACES } = exports;
    this.blockBytes = BLOCK_BYTES.value;
    this.places = new Uint16Array(memory.buffer, PLACES.value, this.blockBytes);
    this.#block = new Uint8Array(memory.buffer, BLOCK.value, this.blockBytes);
    this.#exports = exports;
  }

  read(bytes: Buffer, start: number, end: number): number {
    this.#block.set(bytes.subarray(start, end));
    return this.#exports.read(end - start);
  }
}

function load(): BytePlaces | null {
  const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  try {
    const { exports } = new api.Instance(new api.Module(Buffer.from(BYTE_PLACES_MODULE, 'base64')));
    return new ModulePlaces(exports as ModuleExports);
  } catch {
    return null;
  }
}

let loaded: BytePlaces | null | undefined;

/** The module of this process, made with the first use; null where the processor has no vectors of 16 bytes. */
export const bytePlaces = (): BytePlaces | null => (loaded === undefined ? (loaded = load()) : loaded);
