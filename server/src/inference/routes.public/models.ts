import { Model, ModelList } from '@ai-studio/contract/models.ts';
import type { AgentChats } from '../../agents/index.ts';
import { agentsAreModels, type KeyRecord } from '../../identity/index.ts';
import { StudioError, quoteId } from '../../kernel/errors.ts';
import { listAliases, modelNamed } from '../../models/aliases.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import { shownLength } from '../../models/embedders.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

export interface ModelRouteDeps {
  readonly catalogue: Catalogue;
  /** Agents that are models to keys that want so. */
  readonly agents: Pick<AgentChats, 'list' | 'find'>;
  readonly startedSeconds: number;
}

function capabilitiesOf({ kind, tools, images, reasoning }: CatalogueModel): Model['capabilities'] {
  if (kind !== 'chat') return [kind === 'embedding' ? 'embeddings' : kind];
  return [
    'chat',
    ...(tools ? (['tools'] as const) : []),
    ...(images ? (['vision'] as const) : []),
    ...(reasoning.default === 'none' ? [] : (['reasoning'] as const)),
  ];
}

/** The entry of a model under one of its names. */
function toModel(name: string, model: CatalogueModel, created: number): Model {
  const length = shownLength(model);
  return {
    id: name,
    name,
    object: 'model',
    created,
    owned_by: 'ai-studio',
    root: model.id,
    type: model.kind,
    capabilities: capabilitiesOf(model),
    ...(length === null ? {} : { context_length: length, max_model_len: length }),
  };
}

/** The entry of an agent: it is asked as chat models are. */
const agentEntry = ({ id, name, updatedAt }: AgentModel): Model => ({
  id,
  name,
  object: 'model',
  created: Math.floor(updatedAt.getTime() / 1000),
  owned_by: 'ai-studio',
  root: id,
  type: 'chat',
  capabilities: ['chat'],
});
type AgentModel = Awaited<ReturnType<AgentChats['list']>>[number];

const mayUse = ({ allowedModels }: KeyRecord, id: string) => allowedModels === null || allowedModels.has(id);

/** GET /models and /models/{id}: what the key may use. */
export const modelRoutes = ({ catalogue, agents, startedSeconds }: ModelRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    method: 'GET',
    path: '/models',
    access: 'any_key',
    tag: 'Models',
    summary: 'Models',
    description:
      'The models that the key may use, then the aliases that stand for one of them: `root` is the id of the model itself. To a key that wants agents as models, the deployed agents of its tenant come last, as `agent/SLUG`: `POST /v1/chat/completions`, `/v1/responses` and `/v1/messages` ask them.',
    reply: { ModelList },
    async handle({ key }) {
      const models = catalogue.list().filter(({ id }) => mayUse(key, id));
      const aliases = listAliases(catalogue).filter(({ model }) => mayUse(key, model.id));
      const data = [
        ...models.map((model) => toModel(model.id, model, startedSeconds)),
        ...aliases.map(({ alias, model }) => toModel(alias, model, startedSeconds)),
        ...(agentsAreModels(key) ? await agents.list(key.tenantId) : []).map(agentEntry),
      ];
      return { object: 'list' as const, data };
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/models/*',
    access: 'any_key',
    tag: 'Models',
    summary: 'One model',
    description: 'By its id or an alias. Ids may hold slashes, as they are or percent-encoded.',
    params: { id: 'Of a model' },
    reply: { Model },
    async handle({ key, params }) {
      const id = params['*'].replace(/\/$/, '');
      const agent = agentsAreModels(key) ? await agents.find(key.tenantId, id) : null;
      if (agent) return agentEntry(agent);
      const model = modelNamed(catalogue, id);
      if (!model || model.unusable === true || !mayUse(key, model.id))
        throw new StudioError('not_found', `The model ${quoteId(id)} does not exist`, { param: 'model' });
      return toModel(id, model, startedSeconds);
    },
  }),
];
