import { gunzipSync, gzipSync } from 'node:zlib';
import type { Document, DocumentFormat, Warning } from './document.ts';
import { ParseError } from './parse-error.ts';

// Documents are packed where they are read and unpacked where they are rendered: never in a process or thread that answers
// requests, as large ones take seconds.

/** A document as it travels and is kept. */
export interface PackedDocument {
  /** JSON, packed with gzip. */
  readonly bytes: Uint8Array;
  /** Pages as they are counted; 1 where the format has none. */
  readonly pages: number;
  readonly format: DocumentFormat;
  /** The first of them. */
  readonly warnings: readonly Warning[];
}

/** Warnings beside a packed document; all are within. */
const MAX_WARNINGS = 20;

/** Packs a document. Throws ParseError `TOO_LARGE` for one that no text can hold. */
export function packDocument(document: Document): PackedDocument {
  const about = {
    pages: Math.max(1, document.pages.length),
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

/** A document that was packed by {@link packDocument}. */
export const unpackDocument = (bytes: Uint8Array): Document =>
  JSON.parse(gunzipSync(bytes).toString('utf8')) as Document;
