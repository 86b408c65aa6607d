import { ENVELOPE_OK } from '@ai-studio/contract/envelope.ts';
import { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { FastifyInstance } from 'fastify';
import { compileCheck } from '../../chat/index.ts';
import { type ParseDeps, parseDocument } from '../../parsing/index.ts';
import type { Guard } from '../guard.ts';
import { readUpload } from '../upload.ts';

export interface DocumentRouteDeps extends ParseDeps {
  readonly guard: Guard;
  /** Where files are kept while they are read. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

/** POST /document/parse. Source: decisions section 6. */
export function documentRoutes(app: FastifyInstance, deps: DocumentRouteDeps): void {
  const { guard, folder, maxUploadBytes: maxBytes } = deps;
  const check = compileCheck(DocumentParseFields);
  app.register((scope, _options, done) => {
    // The form is read as it comes, by the handler.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.post('/document/parse', { bodyLimit: maxBytes }, async (request, reply) => {
      const key = await guard.key(request, reply, 'utilities');
      await guard.reserve(key, reply, 0);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const upload = await readUpload(request.raw, { folder, maxBytes, signal: gone.signal });
      try {
        const given = upload.fields;
        const fields = check.passes(given) ? DocumentParseFields.parse(given) : check.explain(given);
        const ctx = { tenantId: key.tenantId, signal: gone.signal };
        const { result, pages } = await parseDocument(deps, ctx, { path: upload.path, name: upload.name }, fields);
        return { status: { code: ENVELOPE_OK, message: 'OK' }, result, usage: { pages } };
      } finally {
        await upload.remove();
      }
    });
    done();
  });
}
