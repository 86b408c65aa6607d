import { Readable } from 'node:stream';
import {
  Extraction,
  ExtractionDocuments,
  ExtractionDocumentsQuery,
  ExtractionFileQuery,
  ExtractionList,
  NewExtraction,
} from '@ai-studio/contract/retrieval/extraction.ts';
import { actorOf, admitPerson } from '../../console-kit/allowance.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import { readCollection } from '../index.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

const ALL = '/collections/:id/extractions';
const ONE = `${ALL}/:extraction`;
const access = 'collections.manage';

const idsOf = (call: AnyCall) => [paramOf(call, 'id'), paramOf(call, 'extraction')] as const;

/** Values that a schema asks for, from the documents of a collection. */
export function extractionRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval, extractions } = deps.collections;
  return [
    tenantRoute({
      method: 'GET',
      path: ALL,
      access,
      reply: ExtractionList,
      handle: async (call) => extractions.list(await actorOf(deps, call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      body: NewExtraction,
      reply: Extraction,
      async handle(call) {
        await admitPerson(deps, call);
        const actor = await actorOf(deps, call);
        const { person, body } = call;
        requireChat(person.actions, 'model', body.model);
        const id = paramOf(call, 'id');
        const { collection_name: name } = await readCollection(retrieval, actor, id);
        const begun = await withReasons(extractions.start(actor, id, { ...body, by: person.name }));
        const target = { kind: 'collection', id, name };
        await call.audit({ action: 'collection_extracted', target, detail: { count: begun.total } });
        void call.reply.status(201);
        return begun;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Extraction,
      handle: async (call) => extractions.read(await actorOf(deps, call), ...idsOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/documents`,
      access,
      query: ExtractionDocumentsQuery,
      reply: ExtractionDocuments,
      handle: async (call) => extractions.documents(await actorOf(deps, call), ...idsOf(call), call.query),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/file`,
      access,
      query: ExtractionFileQuery,
      async handle(call) {
        const places = call.query.places === 'true';
        const lines = await extractions.file(await actorOf(deps, call), ...idsOf(call), places);
        void call.reply
          .type('text/csv; charset=utf-8')
          .header('Content-Disposition', 'attachment; filename="extraction.csv"');
        return Readable.from(lines);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/cancel`,
      access,
      reply: Extraction,
      handle: async (call) => withReasons(extractions.cancel(await actorOf(deps, call), ...idsOf(call))),
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      async handle(call) {
        await withReasons(extractions.remove(await actorOf(deps, call), ...idsOf(call)));
      },
    }),
  ];
}
