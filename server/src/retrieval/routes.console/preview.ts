import { ConsolePreviewUpload } from '@ai-studio/contract/console/retrieval.ts';
import { ChunkPreview, ChunkPreviewRequest } from '@ai-studio/contract/retrieval/preview.ts';
import { admitPerson, contextOf } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { receiveUpload } from '../../console-kit/upload.ts';
import { previewSourceOf, readCollection, trialConfigOf } from '../index.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

const PATH = '/collections/:id/preview';
const access = 'collections.manage';

/** Chunks as settings would make them. */
export function previewRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval, previews } = deps.collections;
  return [
    tenantRoute({
      method: 'POST',
      path: PATH,
      access,
      body: ChunkPreviewRequest,
      reply: ChunkPreview,
      async handle(call) {
        await admitPerson(deps, call);
        const { ingest_config: config, size, from } = call.body;
        const ctx = await contextOf(deps, call);
        const source = previewSourceOf(call.body);
        return withReasons(previews.preview(ctx, paramOf(call, 'id'), source, { config, size, from }));
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${PATH}/file`,
      access,
      takesFile: true,
      query: ConsolePreviewUpload,
      reply: ChunkPreview,
      async handle(call) {
        const ctx = await contextOf(deps, call);
        const id = paramOf(call, 'id');
        const { name, ingest_config: given, from } = call.query;
        const { path, remove } = await receiveUpload(call, deps.collections, async () => {
          await readCollection(retrieval, ctx.actor, id);
          await admitPerson(deps, call);
        });
        try {
          const how = { config: trialConfigOf(given), size: call.query.count, from };
          return await withReasons(previews.preview(ctx, id, { kind: 'file', path, name }, how));
        } finally {
          await remove();
        }
      },
    }),
  ];
}
