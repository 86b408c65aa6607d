import { OUTLINE_MODULE } from './outline-module.ts';

/**
 * JSON text without the middle of its long texts: what stays of a value of `content`, `text`, `url`, `arguments`, `reasoning` or
 * `reasoning_content` is its beginning. All else is as it was, so that `JSON.parse` accepts the outline where it accepts the text, and finds the same structure, keys and
 * other values. A large body is checked by it in a tenth of the time, and its texts never become strings.
 */
export interface JsonOutline {
  /** The bytes of the outline as latin1 characters. */
  readonly text: string;
  /** Places in the outline as places in the text, both in bytes. `places` ascend. */
  toSource(places: readonly number[]): number[];
  /** Such a place in the text, for some that do not ascend. */
  placeInSource(place: number): number;
  /** Where each text that was cut begins and ends in the outline, without its quotes, in the order in which they stand. */
  readonly texts: readonly { readonly start: number; readonly end: number }[];
}

/** How long texts must be for an outline to pay, in bytes. */
export const MIN_OUTLINED_BYTES = 4 * 1024;
/** The first block is short: it tells whether the text is of long texts at all. */
const FIRST_BLOCK_BYTES = 4 * 1024;
/** An outline that is longer than this part of its text is of no use. */
const MAX_SHARE = 0.75;

/** What the module exports; see outline.wat. */
interface OutlineExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly BLOCK: { readonly value: number };
  readonly BLOCK_BYTES: { readonly value: number };
  readonly CUTS: { readonly value: number };
  readonly OUTLINE: { readonly value: number };
  readonly outline_end: { readonly value: number };
  readonly cuts_end: { readonly value: number };
  reset(): void;
  read(bytes: number): number;
}

/** The part of the WebAssembly interface that is used; Node's types leave it to the browser's. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

interface Cut {
  /** First byte of the text in the outline. */
  readonly start: number;
  /** Where it was cut there, which is its end. */
  readonly end: number;
  readonly bytes: number;
}

/** Bytes of a cut in the list: three numbers. */
const CUT_BYTES = 12;

class Outline implements JsonOutline {
  readonly text: string;
  readonly texts: readonly Cut[];
  /** Bytes that were cut before each text, and before the end; null until asked for. */
  #cutBefore: readonly number[] | null = null;

  constructor(text: string, cuts: readonly Cut[]) {
    this.text = text;
    this.texts = cuts;
  }

  toSource(places: readonly number[]): number[] {
    let next = 0;
    let cutBytes = 0;
    return places.map((place) => {
      for (let cut = this.texts[next]; cut && cut.end <= place; cut = this.texts[++next]) cutBytes += cut.bytes;
      return place + cutBytes;
    });
  }

  placeInSource(place: number): number {
    const { texts } = this;
    let [low, high] = [0, texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((texts[middle]?.end ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return place + ((this.#cutBefore ??= sumsBefore(texts))[low] ?? 0);
  }
}

/** What was cut before each, and in all. */
function sumsBefore(cuts: readonly Cut[]): number[] {
  const sums = [0];
  for (const { bytes } of cuts) sums.push((sums.at(-1) ?? 0) + bytes);
  return sums;
}

/** Makes outlines in the memory of one module, which each overwrites. */
class Outliner {
  readonly #exports: OutlineExports;
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;

  constructor(exports: OutlineExports) {
    this.#exports = exports;
    this.#bytes = Buffer.from(exports.memory.buffer);
    this.#words = new Uint32Array(exports.memory.buffer);
  }

  outline(source: Buffer, { firstBlockBytes, blockBytes, maxShare }: Required<OutlineOptions>): JsonOutline | null {
    const { BLOCK, OUTLINE, outline_end: outlineEnd } = this.#exports;
    this.#exports.reset();
    for (let from = 0, size = firstBlockBytes; from < source.length; from += size, size = this.#blockSize(blockBytes)) {
      const block = source.subarray(from, from + size);
      this.#bytes.set(block, BLOCK.value);
      if (this.#exports.read(block.length) === 0) return null;
      if (outlineEnd.value - OUTLINE.value > (from + block.length) * maxShare) return null;
    }
    return new Outline(this.#bytes.toString('latin1', OUTLINE.value, outlineEnd.value), this.#cuts());
  }

  #blockSize(wanted: number): number {
    return Math.min(wanted, this.#exports.BLOCK_BYTES.value);
  }

  #cuts(): Cut[] {
    const { CUTS, cuts_end: cutsEnd } = this.#exports;
    const cuts: Cut[] = [];
    const numberAt = (place: number): number => this.#words[place >> 2] ?? 0;
    for (let at = CUTS.value; at < cutsEnd.value; at += CUT_BYTES)
      cuts.push({ start: numberAt(at), end: numberAt(at + 4), bytes: numberAt(at + 8) });
    return cuts;
  }
}

/** Null where the processor has no vectors of 16 bytes. */
function loadOutliner(): Outliner | null {
  const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  try {
    const { exports } = new api.Instance(new api.Module(Buffer.from(OUTLINE_MODULE, 'base64')));
    return new Outliner(exports as OutlineExports);
  } catch {
    return null;
  }
}

let outliner: Outliner | null | undefined;

/** Sizes in bytes, for tests; those that pay by default. */
export interface OutlineOptions {
  readonly minBytes?: number;
  readonly firstBlockBytes?: number;
  readonly blockBytes?: number;
  readonly maxShare?: number;
}

/**
 * The outline of JSON text, valid UTF-8. Null where there is none: the text is short or has few long texts, or one of them is no
 * string of JSON.
 */
export function outlineJson(
  bytes: Buffer,
  {
    minBytes = MIN_OUTLINED_BYTES,
    firstBlockBytes = FIRST_BLOCK_BYTES,
    blockBytes = Infinity,
    maxShare = MAX_SHARE,
  }: OutlineOptions = {},
): JsonOutline | null {
  if (bytes.length < minBytes) return null;
  outliner ??= loadOutliner();
  return outliner?.outline(bytes, { minBytes, firstBlockBytes, blockBytes, maxShare }) ?? null;
}
