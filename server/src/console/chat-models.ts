import { ChatModelList, type ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import type { TargetState } from '../chat/index.ts';
import { hasReasoningSwitch } from '../conversations/index.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { languageTag, type TemplateKey } from '../models/profile.ts';
import { allowanceOf, type AllowanceDeps } from './allowance.ts';
import { type ConsoleRoute, tenantRoute } from './route.ts';

export interface ChatModelDeps extends AllowanceDeps {
  readonly catalogue: Catalogue;
  /** Whether a call of the model would find an engine now. */
  readonly isReady: (model: CatalogueModel) => boolean;
}

const BUILTIN = 'builtin';

/** A model is ready while one of its engines does not rest after failures. */
export const createReadiness =
  (states: () => readonly TargetState[]): ChatModelDeps['isReady'] =>
  ({ engines }) => {
    const up = new Set(states().flatMap(({ engine, cooling }) => (cooling ? [] : [engine.split('/')[0]])));
    return engines.some(({ engine }) => up.has(engine));
  };

/** A template key as JSON schema, for forms. */
const schemaOf = ({ type, enum: values, format }: TemplateKey) => ({
  type,
  ...(values ? { enum: values } : {}),
  ...(format ? { pattern: languageTag.source } : {}),
});

const optionOf = (model: CatalogueModel, isReady: ChatModelDeps['isReady']): ChatModelOption => ({
  id: model.id,
  description: model.description ?? null,
  context_length: model.context_length,
  reasoning: model.reasoning.default,
  reasoning_switch: hasReasoningSwitch(model),
  images: model.images,
  ready: isReady(model),
  builtin: model.engines.every(({ engine }) => engine === BUILTIN),
  template_keys: Object.fromEntries(Object.entries(model.template_keys).map(([name, key]) => [name, schemaOf(key)])),
});

/** The models that chat and playground offer. */
export function chatModelRoutes(deps: ChatModelDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/chat-models',
      access: 'chat',
      reply: ChatModelList,
      async handle({ ctx }) {
        const { models, defaultModel } = await allowanceOf(deps, ctx.tenantId);
        const offered = deps.catalogue
          .list()
          .filter(({ id, kind }) => kind === 'chat' && (models === null || models.has(id)));
        const standard = [defaultModel, deps.catalogue.defaultModel].find((id) => offered.some((one) => one.id === id));
        return {
          items: offered.map((model) => optionOf(model, deps.isReady)),
          default_model: standard ?? offered[0]?.id ?? deps.catalogue.defaultModel,
        };
      },
    }),
  ];
}
