import { ChatModelList, type ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import type { TargetState } from '../../inference/index.ts';
import { hasReasoningSwitch } from '../../models/reasoning-switch.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import { firstChoice, isBuiltinOnly, realFirst } from '../../models/first-choice.ts';
import { LOCAL_ENGINE } from '../../models/local.ts';
import { languageTag, type TemplateKey } from '../../models/profile.ts';
import type { ModelStore, WeightsEntry } from '../../weights/index.ts';
import { allowanceOf, type AllowanceDeps } from '../../identity/index.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';

/** What the list of models for chat and playground is made of. */
interface ChatModelRouteDeps extends AllowanceDeps {
  readonly catalogue: Catalogue;
  /** The engines as they are now. */
  readonly states: () => readonly TargetState[];
  /** The model files of this machine. */
  readonly store: Pick<ModelStore, 'list'>;
}

type IsReady = (model: CatalogueModel) => boolean;

/** States of a file that a call can be answered with. */
const usable: ReadonlySet<WeightsEntry['state']> = new Set(['ready', 'loading', 'loaded']);

/** A model is ready while one of its engines does not rest after failures; on this machine, while its file is here. */
async function readiness({ states, store, catalogue }: ChatModelRouteDeps): Promise<IsReady> {
  const up = new Set(states().flatMap(({ engine, cooling }) => (cooling ? [] : [engine.split('/')[0]])));
  const anyLocal = catalogue.list().some(({ engines }) => engines.some(({ engine }) => engine === LOCAL_ENGINE));
  const files = anyLocal ? await store.list() : [];
  const here = new Set(files.flatMap(({ state, localId }) => (usable.has(state) ? [localId] : [])));
  return ({ id, engines }) =>
    engines.some(({ engine, model = id }) => (engine === LOCAL_ENGINE ? here.has(model) : up.has(engine)));
}

/** A template key as JSON schema, for forms. */
const schemaOf = ({ type, enum: values, format }: TemplateKey) => ({
  type,
  ...(values ? { enum: values } : {}),
  ...(format ? { pattern: languageTag.source } : {}),
});

const optionOf = (model: CatalogueModel, isReady: IsReady): ChatModelOption => ({
  id: model.id,
  description: model.description ?? null,
  context_length: model.context_length,
  reasoning: model.reasoning.default,
  reasoning_switch: hasReasoningSwitch(model),
  images: model.images,
  ready: isReady(model),
  builtin: isBuiltinOnly(model),
  template_keys: Object.fromEntries(Object.entries(model.template_keys).map(([name, key]) => [name, schemaOf(key)])),
});

/** The models that chat and playground offer. */
export function chatModelRoutes(deps: ChatModelRouteDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/chat-models',
      access: 'chat',
      reply: ChatModelList,
      async handle({ ctx }) {
        const [{ models, defaultModel }, isReady] = await Promise.all([
          allowanceOf(deps, ctx.actor.tenantId),
          readiness(deps),
        ]);
        const offered = deps.catalogue
          .list()
          .filter(({ id, kind }) => kind === 'chat' && (models === null || models.has(id)));
        const chosen = offered.find(({ id }) => id === defaultModel);
        return {
          items: realFirst(offered).map((model) => optionOf(model, isReady)),
          default_model:
            (chosen ?? firstChoice(offered, deps.catalogue.defaultModel))?.id ?? deps.catalogue.defaultModel,
        };
      },
    }),
  ];
}
