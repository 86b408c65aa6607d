import { Readable } from 'node:stream';
import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  Extraction,
  ExtractionDeleted,
  ExtractionDocuments,
  ExtractionDocumentsQuery,
  ExtractionFileQuery,
  ExtractionList,
  NewExtraction,
} from '@ai-studio/contract/retrieval/extraction.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import { common as ofRetrieval, errorsOfWriting, type RetrievalRouteDeps } from './common.ts';

const ALL = '/rag42/collections/:collection_id/extractions';
const ONE = `${ALL}/:extraction_id`;
const common = { ...ofRetrieval, params: { ...ofRetrieval.params, extraction_id: 'Of an extraction' } } as const;
const reply = { ExtractionReply: envelope(Extraction) };

const example = {
  schema: {
    type: 'object',
    properties: {
      party: { type: 'string', title: '계약 상대자' },
      amount: { type: 'number', title: '계약 금액' },
      signed: { type: 'string', format: 'date', title: '계약일' },
    },
  },
  filter: { name: '계약서' },
};

/** Values that a schema asks for, from the documents of a collection. Source: decisions section 6. */
export const extractionRoutes = ({ extractions }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: ALL,
    summary: 'Extract values from a collection',
    description:
      'Looks in each document of your own collection for the values that a JSON Schema describes, as `POST /v1/document/extract` does in one: by rules, and where a chat model is named by that for the rest. Answers at once; it goes on in the background, after calls that somebody waits for, also when the service is started anew in between. A document that cannot be looked through has an error of its own and keeps no other back.',
    body: { NewExtraction },
    reply,
    example,
    errors: errorsOfWriting,
    async handle({ key, ctx, params, body }) {
      requireChat(key.scopes, 'model', body.model);
      return inEnvelope(await extractions.start(ctx.actor, params.collection_id, { ...body, by: key.name }));
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: ALL,
    summary: 'Extractions of a collection',
    description: 'The newest first. The last 20 that ended are kept.',
    reply: { ExtractionListReply: envelope(ExtractionList) },
    handle: async ({ ctx, params }) => inEnvelope(await extractions.list(ctx.actor, params.collection_id)),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: ONE,
    summary: 'One extraction',
    description: 'Its state and progress, and what it looks for.',
    reply,
    handle: async ({ ctx, params }) =>
      inEnvelope(await extractions.read(ctx.actor, params.collection_id, params.extraction_id)),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: `${ONE}/documents`,
    summary: 'What was found',
    description: 'Document by document, in the order of their uploads, also while the extraction is running.',
    query: { ExtractionDocumentsQuery },
    reply: { ExtractionDocumentsReply: envelope(ExtractionDocuments) },
    handle: async ({ ctx, params, query }) =>
      inEnvelope(await extractions.documents(ctx.actor, params.collection_id, params.extraction_id, query)),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: `${ONE}/file`,
    summary: 'What was found, as CSV',
    description:
      'A line for each document, a column for each value; several values of a list stand in one cell, separated by semicolons. UTF-8 with a byte order mark, for spreadsheets; text that they would take for a formula has an apostrophe before it.',
    query: { ExtractionFileQuery },
    media: ['text/csv'],
    async handle(call) {
      const { collection_id: collection, extraction_id: id } = call.params;
      const lines = await extractions.file(call.ctx.actor, collection, id, call.query.places === 'true');
      return call.reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', 'attachment; filename="extraction.csv"')
        .send(Readable.from(lines, { objectMode: false }));
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: `${ONE}/cancel`,
    summary: 'End an extraction',
    description: 'What was found until then stays. One that has ended stays as it is.',
    reply,
    handle: async ({ ctx, params }) =>
      inEnvelope(await extractions.cancel(ctx.actor, params.collection_id, params.extraction_id)),
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete an extraction',
    description: 'With what was found. One that is under way ends.',
    reply: { ExtractionDeletedReply: envelope(ExtractionDeleted) },
    async handle({ ctx, params }) {
      const { collection_id: collection, extraction_id: id } = params;
      await extractions.remove(ctx.actor, collection, id);
      return inEnvelope({ extraction_id: id, operation: 'delete_extraction' as const });
    },
  }),
];
