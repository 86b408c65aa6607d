import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ParseDocumentInput, ParseDocumentOutput } from '@ai-studio/contract/mcp/tools.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { FetchRefused, type GuardedFetch } from '../../net-guard/index.ts';
import { type MeteredParseDeps, parseMetered } from '../../parsing/index.ts';
import { defineTool, type Tool } from '../tool.ts';

export interface ParseToolDeps extends MeteredParseDeps {
  /** Where files lie while they are read. */
  readonly folder: string;
  /** Fetches files that callers name, behind the guard for addresses of users. */
  readonly fetchFile: GuardedFetch;
  readonly maxUploadBytes: number;
}

/** How long a file may take to come. */
const FETCH_TIMEOUT_MS = 60_000;
/** Largest file that is fetched: it is held in memory. */
const MAX_FETCHED_BYTES = 32 * 1024 * 1024;
/** Longest text that is given, in UTF-16 units. */
const MAX_TEXT_LENGTH = 200_000;

interface GivenBytes {
  readonly bytes: Buffer;
  readonly name: string | null;
}

/** Throws StudioError `invalid_request`. */
function decode(data: string): Buffer {
  // Data URLs are what browsers give.
  const text = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
  const bytes = Buffer.from(text, 'base64');
  const length = text.replaceAll(/[\s=]/g, '').length;
  if (bytes.length === 0 || Math.floor((length * 3) / 4) !== bytes.length)
    throw invalidRequest('data: must be the file in base64');
  return bytes;
}

/** The last part of an address, where it can be the name of a file. */
function nameOf(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '').slice(0, 255) || null;
  } catch {
    return null;
  }
}

async function bytesOf(
  { fetchFile, maxUploadBytes }: ParseToolDeps,
  {
    data,
    url,
    name = null,
  }: {
    readonly data?: string | undefined;
    readonly url?: string | undefined;
    readonly name?: string | null | undefined;
  },
  signal: AbortSignal,
): Promise<GivenBytes> {
  if ((data === undefined) === (url === undefined)) throw invalidRequest('Give either data or url');
  if (url === undefined) return { bytes: decode(data ?? ''), name };
  try {
    const maxBytes = Math.min(maxUploadBytes, MAX_FETCHED_BYTES);
    const { bytes } = await fetchFile(url, { maxBytes, timeoutMs: FETCH_TIMEOUT_MS, types: null, signal });
    return { bytes, name: name ?? nameOf(url) };
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalidRequest(`url: the file cannot be fetched: ${error.message}`);
  }
}

/** What is used of a parsed document. */
interface Parsed {
  readonly document_name: string | null;
  readonly format: string;
  readonly contents?: string;
  readonly warnings: readonly { readonly message: string }[];
}

/** `parse_document`: what a file says, by the readers of the service. */
export const parseTool = (deps: ParseToolDeps): Tool =>
  defineTool({
    name: 'parse_document',
    title: 'Read a file',
    description:
      'Reads a file (HWP, HWPX, PDF, DOCX, XLSX, PPTX, HTML, pictures and more) and gives its text with headings and tables. Nothing of it is kept.',
    scope: 'utilities',
    isSlow: true,
    input: ParseDocumentInput,
    output: ParseDocumentOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    async run({ data, url, name, pages, format }, { caller, signal, progress }) {
      const ctx = { ...caller.ctx, signal };
      if (url !== undefined) progress('Fetching the file');
      const given = await bytesOf(deps, { data, url, name }, signal);
      progress('Reading the file');
      const path = join(deps.folder, randomUUID());
      try {
        await writeFile(path, given.bytes, { mode: 0o600 });
        const file = { path, name: given.name };
        const fields = { pages, parser_type: 'auto', response_format: format } as const;
        const { json, pages: read } = await parseMetered(deps, ctx, file, fields);
        const parsed = JSON.parse(Buffer.from(json).toString('utf8')) as Parsed;
        const text = parsed.contents ?? '';
        return {
          name: parsed.document_name,
          format: parsed.format,
          pages: read,
          text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
          truncated: text.length > MAX_TEXT_LENGTH,
          warnings: parsed.warnings.map(({ message }) => message),
        };
      } finally {
        await rm(path, { force: true });
      }
    },
    tell: ({ text, truncated, warnings }) => [
      text === '' ? '[The document has no text]' : text,
      ...(truncated ? ['[This is the beginning; ask for fewer pages to read on]'] : []),
      ...(warnings.length > 0 ? [`[Not read: ${warnings.join('; ')}]`] : []),
    ],
  });
