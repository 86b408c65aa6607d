import { ENVELOPE_OK, envelope } from '@ai-studio/contract/envelope.ts';
import {
  DocumentAccepted,
  DocumentContent,
  DocumentContentQuery,
  DocumentParseFields,
  ParsedDocument,
} from '@ai-studio/contract/utilities/document.ts';
import type { FastifyReply } from 'fastify';
import { type ParseJobs, parseMetered, type RequireReaderDeps, requireReader } from '../index.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { type KeyCall, publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import type { ReadRouteDeps } from './read.ts';

export interface DocumentRouteDeps extends ReadRouteDeps, RequireReaderDeps {
  /** What reads in the background. */
  readonly jobs: ParseJobs;
}

const OK = `{"status":{"code":"${ENVELOPE_OK}","message":"OK"},"result":`;

/** Sends JSON text in the envelope. */
function sendJson(
  reply: FastifyReply,
  { json, pages }: { readonly json: Uint8Array; readonly pages: number | null },
): FastifyReply {
  const usage = pages === null ? '' : `,"usage":${JSON.stringify({ pages })}`;
  return reply
    .type('application/json; charset=utf-8')
    .send(Buffer.concat([Buffer.from(OK), json, Buffer.from(`${usage}}`)]));
}

/** Whose call it is, for the models that it names. */
const readerKey = ({ key: { scopes }, ctx: { actor } }: Pick<KeyCall, 'key' | 'ctx'>) => ({
  scopes,
  allowedModels: actor.allowedModels,
});

function plainRoutes(deps: DocumentRouteDeps): readonly PublicRoute[] {
  const { folder, maxUploadBytes: maxBytes, jobs } = deps;
  const common = { access: 'utilities', tag: 'Documents' } as const;
  const form = { fields: { DocumentParseFields }, folder, maxBytes };
  return [
    publicRoute({
      ...common,
      method: 'POST',
      path: '/document/parse',
      summary: 'Document parser',
      description:
        'Reads a document (its format is known by its content) and gives its blocks by page, or the whole as HTML, Markdown or plain text. A document that cannot be read is a 422 whose message begins with why: `ENCRYPTED`, `CORRUPTED`, `UNSUPPORTED`, `NEEDS_OCR`, `TIMEOUT`.',
      form,
      reply: { DocumentParseReply: envelope(ParsedDocument) },
      errors: ['unprocessable'],
      usage: 'document/parse',
      async handle(call) {
        const given = await call.upload();
        let done;
        try {
          requireReader(deps, readerKey(call), given.fields);
          done = await parseMetered(deps, call.ctx, given, given.fields);
        } finally {
          await given.remove();
        }
        // Nothing of the file is left when the caller has the answer.
        return sendJson(call.reply, done);
      },
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: '/document/parse/async',
      summary: 'Document parser, in the background',
      description:
        'Keeps a document and answers at once with a `document_id`; what becomes of it is asked for with `GET /v1/document/{document_id}/content`. It is read also when the service is started anew in between.',
      form,
      reply: { DocumentAcceptedReply: envelope(DocumentAccepted) },
      async handle(call) {
        const given = await call.upload();
        try {
          requireReader(deps, readerKey(call), given.fields);
          return inEnvelope(await jobs.accept(call.ctx.actor, given, given.fields));
        } finally {
          await given.remove();
        }
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: '/document/:document_id/content',
      summary: 'A document of the background',
      description:
        '`RUNNING_INFERENCE` with the pages that were read, `SUCCESS` with what the document parser gives, or `FAILED` with a reason. What was read is kept for a limited time (`expires_at`).',
      params: { document_id: 'Of the answer of `POST /v1/document/parse/async`' },
      query: { DocumentContentQuery },
      reply: { DocumentContentReply: envelope(DocumentContent) },
      errors: ['unprocessable'],
      handle: async ({ key, params, query, reply }) =>
        sendJson(reply, await jobs.content(key.tenantId, params.document_id, query)),
    }),
  ];
}

/** The same below the name of a vendor, as programs of the original interface call them. */
const underVendor = (route: PublicRoute): PublicRoute => ({
  ...route,
  paths: route.paths.map((path) => `/:vendor${path}`),
  hidden: true,
});

/**
 * POST /document/parse, POST /document/parse/async, GET /document/{document_id}/content, each also behind one further segment. Source:
 * decisions section 6.
 */
export function documentRoutes(deps: DocumentRouteDeps): readonly PublicRoute[] {
  const routes = plainRoutes(deps);
  return [...routes, ...routes.map(underVendor)];
}
