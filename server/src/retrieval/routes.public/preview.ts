import { envelope } from '@ai-studio/contract/envelope.ts';
import { ChunkPreview, ChunkPreviewFields, ChunkPreviewRequest } from '@ai-studio/contract/retrieval/preview.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { previewSourceOf, readCollection, trialConfigOf } from '../index.ts';
import { common, type RetrievalRouteDeps } from './common.ts';

const PATH = '/rag42/collections/:collection_id/preview';
const reply = { ChunkPreviewReply: envelope(ChunkPreview) };

/** Chunks before anything is taken in. */
export const previewRoutes = ({
  retrieval,
  previews,
  folder,
  maxUploadBytes: maxBytes,
}: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: PATH,
    summary: 'Preview chunks',
    description:
      'Cuts a text, or a document of the collection, by settings that are tried (`ingest_config`), and shows the chunks that they would make. Nothing is kept, embedded or changed.',
    body: { ChunkPreviewRequest },
    reply,
    example: { text: '# 휴가\n\n연차 휴가는 15일이다.', name: '규정.md', ingest_config: { chunk_size: 256 } },
    errors: ['not_found', 'unprocessable', 'too_large'],
    async handle(call) {
      const { ingest_config: config, size, from } = call.body;
      const { collection_id: id } = call.params;
      return inEnvelope(await previews.preview(call.ctx, id, previewSourceOf(call.body), { config, size, from }));
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/upload`,
    summary: 'Preview chunks of a file',
    description:
      'The same for a file that is sent, of any kind that is taken in: it is read now, within the limits of a document that is parsed at once.',
    form: { fields: { ChunkPreviewFields }, folder, maxBytes },
    reply,
    formExample: { ingest_config: '{"chunk_size": 256}' },
    errors: ['not_found', 'unprocessable'],
    async handle(call) {
      const { collection_id: id } = call.params;
      // What goes nowhere need not be read; the connection stays.
      await readCollection(retrieval, call.ctx.actor, id).catch((error: unknown) => {
        call.request.raw.resume();
        throw error;
      });
      const { path, name, fields, remove } = await call.upload();
      try {
        const how = { config: trialConfigOf(fields.ingest_config), size: fields.size, from: fields.from };
        return inEnvelope(await previews.preview(call.ctx, id, { kind: 'file', path, name }, how));
      } finally {
        await remove();
      }
    },
  }),
];
