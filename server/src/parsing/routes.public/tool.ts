import { ParseToolReply, ParseToolRequest } from '@ai-studio/contract/tool-server.ts';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidRequest } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import { FetchRefused, type GuardedFetch } from '../../net-guard/index.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { parseMeteredAs } from '../index.ts';
import type { ReadRouteDeps } from './read.ts';

export interface ParseToolDeps extends ReadRouteDeps {
  /** Fetches files that callers name, behind the guard for addresses of users. */
  readonly fetchFile: GuardedFetch;
}

/** How long a file may take to come. */
const FETCH_TIMEOUT_MS = 60_000;
/** Largest file that is fetched: it is held in memory. */
const MAX_FETCHED_BYTES = 32 * 1024 * 1024;
/** Longest text that is given, in UTF-16 units: what models can read at once. */
const MAX_TEXT_LENGTH = 100_000;

/** Bytes in base64, with the beginning of a data URL or without. Throws StudioError `invalid_request`. */
function decode(data: string): Buffer {
  const text = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
  const bytes = Buffer.from(text, 'base64');
  const length = text.replaceAll(/[\s=]/g, '').length;
  if (bytes.length === 0 || Math.floor((length * 3) / 4) !== bytes.length)
    throw invalidRequest('data must be the file in base64', 'data');
  return bytes;
}

async function bytesOf(deps: ParseToolDeps, { url, data }: ParseToolRequest, signal: AbortSignal): Promise<Buffer> {
  if ((url === undefined) === (data === undefined)) throw invalidRequest('Give either url or data', 'url');
  if (url === undefined) return decode(data ?? '');
  const maxBytes = Math.min(deps.maxUploadBytes, MAX_FETCHED_BYTES);
  try {
    return (await deps.fetchFile(url, { maxBytes, timeoutMs: FETCH_TIMEOUT_MS, types: null, signal })).bytes;
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalidRequest(`The file cannot be fetched: ${error.message}`, 'url');
  }
}

/** The last part of an address, which may be the name of a file. */
function nameOf({ name, url = '' }: ParseToolRequest): string | null {
  const last = url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return plainFileName(name ?? last) || null;
}

/** POST /tools/parse_document: the document parser as models call it. */
export const parseToolRoutes = (deps: ParseToolDeps): readonly PublicRoute[] => [
  publicRoute({
    access: 'utilities',
    tag: 'Tools',
    tool: 'parse_document',
    method: 'POST',
    path: '/tools/parse_document',
    summary: 'Read a file',
    description:
      'Reads a file (HWP, HWPX, PDF, DOCX, XLSX, PPTX, HTML, pictures and more), by its address or in base64, and gives its text with headings and tables. Nothing of it is kept.',
    body: { ParseToolRequest },
    reply: { ParseToolReply },
    example: { name: '안내.html', data: 'PGgxPuyViOuCtDwvaDE+' },
    errors: ['unprocessable'],
    usage: 'document/parse',
    async handle({ ctx, body }) {
      const path = join(deps.folder, randomUUID());
      const file = { path, name: nameOf(body) };
      const how = { parser_type: 'auto', ...(body.pages === undefined ? {} : { pages: body.pages }) } as const;
      try {
        await writeFile(path, await bytesOf(deps, body, ctx.signal), { mode: 0o600 });
        const { written, pages } = await parseMeteredAs(deps, ctx, file, how, ({ bytes }) =>
          deps.renderer.render(bytes, { form: 'markdown' }),
        );
        const text = Buffer.from(written).toString('utf8');
        const [truncated, shown] = [text.length > MAX_TEXT_LENGTH, text.slice(0, MAX_TEXT_LENGTH).toWellFormed()];
        return { text: shown, truncated, pages };
      } finally {
        await rm(path, { force: true });
      }
    },
  }),
];
