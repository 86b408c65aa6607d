import {
  EmbedderSettings,
  type Weights,
  Weights as WeightsReply,
  WeightsCollections,
  WeightsFound,
  WeightsList,
  WeightsPin,
  WeightsPull,
  WeightsRemoval,
  WeightsSearch,
} from '@ai-studio/contract/console/models.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { type ErrorCode, StudioError, quoteId } from '../../kernel/errors.ts';
import { toEmbeddingProfile } from '../../models/profile.ts';
import { collectionsEmbeddedBy } from '../../retrieval/index.ts';
import { type ModelMachine, type WeightsEntry, recommend, recommendAll } from '../index.ts';
import { type AnyCall, type ConsoleRoute, paramOf, type TenantCall, tenantRoute } from '../../console-kit/route.ts';
import type { WeightsRouteDeps } from './deps.ts';

function toEmbedding(embedder: WeightsEntry['embedder']): Weights['embedding'] {
  if (embedder === null) return null;
  const { settings, tried } = embedder;
  return {
    pooling: settings.pooling ?? null,
    max_tokens: settings.max_tokens ?? null,
    query_prefix: settings.query_prefix ?? null,
    passage_prefix: settings.passage_prefix ?? null,
    normalize: settings.normalize ?? null,
    trial: tried && {
      dimension: tried.trial?.dimension ?? null,
      norm: tried.trial?.norm ?? null,
      max_tokens: tried.trial?.maxTokens ?? null,
      prefix_sensitive: tried.trial?.prefixSensitive ?? null,
      problem: tried.problem,
    },
  };
}

/** An entry in the form of the console. */
function toWeights(entry: WeightsEntry, machine: ModelMachine): Weights {
  const { about, facts, download, running, localId } = entry;
  const recommendation = about === null ? null : recommend(about, machine);
  const runningDownload = download?.status === 'running' ? download : null;
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
    bytes_per_second: runningDownload?.bytesPerSecond ?? null,
    seconds_left: runningDownload?.secondsLeft ?? null,
    size_bytes: (runningDownload?.parts === 1 ? runningDownload.total : null) ?? entry.bytes ?? about?.bytes ?? null,
    memory_bytes: running?.memoryBytes ?? facts?.needsBytes ?? about?.memoryBytes ?? null,
    fit: recommendation?.fit ?? null,
    fit_reasons: [...(recommendation?.reasons ?? [])],
    unverified: (about?.unverified.length ?? 0) > 0,
    license: about?.licence ?? null,
    license_note: about?.licenceNote ?? null,
    description: about?.about ?? null,
    resume: download === null || runningDownload ? null : download.what,
    family: facts?.model.family ?? about?.family ?? null,
    verified: localId === null || entry.origin === null ? null : entry.origin.check !== 'none',
    pinned: entry.pinned,
    bound_to: entry.boundTo.map(({ catalogueId }) => catalogueId),
    embedding: toEmbedding(entry.embedder),
  };
}

/** Lists all models that are here or can be downloaded. */
export async function listWeights({
  store,
  folder,
  memoryBudgetBytes,
  modelMachine,
}: WeightsRouteDeps): Promise<z.input<typeof WeightsList>> {
  const [entries, machine] = await Promise.all([store.list(), modelMachine()]);
  const usedBytes = entries.reduce(
    (sum, { running }) => sum + (running && running.phase !== 'failed' ? running.memoryBytes : 0),
    0,
  );
  return {
    items: entries.map((entry) => toWeights(entry, machine)),
    folder,
    memory_budget_bytes: memoryBudgetBytes,
    memory_used_bytes: usedBytes,
  };
}

/** Adds a reason of the console to a StudioError without one. */
export async function withReason<T>(work: Promise<T>, reasons: Partial<Record<ErrorCode, string>>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof StudioError && error.reason === null ? reasons[error.code] : undefined;
    if (!(error instanceof StudioError) || reason === undefined) throw error;
    throw new StudioError(error.code, error.message, { reason, param: error.param, cause: error });
  }
}

/** Time for which a request waits for an early failure of long work. */
const START_TIMEOUT_MS = 400;

/** Resolves when the work is done or has run for a moment. Rejects where it fails before. */
async function waitForStart(work: Promise<unknown>): Promise<void> {
  const timeoutController = new AbortController();
  // The list reports later failures.
  work.catch(() => undefined);
  try {
    await Promise.race([
      work,
      sleep(START_TIMEOUT_MS, undefined, { signal: timeoutController.signal }).catch(() => undefined),
    ]);
  } finally {
    timeoutController.abort();
  }
}

