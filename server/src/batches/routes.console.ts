import { ConsoleBatchesQuery, ConsoleBatchList } from '@ai-studio/contract/console/batches.ts';
import { type SignedIn, writeAudit } from '../identity/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../console-kit/route.ts';
import { CANCEL_CHANNEL, cancelOwnBatch, listOwnBatches } from './index.ts';

export interface BatchPageDeps {
  readonly db: Database;
  readonly bus: Pick<Bus, 'publish'>;
}

/** Administrators see the batches of the tenant, others those of their own keys. */
const batchesOf = (person: SignedIn) => (person.actions.has('keys.all') ? null : person.userId);

/** Routes of the page of batches. */
export const batchRoutes = (deps: BatchPageDeps): ConsoleRoute[] => [
  tenantRoute({
    method: 'GET',
    path: '/batches',
    access: 'keys.own',
    query: ConsoleBatchesQuery,
    reply: ConsoleBatchList,
    handle: async ({ ctx, person, query }) => ({
      items: await listOwnBatches(deps, ctx.actor.tenantId, batchesOf(person), query.size),
    }),
  }),
  tenantRoute({
    method: 'POST',
    path: '/batches/:id/cancel',
    access: 'keys.own',
    async handle(call) {
      const { ctx, person, reply } = call;
      const id = paramOf(call, 'id');
      const target = { kind: 'batch', id, name: id };
      await cancelOwnBatch(deps, ctx.actor.tenantId, batchesOf(person), id, (tx) =>
        writeAudit(tx, ctx.auditActor, { action: 'batch_cancelled', target }),
      );
      await deps.bus.publish(CANCEL_CHANNEL, id).catch(() => undefined);
      void reply.status(204);
    },
  }),
];
