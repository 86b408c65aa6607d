import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import {
  ParseError,
  type ParseErrorCode,
  type ParseLimits,
  type DocumentRenderer,
  type WorkLimits,
} from '@ai-studio/documents';
import { type ErrorCode, invalidRequest, StudioError } from '../kernel/errors.ts';
import type { CallContext } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { type LayoutParser, layoutWish } from './layout/index.ts';
import { pagesOf } from './pages-of.ts';
import { processEnded } from './parse-failures.ts';

export interface ParseDeps {
  readonly pool: LayoutParser;
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
  /** For whom models are asked that read pages; without it none is. */
  readonly ctx?: Omit<CallContext, 'signal'>;
  /** Told of pages that are read, and how many there are; null while that is not known. */
  readonly onPage?: (done: number, total: number | null) => void;
}

/** How a document is to be read. */
export type HowToRead = Pick<DocumentParseFields, 'pages' | 'parser_type' | 'layout_model' | 'describe_figures'>;

/** What was read of a document, packed. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Name of the file; null where it has none. */
  readonly name: string | null;
  readonly elapsedMs: number;
}

/**
 * Reads a document, and has it written in any form. `pages` is how many it has, for usage. Errors: `unprocessable` (the message begins
 * with why: ENCRYPTED, CORRUPTED, UNSUPPORTED, NEEDS_OCR, TIMEOUT), `too_large`, `invalid_request`, `unavailable`.
 */
export async function parseAs<T>(
  { pool, limits, timeoutMs, work, backgroundTimeoutMs, now }: Omit<ParseDeps, 'renderer'>,
  { tenantId, signal, ctx, onPage = () => undefined }: ParseCall,
  { path, name }: GivenFile,
  wanted: HowToRead,
  write: (read: ReadFile) => Promise<T>,
): Promise<{ readonly written: T; readonly pages: number }> {
  const startedMs = now();
  const { pages: wantedPages, parser_type: parser } = wanted;
  const job = { path, name, pages: pagesOf(wantedPages), limits, parser, layout: layoutWish(wanted) };
  try {
    const how = { timeoutMs, work, signal, onPage, ctx };
    const { bytes, pages, isEmpty } = await pool.parse(tenantId, job, how);
    if (isEmpty && job.pages !== null && !job.pages.includes(1))
      throw invalidRequest(`pages: the document has none of the pages ${wantedPages ?? ''}`, 'pages');
    return { written: await write({ bytes, name, elapsedMs: now() - startedMs }), pages };
  } catch (error) {
    throw parseFailure(error, backgroundTimeoutMs);
  }
}

/** Writes what was read in the form of our own endpoints, as JSON text (ParsedDocument) in UTF-8. */
export const writeParsed =
  (
    { renderer }: Pick<ParseDeps, 'renderer'>,
    { response_format: format, headers_and_footers: margins = false }: DocumentParseFields,
  ) =>
  ({ bytes, name, elapsedMs }: ReadFile): Promise<Uint8Array> =>
    renderer.render(bytes, { name, elapsedMs, format, margins });

/** Reads a document and renders it, as JSON text (ParsedDocument) in UTF-8. Errors: as of {@link parseAs}. */
export async function parseDocument(
  deps: ParseDeps,
  who: ParseCall,
  file: GivenFile,
  fields: DocumentParseFields,
): Promise<{ readonly json: Uint8Array; readonly pages: number }> {
  const { written, pages } = await parseAs(deps, who, file, fields, writeParsed(deps, fields));
  return { json: written, pages };
}
