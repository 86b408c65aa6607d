import type { Model } from '@ai-studio/contract/models.ts';
import type { FastifyInstance } from 'fastify';
import { StudioError, quoteId } from '../../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import type { Guard } from '../guard.ts';

const toModel = (model: CatalogueModel, created: number): Model => ({
  id: model.id,
  object: 'model',
  created,
  owned_by: 'ai-studio',
  context_length: model.context_length,
  max_model_len: model.context_length,
});

/** GET /models and /models/{id}: what the key may use. Ids may hold slashes. */
export function modelRoutes(
  app: FastifyInstance,
  deps: { guard: Guard; catalogue: Catalogue; startedSeconds: number },
): void {
  const { guard, catalogue, startedSeconds } = deps;
  app.get('/models', async (request, reply) => {
    const key = await guard.key(request, reply, null);
    await guard.reserve(key, reply, 0);
    const models = catalogue.list().filter(({ id }) => key.allowedModels === null || key.allowedModels.has(id));
    return { object: 'list', data: models.map((model) => toModel(model, startedSeconds)) };
  });
  app.get<{ Params: { '*': string } }>('/models/*', async (request, reply) => {
    const key = await guard.key(request, reply, null);
    await guard.reserve(key, reply, 0);
    const id = request.params['*'].replace(/\/$/, '');
    const model = catalogue.get(id);
    if (!model || model.unusable === true || (key.allowedModels !== null && !key.allowedModels.has(id))) {
      throw new StudioError('not_found', `The model ${quoteId(id)} does not exist`, { param: 'model' });
    }
    return toModel(model, startedSeconds);
  });
}
