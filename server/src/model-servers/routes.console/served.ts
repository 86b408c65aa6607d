import {
  ModelBinding,
  ServedModel,
  type ServedModel as ServedModelOut,
  ServedModelList,
} from '@ai-studio/contract/console/models.ts';
import { StudioError, quoteId } from '../../kernel/errors.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { prefixesOf, shownLength } from '../../models/embedders.ts';
import { BUILTIN_ENGINE, isBuiltinOnly } from '../../models/first-choice.ts';
import { LOCAL_ENGINE, SPEECH_ENGINE } from '../../models/local.ts';
import type { EngineBinding } from '../../models/profile.ts';
import type { EngineState } from '../index.ts';
import { type WeightsEntry, causedBy } from '../../weights/index.ts';
import { waitForCatalogue } from '../../console-kit/wait-for-catalogue.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { ModelServerRouteDeps } from './deps.ts';

/** Of a name that a local model is given. */
const MAX_ID_LENGTH = 200;

/** The state of a local model, in the form of an engine's state. */
function stateOfFile(entry: WeightsEntry | undefined): EngineState {
  const inFlight = entry?.running?.requests ?? 0;
  if (!entry) return { state: 'unhealthy', reason: 'Its file is not here', trouble: null, inFlight };
  if (entry.state === 'failed') return { state: 'unhealthy', reason: entry.reason, trouble: null, inFlight };
  const isHealthy = entry.state === 'ready' || entry.state === 'loaded' || entry.state === 'loading';
  return { state: isHealthy ? 'healthy' : 'unknown', reason: entry.reason, trouble: null, inFlight };
}

/** What is known of an embedding model: of one at a server what it did when it was asked, of one of this machine what its file says. */
export function describeEmbedder(
  { embedders }: Pick<ModelServerRouteDeps, 'embedders'>,
  model: CatalogueModel,
  files: ReadonlyMap<string | null, WeightsEntry> = new Map(),
): ServedModelOut['embedding'] {
  if (model.kind !== 'embedding') return null;
  const remote = model.engines.find(({ engine }) => !ownEngines.has(engine));
  const { probe, problem } = remote
    ? embedders.of(remote.engine, remote.model ?? model.id, model)
    : triedOf(files.get(localOf(model)));
  const { query, passage } = prefixesOf(model);
  const maxTokens = shownLength(model) ?? probe?.maxTokens ?? null;
  return {
    max_tokens: maxTokens,
    server_tokens: probe?.maxTokens ?? null,
    dimension: probe?.dimension ?? model.dimensions ?? null,
    declared_dimension: model.dimensions ?? null,
    norm: probe?.norm ?? null,
    shortens: probe && 'shortens' in probe ? probe.shortens : null,
    cuts_silently: probe && 'cutsSilently' in probe ? probe.cutsSilently : null,
    prefix_sensitive: probe?.prefixSensitive ?? null,
    query_prefix: query,
    passage_prefix: passage,
    problem,
  };
}

/** The model of this machine that serves an entry; null where none does. */
const localOf = ({ id, engines }: CatalogueModel): string | null => {
  const local = engines.find(({ engine }) => engine === LOCAL_ENGINE);
  return local ? (local.model ?? id) : null;
};

/** What came of a model of this machine when somebody had it tried. */
const triedOf = (entry: WeightsEntry | undefined) => ({
  probe: entry?.embedder?.tried?.trial ?? null,
  problem: entry?.embedder?.tried?.problem ?? null,
});

/** Engines that are no servers: there is no address to ask, and a question would load a model. */
const ownEngines: ReadonlySet<string> = new Set([BUILTIN_ENGINE, LOCAL_ENGINE, SPEECH_ENGINE]);

