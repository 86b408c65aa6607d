import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import {
  ParseError,
  type ParseErrorCode,
  type ParseLimits,
  type DocumentParser,
  type DocumentRenderer,
  type WorkLimits,
} from '@ai-studio/documents';
import { type ErrorCode, invalidRequest, StudioError } from '../kernel/errors.ts';
import type { TenantId } from '../kernel/context.ts';
import { pagesOf } from './pages-of.ts';
import { processEnded } from './parse-failures.ts';

export interface ParseDeps {
  readonly pool: DocumentParser;
  readonly renderer: DocumentRenderer;
  readonly limits: ParseLimits;
  readonly timeoutMs: number;
  readonly work: WorkLimits;
  /** What a document has in the background, for whoever ran out of it. */
  readonly backgroundTimeoutMs: number;
  readonly now: () => number;
}

/** A document as it came. */
export interface GivenFile {
  /** Where its bytes are. */
  readonly path: string;
  readonly name: string | null;
}

const wireCodes: Readonly<Record<Exclude<ParseErrorCode, 'PROCESS_ENDED'>, ErrorCode>> = {
  ENCRYPTED: 'unprocessable',
  CORRUPTED: 'unprocessable',
  UNSUPPORTED: 'unprocessable',
  NEEDS_OCR: 'unprocessable',
  TIMEOUT: 'unprocessable',
  TOO_LARGE: 'too_large',
};

/** A refusal of a reader as callers are told. */
function parseFailure(error: unknown, backgroundTimeoutMs: number): unknown {
  if (!(error instanceof ParseError)) return error;
  const { code, message } = error;
  if (code === 'PROCESS_ENDED') return processEnded(error);
  const seconds = Math.round(backgroundTimeoutMs / 1000);
  const advice =
    code === 'TIMEOUT'
      ? ` Send it to /v1/document/parse/async, which reads it in the background and takes up to ${seconds} seconds.`
      : '';
  return new StudioError(wireCodes[code], `${code}: ${message}${advice}`, { param: 'file', cause: error });
}

/** Who reads a document. */
export interface ParseCall {
  readonly tenantId: TenantId;
  readonly signal: AbortSignal;
  /** Told of pages that are read, and how many there are; null while that is not known. */
  readonly onPage?: (done: number, total: number | null) => void;
}

/**
 * Reads a document and renders it, as JSON text (ParsedDocument) in UTF-8. `pages` is how many it has, for usage. Errors: `unprocessable` (the message begins with why:
 * ENCRYPTED, CORRUPTED, UNSUPPORTED, NEEDS_OCR, TIMEOUT), `too_large`, `invalid_request`, `unavailable`.
 */
export async function parseDocument(
  { pool, renderer, limits, timeoutMs, work, backgroundTimeoutMs, now }: ParseDeps,
  { tenantId, signal, onPage = () => undefined }: ParseCall,
  { path, name }: GivenFile,
  fields: DocumentParseFields,
): Promise<{ readonly json: Uint8Array; readonly pages: number }> {
  const startedMs = now();
  const job = { path, name, pages: pagesOf(fields.pages), limits, parser: fields.parser_type };
  try {
    const how = { timeoutMs, work, signal, onPage };
    const { bytes, pages, isEmpty } = await pool.parse(tenantId, job, how);
    if (isEmpty && job.pages !== null && !job.pages.includes(1))
      throw invalidRequest(`pages: the document has none of the pages ${fields.pages ?? ''}`, 'pages');
    const wanted = { name, elapsedMs: now() - startedMs, format: fields.response_format };
    return { json: await renderer.render(bytes, wanted), pages };
  } catch (error) {
    throw parseFailure(error, backgroundTimeoutMs);
  }
}
