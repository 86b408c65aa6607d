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
import { StudioError } from '../kernel/errors.ts';
import type { DocumentMaker, OwnDocuments } from './index.ts';
import { type CountedCalls, admitPerson } from '../console-kit/allowance.ts';
import { attachment } from '../console-kit/attachment.ts';
import { sendUntrusted } from '../console-kit/untrusted-file.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute, type TenantCall } from '../console-kit/route.ts';
import { cleanName, receiveUpload } from '../console-kit/upload.ts';

/** What the page of documents works with. */
export interface ParserDeps {
  /** Makes files of texts. */
  readonly maker: DocumentMaker;
  readonly own: OwnDocuments;
  /** Largest file. */
  readonly maxBytes: number;
  /** How long what was read is kept. */
  readonly keepHours: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

/** What the routes of documents work with. */
interface ParserRouteDeps extends CountedCalls {
  readonly parser: ParserDeps;
}

const idOf = (call: AnyCall) => paramOf(call, 'id');

const MAX_PAGES = 1_000_000;

/** A number of the path. Throws StudioError `not_found` for what is none. */
function numberOf(call: AnyCall, name: string): number {
  const text = paramOf(call, name);
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_PAGES) return Number(text);
  throw new StudioError('not_found', 'There is no such page');
}

const files = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
  text: { type: 'text/plain; charset=utf-8', ending: 'txt' },
  json: { type: 'application/json; charset=utf-8', ending: 'json' },
} as const;

/** Documents that are read in the console: a person's own, whatever their role. Source: decisions section 6. */
export function parserRoutes(deps: ParserRouteDeps): ConsoleRoute[] {
  const { own, maxBytes, keepHours } = deps.parser;
  const access = 'documents.parse';

  async function take(call: TenantCall<unknown, ParserUpload>): Promise<ParserDocument> {
    const { path, bytes, remove } = await receiveUpload(call, deps.parser, () => admitPerson(deps, call));
    try {
      return await own.add(call.ctx.actor, { path, name: cleanName(call.query.name), bytes }, call.query.pages);
    } finally {
      await remove();
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/parser',
      access,
      reply: ParserDocuments,
      handle: async (call) => ({ items: await own.list(call.ctx.actor), max_bytes: maxBytes, keep_hours: keepHours }),
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
      handle: (call) => own.find(call.ctx.actor, idOf(call)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/parser/:id',
      access,
      async handle(call) {
        await own.remove(call.ctx.actor, idOf(call));
        return call.reply.status(204).send();
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/outline',
      access,
      reply: ParserOutline,
      handle: (call) => own.outline(call.ctx.actor, idOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/pages/:page',
      access,
      query: ParserBlocksQuery,
      reply: ParserBlocks,
      handle: (call) => own.blocks(call.ctx.actor, idOf(call), { page: numberOf(call, 'page'), from: call.query.from }),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/pages/:page/blocks/:at',
      access,
      query: ParserRowsQuery,
      reply: ParserTable,
      handle: (call) =>
        own.rows(call.ctx.actor, idOf(call), {
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
        return sendUntrusted(
          call.reply,
          await own.picture(call.ctx.actor, idOf(call), { page, width, signal: call.signal }),
        );
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/text',
      access,
      query: ParserTextQuery,
      reply: ParserText,
      handle: (call) => own.text(call.ctx.actor, idOf(call), call.query),
    }),
    tenantRoute({
      method: 'GET',
      path: '/parser/:id/file',
      access,
      query: ParserFileQuery,
      async handle(call) {
        const { format } = call.query;
        const { stem, bytes } = await own.file(call.ctx.actor, idOf(call), format);
        const { type, ending } = files[format];
        void call.reply.header('Content-Disposition', attachment(stem, ending, 'document'));
        return sendUntrusted(call.reply, { type, bytes });
      },
    }),
  ];
}
