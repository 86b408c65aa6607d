import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  Collection,
  CollectionChange,
  CollectionDeleted,
  CollectionList,
  CollectionQuery,
  NewCollection,
} from '@ai-studio/contract/retrieval/collection.ts';
import {
  changeCollection,
  createCollection,
  deleteCollection,
  discardReindex,
  listCollections,
  readCollection,
  reindexCollection,
  requireChatToIngest,
} from '../index.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { common, errorsOfWriting, type RetrievalRouteDeps } from './common.ts';

const ALL = '/rag42/collections';
const ONE = `${ALL}/:collection_id`;
const REINDEX = `${ONE}/reindex`;
const reply = { CollectionReply: envelope(Collection) };

/** Collections. Source: decisions section 5. */
export const collectionRoutes = ({ retrieval }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: ALL,
    summary: 'New collection',
    description: 'Everything but the name has a default.',
    body: { NewCollection },
    reply,
    example: { collection_name: '사내 규정', visibility: 'tenant', ingest_config: { indexed_fields: ['department'] } },
    errors: errorsOfWriting,
    async handle({ ctx, key, body }) {
      requireChatToIngest(key.scopes, body.ingest_config);
      return inEnvelope(await createCollection(retrieval, ctx.actor, body));
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: ALL,
    summary: 'Collections',
    description: 'Your own and those that are shared with the tenant, the newest first.',
    query: { CollectionQuery },
    reply: { CollectionListReply: envelope(CollectionList) },
    handle: async (call) => inEnvelope(await listCollections(retrieval, call.ctx.actor, call.query)),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: ONE,
    summary: 'One collection',
    description: 'Its settings, how much it holds, and how far a change of the whole is.',
    reply,
    handle: async (call) => inEnvelope(await readCollection(retrieval, call.ctx.actor, call.params.collection_id)),
  }),
  publicRoute({
    ...common,
    method: 'PATCH',
    path: ONE,
    summary: 'Change a collection',
    description:
      'What is left out stays. Another embedding model makes all of it anew in the background (`reindex`), while searches go on over what there is.',
    body: { CollectionChange },
    reply,
    example: { search_config: { mode: 'hybrid', alpha: 0.4 } },
    errors: errorsOfWriting,
    async handle({ ctx, key, params, body }) {
      requireChatToIngest(key.scopes, body.ingest_config);
      return inEnvelope(await changeCollection(retrieval, ctx.actor, params.collection_id, body));
    },
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a collection',
    description: 'With its documents, chunks, files and index.',
    reply: { CollectionDeletedReply: envelope(CollectionDeleted) },
    handle: async (call) => inEnvelope(await deleteCollection(retrieval, call.ctx.actor, call.params.collection_id)),
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: REINDEX,
    summary: 'Make a collection anew',
    description:
      'Cuts and embeds all documents by the present settings; what is made takes the place of the old at once. A change that failed (`reindex.state`) goes on where it stands.',
    reply,
    handle: async (call) => inEnvelope(await reindexCollection(retrieval, call.ctx.actor, call.params.collection_id)),
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: REINDEX,
    summary: 'Give up making a collection anew',
    description: 'Whether it is under way or failed: the collection stays as it is, with its present settings.',
    reply,
    handle: async (call) => inEnvelope(await discardReindex(retrieval, call.ctx.actor, call.params.collection_id)),
  }),
];
