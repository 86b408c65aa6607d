import {
  ConsoleDocuments,
  ConsoleDocumentsQuery,
  ConsoleDocumentUpload,
  type DocumentGroup,
  ConsoleOriginal,
  ConsolePageText,
  ConsolePictureQuery,
} from '@ai-studio/contract/console/retrieval.ts';
import {
  Document,
  DocumentChange,
  type DocumentState,
  documentStates,
  DocumentUploaded,
} from '@ai-studio/contract/retrieval/document.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StudioError } from '../../kernel/errors.ts';
import {
  changeDocument,
  countDocuments,
  deleteDocument,
  listDocuments,
  openOriginal,
  readCollection,
  readDocument,
  reindexDocument,
  uploadDocument,
} from '../index.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { receive, tooLarge } from '../../parsing/routes.console.ts';
import { callerOf, type CollectionRouteDeps, pageOf, partOf, reserve, told } from './caller.ts';
import { type ConsoleRoute, tenantRoute, type TenantCall } from '../../console-kit/route.ts';

const ALL = '/collections/:id/documents';
const ONE = `${ALL}/:documentId`;
const access = 'collections.manage';

/** Which states a group is of. */
const statesOf: Readonly<Record<DocumentGroup, readonly DocumentState[]>> = {
  open: documentStates.filter((state) => state !== 'ready' && state !== 'failed'),
  ready: ['ready'],
  failed: ['failed'],
};

const addressOf = (call: TenantCall<unknown, unknown>) => ({
  collectionId: partOf(call, 'id'),
  documentId: partOf(call, 'documentId'),
});
const targetOf = ({ document_id: id, document_name: name }: Pick<Document, 'document_id' | 'document_name'>) => ({
  kind: 'document',
  id,
  name,
});

/** What comes of a stranger's file is no page of ours, wherever a browser shows it. */
const HARMLESS = "default-src 'none'; sandbox";

/** Takes a file as it comes. */
async function take(
  deps: CollectionRouteDeps,
  call: TenantCall<unknown, ConsoleDocumentUpload>,
): Promise<DocumentUploaded> {
  const { retrieval, folder: parent, maxBytes } = deps.collections;
  const { request, query, signal } = call;
  const body = request.body as Partial<Readable> | null | undefined;
  const isStream = (one: typeof body): one is Readable => typeof one?.pipe === 'function';
  const caller = await callerOf(deps, call);
  const id = partOf(call, 'id');
  try {
    // What goes nowhere need not be read.
    await readCollection(retrieval, caller, id);
    if (query.size > maxBytes) throw tooLarge(maxBytes);
    await reserve(deps, call);
  } catch (error) {
    if (isStream(body)) body.resume();
    throw error;
  }
  if (!isStream(body))
    throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
  const place = await mkdtemp(join(parent, 'upload-'));
  try {
    const path = join(place, 'file');
    const bytes = await receive(body, path, maxBytes, signal);
    const fields = query.folder === undefined ? {} : { metadata: JSON.stringify({ folder: query.folder }) };
    return await told(uploadDocument(retrieval, caller, id, { path, name: query.name, bytes, fields }));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Documents of a collection, for those who build. */
export function collectionDocumentRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval } = deps.collections;
  return [
    tenantRoute({
      method: 'GET',
      path: ALL,
      access,
      query: ConsoleDocumentsQuery,
      reply: ConsoleDocuments,
      async handle(call) {
        const { group, ...query } = call.query;
        const caller = await callerOf(deps, call);
        const id = partOf(call, 'id');
        const counts = await countDocuments(retrieval, caller, id);
        const states = group === undefined ? {} : { states: statesOf[group] };
        return { ...(await listDocuments(retrieval, caller, id, { ...query, ...states })), counts };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      takesFile: true,
      query: ConsoleDocumentUpload,
      reply: DocumentUploaded,
      async handle(call) {
        const uploaded = await take(deps, call);
        const { file_size: bytes } = uploaded;
        await call.audit({ action: 'document_added', target: targetOf(uploaded), detail: { bytes } });
        void call.reply.status(201);
        return uploaded;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Document,
      handle: async (call) => readDocument(retrieval, await callerOf(deps, call), addressOf(call)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: DocumentChange,
      reply: Document,
      async handle(call) {
        const caller = await callerOf(deps, call);
        const changed = await told(changeDocument(retrieval, caller, addressOf(call), call.body));
        const fields = Object.keys(call.body).join(', ');
        await call.audit({ action: 'document_changed', target: targetOf(changed), detail: { fields } });
        return changed;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      async handle(call) {
        const caller = await callerOf(deps, call);
        const found = await readDocument(retrieval, caller, addressOf(call));
        await told(deleteDocument(retrieval, caller, addressOf(call)));
        await call.audit({ action: 'document_removed', target: targetOf(found) });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/reindex`,
      access,
      reply: Document,
      async handle(call) {
        const begun = await told(reindexDocument(retrieval, await callerOf(deps, call), addressOf(call)));
        await call.audit({ action: 'document_reindexed', target: targetOf(begun) });
        return begun;
      },
    }),
    ...originalRoutes(deps),
  ];
}

/** The file of a document, and its pages as they look. */
function originalRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval, originals } = deps.collections;
  return [
    tenantRoute({
      method: 'GET',
      path: `${ONE}/file`,
      access,
      async handle(call) {
        const { name, size, content } = await openOriginal(retrieval, await callerOf(deps, call), addressOf(call));
        const [, stem = name, ending = 'bin'] = /^(.*)\.([\p{L}\p{N}]{1,8})$/su.exec(name) ?? [];
        void call.reply
          .type('application/octet-stream')
          .header('Content-Security-Policy', HARMLESS)
          .header('Content-Length', size)
          .header('Content-Disposition', attachment(stem, ending.replaceAll(/[^\x20-\x7E]/g, '_'), 'document'));
        return content;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/original`,
      access,
      reply: ConsoleOriginal,
      async handle(call) {
        const { pages, pictures } = await originals.outline(await callerOf(deps, call), addressOf(call));
        return { pages: [...pages], pictures };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/pages/:page`,
      access,
      reply: ConsolePageText,
      handle: async (call) => originals.text(await callerOf(deps, call), addressOf(call), pageOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/pages/:page/picture`,
      access,
      query: ConsolePictureQuery,
      async handle(call) {
        const at = { page: pageOf(call), width: call.query.width };
        const { type, bytes } = await originals.picture(await callerOf(deps, call), addressOf(call), at);
        void call.reply.type(type).header('Content-Security-Policy', HARMLESS);
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
    }),
  ];
}
