import { envelope } from '@ai-studio/contract/envelope.ts';
import { DocumentExtractFields, ExtractedDocument } from '@ai-studio/contract/utilities/document.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import { type ExtractDeps, extractMetered, type RequireReaderDeps, requireReader } from '../index.ts';
import type { ReadRouteDeps } from './read.ts';

export type ExtractRouteDeps = ReadRouteDeps & ExtractDeps & RequireReaderDeps;

const exampleSchema = { type: 'object', properties: { title: { type: 'string', 'x-labels': ['제목'] } } };

/** POST /document/extract. Source: decisions section 6. */
export function extractRoutes(deps: ExtractRouteDeps): readonly PublicRoute[] {
  const { folder, maxUploadBytes: maxBytes } = deps;
  return [
    publicRoute({
      access: 'utilities',
      tag: 'Documents',
      method: 'POST',
      path: '/document/extract',
      summary: 'Values of a document',
      description:
        'Reads a document and finds the values that a JSON Schema describes: fields of forms, cells beside or below their label, lines with a colon, rows of tables; and where a chat model is named, that model for the rest. Each value comes with its page, its box where the file tells it, and a confidence. A document that cannot be read is a 422, as of the parser.',
      form: { fields: { DocumentExtractFields }, folder, maxBytes },
      formExample: { schema: JSON.stringify(exampleSchema) },
      reply: { DocumentExtractReply: envelope(ExtractedDocument) },
      errors: ['unprocessable'],
      usage: 'document/extract',
      async handle({ key, ctx, upload }) {
        const given = await upload();
        try {
          requireChat(key.scopes, 'model', given.fields.model);
          requireReader(deps, { scopes: key.scopes, allowedModels: ctx.actor.allowedModels }, given.fields);
          const { extracted, usage } = await extractMetered(deps, ctx, given, given.fields);
          return inEnvelope(extracted, usage);
        } finally {
          await given.remove();
        }
      },
    }),
  ];
}
