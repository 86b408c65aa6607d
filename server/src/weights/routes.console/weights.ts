import {
  type Weights,
  WeightsFound,
  WeightsList,
  WeightsPin,
  WeightsPull,
  WeightsSearch,
} from '@ai-studio/contract/console/models.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { type ErrorCode, StudioError, quoteId } from '../../kernel/errors.ts';
import type { WeightsEntry } from '../index.ts';
import { type AnyCall, type ConsoleRoute, partOf, tenantRoute } from '../../console-kit/route.ts';
import type { WeightsRouteDeps } from './deps.ts';

/** An entry in the form of the console. */
function toWeights(entry: WeightsEntry): Weights {
  const { about, facts, download, running, localId } = entry;
  const coming = download?.status === 'running' ? download : null;
  return {
    id: entry.id,
    local_id: localId,
    name: about?.title ?? localId ?? download?.name ?? entry.id,
    kind: facts?.model.kind ?? about?.kind ?? null,
    state: entry.state,
    reason: entry.reason,
    reason_code: entry.cause?.code ?? null,
    reason_values: entry.cause?.values ?? {},
    progress: entry.progress,
    bytes_per_second: coming?.bytesPerSecond ?? null,
    seconds_left: coming?.secondsLeft ?? null,
    size_bytes: (coming?.parts === 1 ? coming.total : null) ?? entry.bytes ?? about?.bytes ?? null,
    memory_bytes: running?.memoryBytes ?? facts?.needsBytes ?? about?.memoryBytes ?? null,
    license: about?.licence ?? null,
    license_note: about?.licenceNote ?? null,
    description: about?.about ?? null,
    resume: download === null || coming ? null : download.what,
    family: facts?.model.family ?? about?.family ?? null,
    verified: localId === null || entry.origin === null ? null : entry.origin.check !== 'none',
    pinned: entry.pinned,
    bound_to: entry.boundTo.map(({ catalogueId }) => catalogueId),
  };
}

/** All models that are here or can be had. */
export async function listWeights({
  store,
  folder,
  memoryBudgetBytes,
}: WeightsRouteDeps): Promise<z.input<typeof WeightsList>> {
  const entries = await store.list();
  const used = entries.reduce(
    (sum, { running }) => sum + (running && running.phase !== 'failed' ? running.memoryBytes : 0),
    0,
  );
  return {
    items: entries.map(toWeights),
    folder,
    memory_budget_bytes: memoryBudgetBytes,
    memory_used_bytes: used,
  };
}

/** Gives a failure the reason that the console has words for. */
export async function withReason<T>(work: Promise<T>, reasons: Partial<Record<ErrorCode, string>>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof StudioError && error.reason === null ? reasons[error.code] : undefined;
    if (!(error instanceof StudioError) || reason === undefined) throw error;
    throw new StudioError(error.code, error.message, { reason, param: error.param, cause: error });
  }
}

/** Work that takes long is answered when it is under way; what is wrong at once is told. */
const AT_ONCE_MS = 400;

/** Resolves when the work is done, or under way for a moment. Rejects with what is wrong with it by then. */
async function begun(work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  // What goes wrong later is told by the list.
  work.catch(() => undefined);
  try {
    await Promise.race([work, sleep(AT_ONCE_MS, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  } finally {
    waiting.abort();
  }
}

/** The model files of this machine. */
export function fileRoutes(deps: WeightsRouteDeps): ConsoleRoute[] {
  const { store, closing } = deps;
  const find = async (call: AnyCall): Promise<WeightsEntry> => {
    const id = partOf(call, 'id');
    const entry = (await store.list()).find((one) => one.id === id || one.localId === id);
    if (!entry) throw new StudioError('not_found', `There is no model ${quoteId(id)}`);
    return entry;
  };
  const here = async (call: AnyCall): Promise<WeightsEntry & { readonly localId: string }> => {
    const entry = await find(call);
    const { localId } = entry;
    if (localId === null) throw new StudioError('not_found', `${entry.id} is not on this machine; download it first`);
    return { ...entry, localId };
  };
  const targetOf = ({ id, localId, about }: WeightsEntry) => ({
    kind: 'weights',
    id: localId ?? id,
    name: about?.title ?? localId ?? id,
  });
  const access = 'models.manage';
  return [
    tenantRoute({
      method: 'GET',
      path: '/weights',
      access: 'models.view',
      reply: WeightsList,
      handle: () => listWeights(deps),
    }),
    tenantRoute({
      method: 'GET',
      path: '/weights/search',
      access: 'models.view',
      query: WeightsSearch,
      reply: WeightsFound,
      async handle({ query }) {
        const found = new Set(store.search(query.text).map(({ id }) => id));
        return {
          items: (await store.list()).filter(({ id, about }) => about !== null && found.has(id)).map(toWeights),
        };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/pull',
      access,
      body: WeightsPull,
      async handle({ body: { what }, audit, reply }) {
        await begun(withReason(store.pull(what), { conflict: 'download_running' }));
        // What stands behind a question mark may be for one person only.
        const name = what.replace(/[?#].*$/, '');
        await audit({ action: 'model_download', target: { kind: 'weights', id: null, name } });
        void reply.status(202);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/cancel',
      access,
      async handle(call) {
        const entry = await find(call);
        const { id, download } = entry;
        if (!(await store.cancel(download?.name ?? id)))
          throw new StudioError('not_found', `${id} is not being downloaded now`);
        await call.audit({ action: 'model_download_canceled', target: targetOf(entry) });
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/weights/:id',
      access,
      async handle(call) {
        const entry = await find(call);
        const { id, localId, boundTo, running, download } = entry;
        const refuse = (reason: string, message: string, values: Record<string, string | number> = {}) => {
          throw new StudioError('conflict', message, { reason, values });
        };
        if (download?.status === 'running') refuse('download_running', `${id} is being downloaded; end that first`);
        const ids = boundTo.map(({ catalogueId }) => catalogueId).join(', ');
        if (ids !== '') refuse('model_in_use', `${id} serves ${ids}; give that back first`, { models: ids });
        if ((running?.requests ?? 0) > 0) refuse('model_busy', `${id} answers requests at the moment`);
        await withReason(store.remove(localId ?? download?.name ?? id), { conflict: 'model_busy' });
        await call.audit({ action: 'model_removed', target: targetOf(entry) });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/load',
      access,
      async handle(call) {
        const entry = await here(call);
        await begun(store.load(entry.localId, closing));
        await call.audit({ action: 'model_loaded', target: targetOf(entry) });
        void call.reply.status(202);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/unload',
      access,
      async handle(call) {
        const entry = await here(call);
        await withReason(store.unload(entry.localId), { conflict: 'model_busy' });
        await call.audit({ action: 'model_unloaded', target: targetOf(entry) });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/pin',
      access,
      body: WeightsPin,
      async handle(call) {
        const { pinned } = call.body;
        const entry = await here(call);
        await store.pin(entry.localId, pinned);
        if (entry.pinned !== pinned)
          await call.audit({ action: pinned ? 'model_pinned' : 'model_unpinned', target: targetOf(entry) });
      },
    }),
  ];
}