/** Lists every id of the catalogue with the engines that serve it. */
export async function listServedModels(deps: ModelServerRouteDeps): Promise<readonly ServedModelOut[]> {
  const { store, catalogue, configured, servers, health } = deps;
  const [entries, bindings] = await Promise.all([store.list(), store.bindings()]);
  const connected = new Set(servers.list().flatMap(({ models }) => models.map(({ id }) => id)));
  const files = new Map(entries.map((entry) => [entry.localId, entry]));
  const models = catalogue.list();
  const names = [...new Set(models.flatMap(({ engines }) => engines.map(({ engine }) => engine)))];
  const states = new Map(
    await Promise.all(
      names
        .filter((name) => name !== LOCAL_ENGINE)
        .map(async (name) => [name, ownEngines.has(name) ? HEALTHY : await health.of(name)] as const),
    ),
  );
  const originOf = ({ id }: CatalogueModel) =>
    configured.get(id) ? 'catalogue' : connected.has(id) ? 'server' : 'local';
  return models.map((model) => {
    const { id, kind, engines, reasoning } = model;
    const embedding = describeEmbedder(deps, model, files);
    return {
      id,
      kind,
      origin: originOf(model),
      context_length: embedding === null ? shownLength(model) : embedding.max_tokens,
      embedding,
      reasoning: reasoning.default,
      images: model.images,
      engines: engines.map(({ engine, model: name = id }) => {
        const entry = engine === LOCAL_ENGINE ? files.get(name) : undefined;
        const state = (engine === LOCAL_ENGINE ? stateOfFile(entry) : states.get(engine)) ?? UNKNOWN;
        const cause = entry?.cause ?? (engine === LOCAL_ENGINE && !entry ? causedBy('model_absent') : state.trouble);
        return {
          name: engine,
          model: name,
          state: state.state,
          reason: state.reason,
          reason_code: cause?.code ?? null,
          reason_values: cause?.values ?? {},
          in_flight: state.inFlight,
        };
      }),
      bound_to: bindings.find(({ catalogueId }) => catalogueId === id)?.localId ?? null,
      builtin: isBuiltinOnly(model),
    };
  });
}

const HEALTHY: EngineState = { state: 'healthy', reason: null, trouble: null, inFlight: 0 };
const UNKNOWN: EngineState = { state: 'unknown', reason: null, trouble: null, inFlight: 0 };

/** Routes for the models of the catalogue and their bindings to local models. */
export function servedModelRoutes(deps: ModelServerRouteDeps): ConsoleRoute[] {
  const { store, catalogue } = deps;
  const find = async (id: string) => {
    const found = (await listServedModels(deps)).find((model) => model.id === id);
    if (!found) throw new StudioError('not_found', `There is no model ${quoteId(id)}`);
    return found;
  };
  return [
    tenantRoute({
      method: 'GET',
      path: '/models',
      access: 'models.view',
      reply: ServedModelList,
      handle: async () => ({ items: [...(await listServedModels(deps))] }),
    }),
    tenantRoute({
      method: 'POST',
      path: '/models/:id/binding',
      access: 'models.manage',
      body: ModelBinding,
      reply: ServedModel,
      async handle({ params: { id = '' }, body, audit }) {
        if (id.length > MAX_ID_LENGTH || id !== id.trim())
          throw new StudioError(
            'invalid_request',
            `An id has 1 to ${MAX_ID_LENGTH} characters, without blanks around them`,
          );
        const known = (await listServedModels(deps)).find((model) => model.id === id);
        if (known?.origin === 'local' && known.bound_to === null)
          throw new StudioError(
            'invalid_request',
            `${quoteId(id)} is a model of this machine, and is served by itself`,
          );
        await store.use({ catalogueId: id, localId: body.local_id }, (tx) =>
          audit(
            {
              action: 'model_bound',
              target: { kind: 'model', id, name: id },
              detail: { local_id: body.local_id },
            },
            tx,
          ),
        );
        const boundId = (await store.bindings()).find(({ catalogueId }) => catalogueId === id)?.localId;
        const isServed = ({ engine, model }: EngineBinding) => engine === LOCAL_ENGINE && model === boundId;
        await waitForCatalogue(catalogue, () => catalogue.get(id)?.engines.some(isServed) === true);
        return find(id);
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/models/:id/binding',
      access: 'models.manage',
      async handle({ params: { id = '' }, audit }) {
        const previous = catalogue.get(id);
        const noted = { action: 'model_unbound', target: { kind: 'model', id, name: id } } as const;
        if (!(await store.unuse(id, (tx) => audit(noted, tx))))
          throw new StudioError('not_found', `${quoteId(id)} is bound to no local model here`);
        await waitForCatalogue(catalogue, () => catalogue.get(id) !== previous);
      },
    }),
  ];
}