/** The settings that somebody gave. */
const auditDetail = (settings: EmbedderSettings) =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** The model files of this machine. */
export function fileRoutes(deps: WeightsRouteDeps): ConsoleRoute[] {
  const { store, closing } = deps;
  const findEntry = async (call: AnyCall): Promise<WeightsEntry> => {
    const id = paramOf(call, 'id');
    const entry = (await store.list()).find((one) => one.id === id || one.localId === id);
    if (!entry) throw new StudioError('not_found', `There is no model ${quoteId(id)}`);
    return entry;
  };
  const requireLocal = async (call: AnyCall): Promise<WeightsEntry & { readonly localId: string }> => {
    const entry = await findEntry(call);
    const { localId } = entry;
    if (localId === null) throw new StudioError('not_found', `${entry.id} is not on this machine; download it first`);
    return { ...entry, localId };
  };
  const targetOf = ({ id, localId, about }: WeightsEntry) => ({
    kind: 'weights',
    id: localId ?? id,
    name: about?.title ?? localId ?? id,
  });
  const neededBy = async (
    { ctx }: TenantCall<unknown, unknown>,
    { localId }: WeightsEntry,
  ): Promise<WeightsCollections> => {
    const all = localId === null ? [] : await collectionsEmbeddedBy(deps.db, localId);
    const own = all.filter(({ tenant_id: tenant }) => tenant === ctx.actor.tenantId);
    return { names: own.map(({ name }) => name), others: all.length - own.length };
  };
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
        const machine = await deps.modelMachine();
        const found = recommendAll(store.search(query.text), machine);
        const entries = new Map((await store.list()).map((entry) => [entry.id, entry]));
        return {
          items: found.flatMap(({ model }) => {
            const entry = entries.get(model.id);
            return entry ? [toWeights(entry, machine)] : [];
          }),
        };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/pull',
      access,
      body: WeightsPull,
      async handle({ body: { what, unverified }, audit, reply }) {
        await waitForStart(withReason(store.pull(what, { unverified }), { conflict: 'download_running' }));
        // The query may hold personal tokens.
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
        const entry = await findEntry(call);
        const { id, download } = entry;
        if (!(await store.cancel(download?.name ?? id)))
          throw new StudioError('not_found', `${id} is not being downloaded now`);
        await call.audit({ action: 'model_download_canceled', target: targetOf(entry) });
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/weights/:id/collections',
      access,
      reply: WeightsCollections,
      handle: async (call) => neededBy(call, await findEntry(call)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/weights/:id',
      access,
      query: WeightsRemoval,
      async handle(call) {
        const entry = await findEntry(call);
        const { id, localId, boundTo, running, download } = entry;
        const refuse = (reason: string, message: string, values: Record<string, string | number> = {}) => {
          throw new StudioError('conflict', message, { reason, values });
        };
        if (download?.status === 'running') refuse('download_running', `${id} is being downloaded; end that first`);
        const ids = boundTo.map(({ catalogueId }) => catalogueId).join(', ');
        if (ids !== '') refuse('model_in_use', `${id} serves ${ids}; give that back first`, { models: ids });
        const { names, others } = await neededBy(call, entry);
        if (call.query.used !== 'true' && names.length + others > 0)
          refuse('model_in_use', `${id} makes the vectors of ${names.length + others} collections`);
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
        const entry = await requireLocal(call);
        await waitForStart(store.load(entry.localId, closing));
        await call.audit({ action: 'model_loaded', target: targetOf(entry) });
        void call.reply.status(202);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/unload',
      access,
      async handle(call) {
        const entry = await requireLocal(call);
        await withReason(store.unload(entry.localId), { conflict: 'model_busy' });
        await call.audit({ action: 'model_unloaded', target: targetOf(entry) });
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/weights/:id/embedding',
      access,
      body: EmbedderSettings,
      reply: WeightsReply,
      async handle(call) {
        const entry = await requireLocal(call);
        await store.configure(entry.localId, toEmbeddingProfile(call.body), (tx) =>
          call.audit({ action: 'embedder_configured', target: targetOf(entry), detail: auditDetail(call.body) }, tx),
        );
        await store.tryEmbedder(entry.localId);
        return toWeights(await findEntry(call), await deps.modelMachine());
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/weights/:id/pin',
      access,
      body: WeightsPin,
      async handle(call) {
        const { pinned } = call.body;
        const entry = await requireLocal(call);
        await store.pin(entry.localId, pinned);
        if (entry.pinned !== pinned)
          await call.audit({ action: pinned ? 'model_pinned' : 'model_unpinned', target: targetOf(entry) });
      },
    }),
  ];
}
