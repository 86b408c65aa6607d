import type { DocumentParseFields, ParsedDocument } from '@ai-studio/contract/utilities/document.ts';
import { type ErrorCode, StudioError, invalidRequest } from '../kernel/errors.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Document } from './document.ts';
import { ParseError, type ParseErrorCode } from './parse-error.ts';
import type { ParseLimits } from './reader.ts';
import { renderHtml } from './render/html.ts';
import { renderPrediction } from './render/json.ts';
import { renderMarkdown } from './render/markdown.ts';
import { renderText } from './render/text.ts';
import type { ParsePool } from './sandbox/pool.ts';

export interface ParseDeps {
  readonly pool: ParsePool;
  readonly limits: ParseLimits;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** A document as it came. */
export interface GivenFile {
  /** Where its bytes are. */
  readonly path: string;
  readonly name: string | null;
}

/** Name under which replies tell what read the document. */
const MODEL = 'studio-parser';

const wireCodes: Readonly<Record<ParseErrorCode, ErrorCode>> = {
  ENCRYPTED: 'unprocessable',
  CORRUPTED: 'unprocessable',
  UNSUPPORTED: 'unprocessable',
  NEEDS_OCR: 'unprocessable',
  TIMEOUT: 'unprocessable',
  TOO_LARGE: 'too_large',
};

/** A refusal of a reader as callers are told. */
export function parseFailure(error: unknown): unknown {
  if (!(error instanceof ParseError)) return error;
  return new StudioError(wireCodes[error.code], `${error.code}: ${error.message}`, { param: 'file', cause: error });
}

/** As many pages may be named one by one. */
const MOST_PAGES = 100_000;

/** Pages of a text such as `1,3-5`; null for all. Errors: `invalid_request`. */
export function pagesOf(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null;
  const pages = new Set<number>();
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    if (first < 1 || last < first) throw invalidRequest('pages are numbers from 1 and ranges such as 3-5', 'pages');
    if (last - first + pages.size > MOST_PAGES)
      throw invalidRequest(`pages may name ${MOST_PAGES} pages at most`, 'pages');
    for (let page = first; page <= last; page++) pages.add(page);
  }
  return [...pages];
}

const renderers = { html: renderHtml, markdown: renderMarkdown, text: renderText } as const;

function rendered(document: Document, format: DocumentParseFields['response_format']): Partial<ParsedDocument> {
  if (format === 'json') return { prediction: renderPrediction(document) };
  return { contents: renderers[format](document.blocks) };
}

/**
 * Reads a document and renders it. `pages` is how many it has, for usage. Errors: `unprocessable` (the message begins with why:
 * ENCRYPTED, CORRUPTED, UNSUPPORTED, NEEDS_OCR, TIMEOUT), `too_large`, `invalid_request`, `unavailable`.
 */
export async function parseDocument(
  { pool, limits, timeoutMs, now }: ParseDeps,
  { tenantId, signal }: { readonly tenantId: TenantId; readonly signal: AbortSignal },
  { path, name }: GivenFile,
  fields: DocumentParseFields,
): Promise<{ readonly result: ParsedDocument; readonly pages: number }> {
  const startedMs = now();
  const job = { path, name, pages: pagesOf(fields.pages), limits };
  try {
    const document = await pool.parse(tenantId, job, { timeoutMs, signal, onPage: () => undefined });
    const result: ParsedDocument = {
      model: MODEL,
      status: 'SUCCESS',
      document_name: name,
      format: document.format,
      processing_time_ms: Math.round(now() - startedMs),
      ...rendered(document, fields.response_format),
      warnings: document.warnings.map((warning) => ({ ...warning })),
    };
    return { result, pages: Math.max(1, document.pages.length) };
  } catch (error) {
    throw parseFailure(error);
  }
}
