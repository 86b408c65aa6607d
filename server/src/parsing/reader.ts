import type { Document } from './document.ts';

/** Bounds within which a document is read; beyond them ParseError `TOO_LARGE`. */
export interface ParseLimits {
  /** Of all parts of a package together, once inflated. */
  readonly inflatedBytes: number;
  /** Inflated to packed, of one part that is larger than a megabyte. */
  readonly ratio: number;
  /** Parts of a package, streams of a compound file. */
  readonly entries: number;
  readonly pages: number;
  /** Cells of all tables together. */
  readonly cells: number;
  /** Elements, tables, lists, frames within each other. */
  readonly depth: number;
  /** Characters of all text together. */
  readonly characters: number;
}

export const standardLimits: ParseLimits = {
  inflatedBytes: 512 * 1024 * 1024,
  ratio: 500,
  entries: 20_000,
  pages: 10_000,
  cells: 2_000_000,
  depth: 64,
  characters: 50_000_000,
};

export interface ReadOptions {
  readonly limits: ParseLimits;
  /** Pages that are wanted; null for all. Formats without pages read all. */
  readonly pages: ReadonlySet<number> | null;
  /** Told after each page, sheet or slide; `total` is null until it is known. */
  readonly onPage: (done: number, total: number | null) => void;
}

/**
 * Reads one format: from bytes to a document, and nothing else. A reader keeps no state, touches no file and no network, and
 * throws ParseError alone for what a file may hold. What can be read of a damaged file is given with a warning.
 */
export type Reader = (bytes: Uint8Array, options: ReadOptions) => Document | Promise<Document>;
