import { Batch, BatchList, BatchRequest } from '@ai-studio/contract/batches.ts';
import { BatchesQuery } from '@ai-studio/contract/files.ts';
import { keyAuditActor, type KeyRecord, originOf, writeAudit } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Bus } from '../ports/bus.ts';
import { publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import {
  CANCEL_CHANNEL,
  cancelBatch,
  createBatch,
  listBatches,
  type NewBatchDeps,
  readBatch,
  scopeOf,
  WAKE_CHANNEL,
} from './index.ts';

export interface BatchRouteDeps extends NewBatchDeps {
  readonly bus: Pick<Bus, 'publish'>;
}

/** Throws StudioError `forbidden`. */
function requireScope({ scopes }: KeyRecord, scope: 'chat' | 'embeddings'): void {
  if (!scopes.has(scope)) throw new StudioError('forbidden', `The API key has no permission for ${scope}`);
}

/** Throws StudioError `forbidden`. */
function requireModels(key: KeyRecord): void {
  if (!key.scopes.has('embeddings')) requireScope(key, 'chat');
}

const common = { access: 'any_key', tag: 'Batches' } as const;
const params = { batch_id: 'Id of a batch' };

/** POST and GET /batches, and single batches. Source: decisions section 3. */
export function batchRoutes(deps: BatchRouteDeps): readonly PublicRoute[] {
  // What waits is found by the next poll, too.
  const tell = (channel: string, id: string | null) => deps.bus.publish(channel, id).catch(() => undefined);
  return [
    publicRoute({
      ...common,
      method: 'POST',
      path: '/batches',
      summary: 'Start a batch',
      description:
        'Answers the requests of a file in the background, behind what people and programs wait for: each line once, by the rules and within the limits of the key, whatever happens to the service meanwhile. The whole file is looked at first; what is wrong with a line is told in `errors` with its number. The answers are the lines of `output_file_id`, the failures those of `error_file_id`. Lines of `/v1/responses` are stored only where they ask for it.',
      body: { BatchRequest },
      reply: { Batch },
      example: { input_file_id: `file-${'0'.repeat(32)}`, endpoint: '/v1/chat/completions', completion_window: '24h' },
      errors: ['not_found'],
      async handle({ key, body }) {
        requireScope(key, scopeOf(body.endpoint));
        const { id: keyId, tenantId, holderId: userId } = key;
        const batch = await createBatch(deps, { tenantId, keyId, userId }, body);
        await tell(WAKE_CHANNEL, null);
        return batch;
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: '/batches',
      summary: 'Batches',
      description: 'The batches of the tenant, the newest first, page by page.',
      query: { BatchesQuery },
      reply: { BatchList },
      async handle({ key, query }) {
        requireModels(key);
        const { items, hasMore } = await listBatches(deps, key.tenantId, query);
        return {
          object: 'list' as const,
          data: [...items],
          first_id: items[0]?.id ?? null,
          last_id: items.at(-1)?.id ?? null,
          has_more: hasMore,
        };
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: '/batches/:batch_id',
      params,
      summary: 'One batch',
      description: 'How it stands, how many of its lines were answered and failed, and the files with its results.',
      reply: { Batch },
      async handle({ key, params: { batch_id: id } }) {
        requireModels(key);
        return readBatch(deps, key.tenantId, id);
      },
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: '/batches/:batch_id/cancel',
      params,
      summary: 'Cancel a batch',
      description:
        'No further line begins; those under way end, and what was answered is written to the output file. Its status is `cancelling` until then.',
      reply: { Batch },
      errors: ['conflict'],
      async handle({ key, params: { batch_id: id }, request }) {
        requireModels(key);
        const batch = await cancelBatch(deps, key.tenantId, id, (tx) =>
          writeAudit(tx, keyAuditActor(key, originOf(request)), {
            action: 'batch_cancelled',
            target: { kind: 'batch', id, name: id },
            detail: { key_id: key.id },
          }),
        );
        await tell(CANCEL_CHANNEL, id);
        return batch;
      },
    }),
  ];
}
