import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzipSync } from 'node:zlib';
import type { Document, DocumentFormat, Warning } from './document.ts';
import { ParseError } from './parse-error.ts';

// Documents are packed where they are read and unpacked where they are rendered: never in a process or thread that answers
// requests, as large ones take seconds.

/** A document as it travels and is kept. */
export interface PackedDocument {
  /** JSON, packed with gzip. */
  readonly bytes: Uint8Array;
  /** Pages as they are counted, or as the file says; 1 where the format has none. */
  readonly pages: number;
  /** Whether nothing was read: no page and no block. */
  readonly isEmpty: boolean;
  readonly format: DocumentFormat;
  /** The first of them. */
  readonly warnings: readonly Warning[];
}

/** Warnings beside a packed document; all are within. */
const MAX_WARNINGS = 20;

/** Packs a document. Throws ParseError `TOO_LARGE` for one that no text can hold. */
export function packDocument(document: Document): PackedDocument {
  const about = {
    pages: Math.max(1, document.pages.length === 0 ? (document.pageCount ?? 1) : document.pages.length),
    isEmpty: document.pages.length === 0 && document.blocks.length === 0,
    format: document.format,
    warnings: document.warnings.slice(0, MAX_WARNINGS),
  };
  try {
    return { bytes: gzipSync(JSON.stringify(document), { level: 1 }), ...about };
  } catch (cause) {
    throw new ParseError('TOO_LARGE', 'The document holds more text than one may have. Split it and try again.', {
      cause,
    });
  }
}

/** A document that was packed by {@link packDocument}. Not for worker threads: see {@link inflateDocument}. */
export const unpackDocument = (bytes: Uint8Array): Document => parseDocument(gunzipSync(bytes));

/** A document of the bytes that {@link inflateDocument} gives. */
export const parseDocument = (json: Uint8Array): Document =>
  JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')) as Document;

/** More than a text can hold. */
const MAX_LENGTH = 2 ** 30;
const inflate = promisify(gunzip);

/**
 * The JSON text, in UTF-8, of a document that was packed by {@link packDocument}; made beside the threads of JavaScript. A worker thread
 * must not do it: one that is terminated within a call of zlib aborts the whole process (Node.js 24, `close before init`).
 */
export function inflateDocument(packed: Uint8Array): Promise<Uint8Array> {
  // Its length stands at the end, so that it comes in one piece and nothing has to be put together.
  const end = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const length = end.length < 4 ? 0 : end.readUInt32LE(end.length - 4);
  return inflate(packed, { chunkSize: Math.max(2 ** 16, Math.min(length + 1, MAX_LENGTH)) });
}

/** What may be handed over to a thread of the bytes of {@link inflateDocument}: small ones share their memory with others. */
export const transferable = (json: Uint8Array): ArrayBuffer[] =>
  json.byteLength > Buffer.poolSize ? [json.buffer as ArrayBuffer] : [];
