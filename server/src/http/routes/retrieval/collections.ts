import { CollectionChange, CollectionQuery, NewCollection } from '@ai-studio/contract/retrieval/collection.ts';
import type { FastifyInstance } from 'fastify';
import {
  changeCollection,
  createCollection,
  deleteCollection,
  discardReindex,
  listCollections,
  readCollection,
  reindexCollection,
} from '../../../retrieval/index.ts';
import { inEnvelope, reader, retrievalRoutes, type RetrievalRouteDeps } from './common.ts';

const ALL = '/rag42/collections';
const ONE = `${ALL}/:collection_id`;

/** Collections. Source: decisions section 5. */
export function collectionRoutes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  const { retrieval } = deps;
  const { withBody, bare } = retrievalRoutes(app, deps);
  const newCollection = reader(NewCollection);
  const change = reader(CollectionChange);
  const page = reader(CollectionQuery);
  const idOf = ({ collection_id: id = '' }: { readonly collection_id?: string }) => id;

  withBody('POST', [ALL], async ({ caller, request }) =>
    inEnvelope(await createCollection(retrieval, caller, newCollection(request.body))),
  );
  bare('GET', [ALL], async ({ caller, request }) =>
    inEnvelope(await listCollections(retrieval, caller, page(request.query))),
  );
  bare('GET', [ONE], async ({ caller, ids }) => inEnvelope(await readCollection(retrieval, caller, idOf(ids))));
  withBody('PATCH', [ONE], async ({ caller, ids, request }) =>
    inEnvelope(await changeCollection(retrieval, caller, idOf(ids), change(request.body))),
  );
  bare('DELETE', [ONE], async ({ caller, ids }) => inEnvelope(await deleteCollection(retrieval, caller, idOf(ids))));
  bare('POST', [`${ONE}/reindex`], async ({ caller, ids }) =>
    inEnvelope(await reindexCollection(retrieval, caller, idOf(ids))),
  );
  bare('DELETE', [`${ONE}/reindex`], async ({ caller, ids }) =>
    inEnvelope(await discardReindex(retrieval, caller, idOf(ids))),
  );
}
