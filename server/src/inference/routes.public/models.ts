import { Model, ModelList } from '@ai-studio/contract/models.ts';
import type { KeyRecord } from '../../identity/index.ts';
import { StudioError, quoteId } from '../../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import { shownLength } from '../../models/embedders.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

export interface ModelRouteDeps {
  readonly catalogue: Catalogue;
  readonly startedSeconds: number;
}

function toModel(model: CatalogueModel, created: number): Model {
  const length = shownLength(model);
  return {
    id: model.id,
    object: 'model',
    created,
    owned_by: 'ai-studio',
    ...(length === null ? {} : { context_length: length, max_model_len: length }),
  };
}

const mayUse = ({ allowedModels }: KeyRecord, id: string) => allowedModels === null || allowedModels.has(id);

/** GET /models and /models/{id}: what the key may use. */
export const modelRoutes = ({ catalogue, startedSeconds }: ModelRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    method: 'GET',
    path: '/models',
    access: 'any_key',
    tag: 'Models',
    summary: 'Models',
    description: 'The models that the key may use.',
    reply: { ModelList },
    handle({ key }) {
      const models = catalogue.list().filter(({ id }) => mayUse(key, id));
      return { object: 'list' as const, data: models.map((model) => toModel(model, startedSeconds)) };
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/models/*',
    access: 'any_key',
    tag: 'Models',
    summary: 'One model',
    description: 'Ids may hold slashes, as they are or percent-encoded.',
    params: { id: 'Of a model' },
    reply: { Model },
    handle({ key, params }) {
      const id = params['*'].replace(/\/$/, '');
      const model = catalogue.get(id);
      if (!model || model.unusable === true || !mayUse(key, id))
        throw new StudioError('not_found', `The model ${quoteId(id)} does not exist`, { param: 'model' });
      return toModel(model, startedSeconds);
    },
  }),
];
