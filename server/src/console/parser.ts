import {
  ParserBlocks,
  ParserBlocksQuery,
  ParserDocument,
  ParserDocuments,
  ParserFileQuery,
  ParserOutline,
  ParserPictureQuery,
  ParserRowsQuery,
  ParserTable,
  ParserText,
  ParserTextQuery,
  ParserUpload,
} from '@ai-studio/contract/console/parser.ts';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Admission } from '../inference/index.ts';
import { isDiskFull } from '../kernel/disk-full.ts';
import { StudioError } from '../kernel/errors.ts';
import type { OwnDocuments } from '../parsing/index.ts';
import { type AllowanceDeps } from '../identity/index.ts';
import { admitPerson } from './allowance.ts';
import { attachment } from './attachment.ts';
import { type ConsoleRoute, tenantRoute, type TenantCall } from './route.ts';

/** What the page of documents works with. */
export interface ParserDeps {
  readonly own: OwnDocuments;
  /** Largest file. */
  readonly maxBytes: number;
  /** How long what was read is kept. */
  readonly keepHours: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

interface RouteDeps extends AllowanceDeps {
  readonly parser: ParserDeps;
  readonly admission: Admission;
}

export const tooLarge = (maxBytes: number) =>
  new StudioError('too_large', `The file is larger than ${maxBytes} bytes`, {
    reason: 'document_too_large',
    values: { max_bytes: maxBytes },
  });

/** Writes a file as it comes. Resolves with its length. Throws StudioError `too_large`, `client_closed`. */
export async function receive(body: Readable, path: string, maxBytes: number, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, part);
    },
  });
  try {
    await pipeline(body.iterator({ destroyOnReturn: false }), counted, createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
    return bytes;
  } catch (error) {
    // Browsers hear the answer when they have sent all.
    body.resume();
    if (error instanceof StudioError || isDiskFull(error)) throw error;
    throw new StudioError('client_closed', 'The upload broke off', { cause: error });
  }
}

const ownerOf = ({ ctx, person }: TenantCall<unknown, unknown>) => ({ tenantId: ctx.tenantId, userId: person.userId });
const idOf = ({ params }: TenantCall<unknown, unknown>) => params['id'] ?? '';

const MAX_PAGES = 1_000_000;

/** A number of the path. Throws StudioError `not_found` for what is none. */
function numberOf({ params }: TenantCall<unknown, unknown>, name: string): number {
  const text = params[name] ?? '';
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_PAGES) return Number(text);
  throw new StudioError('not_found', 'There is no such page');
}

const files = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
  text: { type: 'text/plain; charset=utf-8', ending: 'txt' },
  json: { type: 'application/json; charset=utf-8', ending: 'json' },
} as const;

/** What comes of a stranger's file is no page of ours, wherever a browser shows it. */
const HARMLESS = "default-src 'none'; sandbox";

/** Documents that are read in the console: a person's own, whatever their role. Source: decisions section 6. */
export function parserRoutes(deps: RouteDeps): ConsoleRoute[] {
  const { parser } = deps;
  const { own, maxBytes, keepHours, folder } = parser;
  const access = 'documents.parse';

  /** A document counts like a request of an API key. */
  async function reserve(call: TenantCall<unknown, unknown>): Promise<void> {
    await admitPerson(deps, ownerOf(call));
  }

  async function take(call: TenantCall<unknown, ParserUpload>): Promise<ParserDocument> {
    const { request, query, signal } = call;
    const body = request.body as Readable | null | undefined;
    if (typeof body?.pipe !== 'function')
      throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
    try {
      if (query.size > maxBytes) throw tooLarge(maxBytes);
      await reserve(call);
    } catch (error) {
      body.resume();
      throw error;
    }
    const place = await mkdtemp(join(folder, 'upload-'));
    try {
      const path = join(place, 'file');
      const bytes = await receive(body, path, maxBytes, signal);
      const name = query.name.replaceAll(/[\0-\u001F\u007F]/g, ' ').trim() || null;
      return await own.add(ownerOf(call), { path, name, bytes }, query.pages);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/parser',
      access,
      reply: ParserDocuments,
      handle: async (call) => ({ items: await own.list(ownerOf(call)), max_bytes: maxBytes, keep_hours: keepHours }),
    }),
    tenantRoute({
      method: 'POST',
      path: '/parser',
      access,
      takesFile: true,
      query: ParserUpload,
      reply: ParserDocument,
      async handle(call) {
        const document = await take(call);
        void call.reply.status(201);
        return document;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id',
      access,
      reply: ParserDocument,
      handle: (call) => own.find(ownerOf(call), idOf(call)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/parser/:id',
      access,
      async handle(call) {
        await own.remove(ownerOf(call), idOf(call));
        return call.reply.status(204).send();
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/outline',
      access,
      reply: ParserOutline,
      handle: (call) => own.outline(ownerOf(call), idOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/pages/:page',
      access,
      query: ParserBlocksQuery,
      reply: ParserBlocks,
      handle: (call) => own.blocks(ownerOf(call), idOf(call), { page: numberOf(call, 'page'), from: call.query.from }),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/pages/:page/blocks/:at',
      access,
      query: ParserRowsQuery,
      reply: ParserTable,
      handle: (call) =>
        own.rows(ownerOf(call), idOf(call), {
          page: numberOf(call, 'page'),
          at: numberOf(call, 'at'),
          fromRow: call.query.from_row,
        }),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/pages/:page/picture',
      access,
      query: ParserPictureQuery,
      async handle(call) {
        const { width } = call.query;
        const page = numberOf(call, 'page');
        const { type, bytes } = await own.picture(ownerOf(call), idOf(call), { page, width, signal: call.signal });
        void call.reply.type(type).header('Content-Security-Policy', HARMLESS);
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/text',
      access,
      query: ParserTextQuery,
      reply: ParserText,
      handle: (call) => own.text(ownerOf(call), idOf(call), call.query),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/file',
      access,
      query: ParserFileQuery,
      async handle(call) {
        const { format } = call.query;
        const { stem, bytes } = await own.file(ownerOf(call), idOf(call), format);
        const { type, ending } = files[format];
        void call.reply
          .type(type)
          .header('Content-Security-Policy', HARMLESS)
          .header('Content-Disposition', attachment(stem, ending, 'document'));
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
    }),
  ];
}
