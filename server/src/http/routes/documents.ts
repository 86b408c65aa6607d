import { ENVELOPE_OK } from '@ai-studio/contract/envelope.ts';
import { DocumentContentQuery, DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileCheck } from '../../chat/index.ts';
import type { KeyRecord } from '../../identity/index.ts';
import { type ParseDeps, type ParseJobs, parseDocument, parseUsage } from '../../parsing/index.ts';
import type { Metering } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { type Upload, readUpload } from '../upload.ts';

export interface DocumentRouteDeps extends ParseDeps {
  readonly guard: Guard;
  /** Where files are kept while they are read. */
  readonly folder: string;
  readonly maxUploadBytes: number;
  /** What reads in the background. */
  readonly jobs: ParseJobs;
  readonly metering: Metering;
}

/** A form that was let in. */
interface DocumentCall {
  readonly key: KeyRecord;
  readonly upload: Upload;
  readonly fields: DocumentParseFields;
  readonly signal: AbortSignal;
}

const OK = `{"status":{"code":"${ENVELOPE_OK}","message":"OK"},"result":`;

/** The envelope around JSON text. */
function inEnvelope(
  reply: FastifyReply,
  { json, pages }: { readonly json: Uint8Array; readonly pages: number | null },
): Buffer {
  const usage = pages === null ? '' : `,"usage":${JSON.stringify({ pages })}`;
  reply.type('application/json; charset=utf-8');
  return Buffer.concat([Buffer.from(OK), json, Buffer.from(`${usage}}`)]);
}

/** POST /document/parse, POST /document/parse/async, GET /document/{document_id}/content. Source: decisions section 6. */
export function documentRoutes(app: FastifyInstance, deps: DocumentRouteDeps): void {
  const { guard, folder, maxUploadBytes: maxBytes, jobs, metering, now } = deps;
  const checkFields = compileCheck(DocumentParseFields);
  const checkQuery = compileCheck(DocumentContentQuery);

  /** Lets a form in and works with it; its file is gone afterwards. */
  async function withForm(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (given: DocumentCall) => Promise<object>,
  ): Promise<object> {
    const key = await guard.key(request, reply, 'utilities');
    await guard.reserve(key, reply, 0);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { signal } = gone;
    const upload = await readUpload(request.raw, { folder, maxBytes, signal });
    try {
      const given = upload.fields;
      const fields = checkFields.passes(given) ? DocumentParseFields.parse(given) : checkFields.explain(given);
      return await work({ key, upload, fields, signal });
    } finally {
      await upload.remove();
    }
  }

  /** Counts a document that was read, or why it was not. */
  async function counted(
    { key: { tenantId, id: keyId }, signal }: DocumentCall,
    read: () => Promise<{ readonly json: Uint8Array; readonly pages: number }>,
  ) {
    const startedMs = now();
    const actor = { tenantId, keyId, userId: null };
    try {
      const done = await read();
      metering.record(parseUsage({ actor, startedMs, pages: done.pages }));
      return done;
    } catch (error) {
      metering.record(
        parseUsage({ actor, startedMs, outcome: signal.aborted ? 'canceled' : 'error', error, pages: 0 }),
      );
      throw error;
    }
  }

  app.register((scope, _options, done) => {
    // The form is read as it comes, by the handler.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.post('/document/parse', { bodyLimit: maxBytes }, (request, reply) =>
      withForm(request, reply, async (given) => {
        const { key, upload, fields, signal } = given;
        const read = () => parseDocument(deps, { tenantId: key.tenantId, signal }, upload, fields);
        return inEnvelope(reply, await counted(given, read));
      }),
    );
    scope.post('/document/parse/async', { bodyLimit: maxBytes }, (request, reply) =>
      withForm(request, reply, async ({ key: { tenantId, id: keyId }, upload, fields }) => ({
        status: { code: ENVELOPE_OK, message: 'OK' },
        result: await jobs.accept({ tenantId, keyId }, upload, fields),
      })),
    );
    done();
  });

  app.get<{ Params: { document_id: string } }>('/document/:document_id/content', async (request, reply) => {
    const key = await guard.key(request, reply, 'utilities');
    await guard.reserve(key, reply, 0);
    const { query } = request;
    const { response_format: format } = checkQuery.passes(query)
      ? DocumentContentQuery.parse(query)
      : checkQuery.explain(query);
    return inEnvelope(reply, await jobs.content(key.tenantId, request.params.document_id, format));
  });
}
