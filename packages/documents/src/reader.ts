import type { Document } from './document.ts';
import type { Language } from './ocr/core.ts';
import type { Work } from './work.ts';

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
  /** What a document and those within it have had; counted from nothing where it is left out. */
  readonly shared?: SharedUse;
}

/** What documents within each other have had. */
export interface Use {
  characters: number;
  cells: number;
  pages: number;
  inflatedBytes: number;
  /** Files within files. */
  files: number;
}

/** Documents within each other share their limits. */
export interface SharedUse {
  /** Of all of them together. */
  readonly used: Use;
  /** What had been used when this document was begun. */
  readonly before: Readonly<Use>;
}

/** The use of a document that begins now; without an argument that of the outermost. */
export function beginUse(outer?: SharedUse): SharedUse {
  const used = outer?.used ?? { characters: 0, cells: 0, pages: 0, inflatedBytes: 0, files: 0 };
  return { used, before: { ...used } };
}

/**
 * Counts one thing of a document; what is returned is the count together with that of the documents before it. Several counters of
 * one document, such as those of two passes, begin at the same number: the highest holds.
 */
export function createCounter(
  { shared }: Pick<ParseLimits, 'shared'>,
  what: Exclude<keyof Use, 'files'>,
): (more: number) => number {
  let count = shared?.before[what] ?? 0;
  return (more) => {
    count += more;
    if (shared !== undefined) shared.used[what] = Math.max(shared.used[what], count);
    return count;
  };
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

/** How text in pictures is recognised. */
export interface OcrOptions {
  /** `auto`: pages without text of their own. `all`: every page of a PDF, whatever text it has. `off`: none. */
  readonly mode: 'auto' | 'all' | 'off';
  readonly languages: readonly Language[];
  /** No further page is begun once the document has taken so long, so that those before it are given; no limit when left out. */
  readonly timeMs?: number;
}

export const ocrOff: OcrOptions = { mode: 'off', languages: [] };

export interface ReadOptions {
  readonly limits: ParseLimits;
  /** Pages that are wanted; null for all. Formats without pages read all. */
  readonly pages: ReadonlySet<number> | null;
  /** Off when left out. */
  readonly ocr?: OcrOptions;
  /** Reads a file within this one, such as an attachment, of its bytes or by a reader; resolves with null where it lies too deep within others. */
  readonly readInner?: (
    file: Uint8Array | ((options: ReadOptions) => Promise<Document>),
    name: string,
  ) => Promise<Document | null>;
  /** An office program saves older formats as newer ones: they are refused with `savedAs`. */
  readonly hasOffice?: boolean;
  /** Counts the work of readers that go page by page; without limits when left out. */
  readonly work?: Work;
  /** Told after each page, sheet or slide; `total` is null until it is known. */
  readonly onPage: (done: number, total: number | null) => void;
}

/**
 * Reads one format: from bytes to a document, and nothing else. A reader keeps no state, touches no file and no network, and
 * throws ParseError alone for what a file may hold. What can be read of a damaged file is given with a warning.
 */
export type Reader = (bytes: Uint8Array, options: ReadOptions) => Document | Promise<Document>;
