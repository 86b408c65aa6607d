import { DocumentReaders } from '@ai-studio/contract/console/readers.ts';
import {
  ConsoleDocuments,
  ConsoleDocumentsQuery,
  ConsoleDocumentUpload,
  type DocumentGroup,
  DocumentRemoval,
  ConsoleOriginal,
  ConsolePageText,
  ConsolePictureQuery,
  KnownFiles,
  KnownFilesQuery,
  NamedDocuments,
  NamedDocumentsQuery,
  RemovedDocuments,
} from '@ai-studio/contract/console/retrieval.ts';
import {
  Document,
  DocumentChange,
  type DocumentState,
  documentStates,
  DocumentUploaded,
} from '@ai-studio/contract/retrieval/document.ts';
import { StudioError } from '../../kernel/errors.ts';
import {
  changeDocument,
  countDocuments,
  deleteDocument,
  deleteDocuments,
  listDocuments,
  listReaders,
  openOriginal,
  readCollection,
  readDocument,
  reindexDocument,
  findDocumentsByName,
  findKnownFiles,
  uploadDocument,
} from '../index.ts';
import { actorOf, admitPerson, contextOf } from '../../console-kit/allowance.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { sandboxReply, sendUntrusted } from '../../console-kit/untrusted-file.ts';
import { receiveUpload } from '../../console-kit/upload.ts';
import { type AnyCall, type ConsoleRoute, paramOf, type TenantCall, tenantRoute } from '../../console-kit/route.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { batchRoute } from './batch.ts';
import { withReasons } from './failures.ts';

const ALL = '/collections/:id/documents';
const ONE = `${ALL}/:documentId`;
const access = 'collections.manage';

const MAX_PAGES = 1_000_000;

/** A number of the path. Throws StudioError `not_found` for what is none. */
function pageOf(call: AnyCall): number {
  const text = paramOf(call, 'page');
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= MAX_PAGES) return Number(text);
  throw new StudioError('not_found', 'There is no such page');
}

/** Which states a group is of. */
const statesOf: Readonly<Record<DocumentGroup, readonly DocumentState[]>> = {
  open: documentStates.filter((state) => state !== 'ready' && state !== 'failed'),
  ready: ['ready'],
  failed: ['failed'],
};

const addressOf = (call: AnyCall) => ({
  collectionId: paramOf(call, 'id'),
  documentId: paramOf(call, 'documentId'),
});
const targetOf = ({ document_id: id, document_name: name }: Pick<Document, 'document_id' | 'document_name'>) => ({
  kind: 'document',
  id,
  name,
});

/** Takes a file as it comes. What goes nowhere is not read. */
async function take(
  deps: CollectionRouteDeps,
  call: TenantCall<unknown, ConsoleDocumentUpload>,
): Promise<DocumentUploaded> {
  const { retrieval } = deps.collections;
  const { name, folder } = call.query;
  const actor = await actorOf(deps, call);
  const id = paramOf(call, 'id');
  const { path, bytes, remove } = await receiveUpload(call, deps.collections, async () => {
    await readCollection(retrieval, actor, id);
    await admitPerson(deps, call);
  });
  try {
    const fields = folder === undefined ? {} : { metadata: JSON.stringify({ folder }) };
    return await withReasons(uploadDocument(retrieval, actor, id, { path, name, bytes, fields }));
  } finally {
    await remove();
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
        const actor = await actorOf(deps, call);
        const id = paramOf(call, 'id');
        const counts = await countDocuments(retrieval, actor, id);
        const states = group === undefined ? {} : { states: statesOf[group] };
        return { ...(await listDocuments(retrieval, actor, id, { ...query, ...states })), counts };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/documents',
      access,
      query: NamedDocumentsQuery,
      reply: NamedDocuments,
      handle: async (call) => ({
        items: await findDocumentsByName(retrieval, await actorOf(deps, call), call.query.name),
      }),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ALL}/known`,
      access,
      body: KnownFilesQuery,
      reply: KnownFiles,
      handle: async (call) => ({
        items: await findKnownFiles(retrieval, await actorOf(deps, call), paramOf(call, 'id'), call.body.files),
      }),
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
    batchRoute(deps),
    tenantRoute({
      method: 'POST',
      path: `${ALL}/remove`,
      access,
      body: DocumentRemoval,
      reply: RemovedDocuments,
      async handle(call) {
        const removal = deleteDocuments(retrieval, await actorOf(deps, call), {
          collectionId: paramOf(call, 'id'),
          documentIds: call.body.document_ids,
          async onDeleted(tx, removed) {
            for (const { id, name } of removed)
              await call.audit({ action: 'document_removed', target: { kind: 'document', id, name } }, tx);
          },
        });
        return { removed: await withReasons(removal) };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Document,
      handle: async (call) => readDocument(retrieval, await actorOf(deps, call), addressOf(call)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: DocumentChange,
      reply: Document,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const changed = await withReasons(changeDocument(retrieval, actor, addressOf(call), call.body));
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
        const actor = await actorOf(deps, call);
        const found = await readDocument(retrieval, actor, addressOf(call));
        await withReasons(deleteDocument(retrieval, actor, addressOf(call)));
        await call.audit({ action: 'document_removed', target: targetOf(found) });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/reindex`,
      access,
      reply: Document,
      async handle(call) {
        const begun = await withReasons(reindexDocument(retrieval, await actorOf(deps, call), addressOf(call)));
        await call.audit({ action: 'document_reindexed', target: targetOf(begun) });
        return begun;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/readers`,
      access,
      reply: DocumentReaders,
      handle: async (call) => withReasons(listReaders(retrieval, await actorOf(deps, call), addressOf(call))),
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
        const { name, size, content } = await openOriginal(retrieval, await actorOf(deps, call), addressOf(call));
        const [, stem = name, ending = 'bin'] = /^(.*)\.([\p{L}\p{N}]{1,8})$/su.exec(name) ?? [];
        void sandboxReply(call.reply, 'application/octet-stream')
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
        const { pages, pictures } = await originals.outline(await actorOf(deps, call), addressOf(call));
        return { pages: [...pages], pictures };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/pages/:page`,
      access,
      reply: ConsolePageText,
      handle: async (call) => originals.text(await actorOf(deps, call), addressOf(call), pageOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/pages/:page/picture`,
      access,
      query: ConsolePictureQuery,
      async handle(call) {
        const at = { page: pageOf(call), width: call.query.width };
        return sendUntrusted(call.reply, await originals.picture(await contextOf(deps, call), addressOf(call), at));
      },
    }),
  ];
}
