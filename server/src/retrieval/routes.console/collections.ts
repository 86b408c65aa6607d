import {
  CollectionOptions,
  ConsoleCollection,
  ConsoleCollections,
  ConsoleCollectionsQuery,
  NewCollectionOwner,
} from '@ai-studio/contract/console/retrieval.ts';
import { type Collection, CollectionChange, NewCollection } from '@ai-studio/contract/retrieval/collection.ts';
import type { Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../identity/index.ts';
import {
  changeCollection,
  changeOwner,
  collectionDetails,
  createCollection,
  deleteCollection,
  discardReindex,
  embedderChooserOf,
  embeddingModelsFor,
  ingestDefaults,
  LEXICAL_MODEL,
  listCollections,
  readCollection,
  reindexCollection,
  pageReaders,
  requireChatToIngest,
} from '../index.ts';
import { actorOf } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

const ALL = '/collections';
const ONE = `${ALL}/:id`;

const targetOf = ({ collection_id: id, collection_name: name }: Collection) => ({ kind: 'collection', id, name });

/** Collections: everybody sees those that are shared with them; builders make and change their own. */
export function collectionRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval, maxBytes } = deps.collections;

  async function toConsoleCollections(actor: Actor, records: readonly Collection[]): Promise<ConsoleCollection[]> {
    const details = await collectionDetails(
      retrieval,
      actor,
      records.map(({ collection_id: id }) => id),
    );
    return records.map((record) => {
      const { owner = null, fields = [], mayChange = false } = details.get(record.collection_id) ?? {};
      return { ...record, owner, filter_fields: [...fields], may_change: mayChange };
    });
  }
  async function toConsoleCollection(actor: Actor, record: Collection): Promise<ConsoleCollection> {
    const [one] = await toConsoleCollections(actor, [record]);
    return one ?? { ...record, owner: null, filter_fields: [], may_change: false };
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/collection-options',
      access: 'collections.search',
      reply: CollectionOptions,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const { allowedModels } = actor;
        const { models, standard } = embeddingModelsFor(retrieval.catalogue, await embedderChooserOf(retrieval, actor));
        const rerankers = retrieval.catalogue
          .list()
          .filter(({ id, kind }) => kind === 'rerank' && (allowedModels === null || allowedModels.has(id)));
        const chats = retrieval.catalogue
          .list()
          .filter(
            ({ id, kind, engines }) =>
              kind === 'chat' && engines.length > 0 && (allowedModels === null || allowedModels.has(id)),
          );
        return {
          chat_models: chats.map(({ id }) => id),
          embedding_models: models.map((id) => ({ id, lexical: id === LEXICAL_MODEL })),
          default_embedding_model: standard,
          rerank_models: rerankers.map(({ id }) => id),
          page_readers: pageReaders(retrieval, allowedModels),
          defaults: ingestDefaults,
          max_bytes: maxBytes,
        };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ALL,
      access: 'collections.search',
      query: ConsoleCollectionsQuery,
      reply: ConsoleCollections,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const list = await listCollections(retrieval, actor, call.query);
        return { ...list, items: await toConsoleCollections(actor, list.items) };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access: 'collections.manage',
      body: NewCollection,
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        requireChatToIngest(call.person.actions, call.body.ingest_config);
        const made = await withReasons(createCollection(retrieval, actor, call.body));
        const { visibility } = made;
        await call.audit({ action: 'collection_created', target: targetOf(made), detail: { visibility } });
        void call.reply.status(201);
        return toConsoleCollection(actor, made);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access: 'collections.search',
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        return toConsoleCollection(actor, await readCollection(retrieval, actor, paramOf(call, 'id')));
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access: 'collections.manage',
      body: CollectionChange,
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        requireChatToIngest(call.person.actions, call.body.ingest_config);
        const changed = await withReasons(changeCollection(retrieval, actor, paramOf(call, 'id'), call.body));
        const fields = Object.keys(call.body).join(', ');
        await call.audit({ action: 'collection_changed', target: targetOf(changed), detail: { fields } });
        return toConsoleCollection(actor, changed);
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access: 'collections.manage',
      async handle(call) {
        const id = paramOf(call, 'id');
        const { auditActor } = call.ctx;
        await withReasons(
          deleteCollection(retrieval, await actorOf(deps, call), id, (tx, name) =>
            writeAudit(tx, auditActor, { action: 'collection_removed', target: { kind: 'collection', id, name } }),
          ),
        );
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/reindex`,
      access: 'collections.manage',
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const begun = await withReasons(reindexCollection(retrieval, actor, paramOf(call, 'id')));
        await call.audit({ action: 'collection_reindexed', target: targetOf(begun) });
        return toConsoleCollection(actor, begun);
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${ONE}/reindex`,
      access: 'collections.manage',
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const kept = await withReasons(discardReindex(retrieval, actor, paramOf(call, 'id')));
        await call.audit({ action: 'collection_reindex_ended', target: targetOf(kept) });
        return toConsoleCollection(actor, kept);
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: `${ONE}/owner`,
      access: 'collections.manage',
      body: NewCollectionOwner,
      reply: ConsoleCollection,
      async handle(call) {
        const actor = await actorOf(deps, call);
        const id = paramOf(call, 'id');
        const owner = await withReasons(changeOwner(retrieval, actor, id, call.body.user_id));
        const given = await readCollection(retrieval, actor, id);
        await call.audit({ action: 'collection_handed_over', target: targetOf(given), detail: { owner } });
        return toConsoleCollection(actor, given);
      },
    }),
  ];
}
