import type { Catalogue, CatalogueModel } from './catalogue.ts';
import { completeEmbedder, knownEmbedder } from './embedders.ts';
import { type EmbeddingProfile, type EngineEdit, ModelProfile, type ModelProfileInput } from './profile.ts';

/** Name under which the engine of local models stands beside those of the configuration. */
export const LOCAL_ENGINE = 'llama';
/** And that of speech models of this machine. */
export const SPEECH_ENGINE = 'speech';

/** A model file of this machine as far as the catalogue needs to know it. */
export interface LocalModel {
  readonly id: string;
  readonly kind: ModelProfile['kind'];
  readonly description: string;
  /** Tokens of prompt and reply together that it is loaded with. */
  readonly contextLength: number;
  /** Whether its chat template has a place for tools. */
  readonly tools: boolean;
  /** `optional`: the template can turn thinking off. */
  readonly thinking: 'none' | 'optional' | 'always';
  /** Family of its chat template; null where it is not known. */
  readonly family: string | null;
  /** Embedding models: length of a vector. */
  readonly dimensions: number | null;
  /** It takes images; without when left out. */
  readonly images?: boolean;
  /** How it is read as an embedding model, where somebody said so. */
  readonly embedding?: EmbeddingProfile;
  /** Its file is no model, or a damaged one: what else stands here is a guess. */
  readonly unusable?: boolean;
}

/** How an embedding model of this machine is read, as people said by command or in the console. */
export interface LocalEmbedder {
  readonly localId: string;
  readonly settings: EmbeddingProfile;
}

/** The models with what was said of those that embed. */
export function withEmbedders(
  models: readonly LocalModel[],
  embedders: readonly LocalEmbedder[],
): readonly LocalModel[] {
  const byId = new Map(embedders.map(({ localId, settings }) => [localId, settings]));
  return models.map((model) => {
    const embedding = model.kind === 'embedding' ? byId.get(model.id) : undefined;
    return embedding === undefined ? model : { ...model, embedding };
  });
}

/** A catalogue id that is served by a local model, keeping its own profile. */
export interface LocalBinding {
  readonly catalogueId: string;
  readonly localId: string;
  /** Since when, ISO 8601, where that is known. */
  readonly boundAt?: string;
}

/** How an embedding model of this machine is read, as its entries say, or as its name tells where its file says nothing. */
export function localEmbedderSettings(
  entries: readonly CatalogueModel[],
  { id, description }: Pick<LocalModel, 'id' | 'description'>,
) {
  const own = entries.filter(
    ({ id: entry, kind, engines }) =>
      kind === 'embedding' && engines.some(({ engine, model = entry }) => engine === LOCAL_ENGINE && model === id),
  );
  return {
    pooling: own.flatMap(({ embedding }) => embedding.pooling ?? [])[0] ?? null,
    // Each entry holds its own texts to less.
    maxTokens: Math.max(0, ...own.flatMap(({ embedding }) => embedding.max_tokens ?? [])) || null,
    assumedPooling: knownEmbedder([id, description]).pooling ?? null,
    normalize: own.flatMap(({ embedding }) => embedding.normalize ?? [])[0] ?? true,
  };
}

const MIN_CONTEXT = 256;

/**
 * Thinking on or off in the words of all families at once; a template reads its own and lets the others go. Sources: the
 * chat templates of Qwen 3 and GLM (enable_thinking), DeepSeek and Granite (thinking), HyperCLOVA X (force_ and skip_reasoning).
 */
const thinkingOn: EngineEdit = {
  body: { chat_template_kwargs: { enable_thinking: true, thinking: true, force_reasoning: true } },
};
const thinkingOff: EngineEdit = {
  body: { chat_template_kwargs: { enable_thinking: false, thinking: false, skip_reasoning: true } },
};
/** Thinking on and off in the words of all families. */
export const thinkingSwitch = { on: thinkingOn, off: thinkingOff };

/** Levels of effort, for models that take them. */
export const effortKey = {
  reasoning_effort: {
    type: 'string',
    enum: ['low', 'medium', 'high'],
    send: { body: { reasoning_effort: '{value}' } },
  },
} as const satisfies ModelProfileInput['template_keys'];

/** The key by which most models are told whether to think. */
export const thinkingKey = {
  enable_thinking: { type: 'boolean', when_true: 'on', when_false: 'off' },
} as const satisfies ModelProfileInput['template_keys'];

/** Families whose templates take a level of effort. Source: the harmony form's published description. */
const effortFamilies: ReadonlySet<string> = new Set(['gpt-oss', 'harmony']);

const bindTo = (model: string): ModelProfileInput['engines'] => [{ engine: LOCAL_ENGINE, model }];

const contextLengthOf = ({ contextLength }: LocalModel) => Math.max(MIN_CONTEXT, contextLength);

/** The catalogue entry of a model file that nobody wrote one for. */
export function localProfile(model: LocalModel): CatalogueModel {
  const { id, kind, description, tools, thinking, family, dimensions } = model;
  const common: ModelProfileInput = { kind, description, engines: bindTo(id), context_length: contextLengthOf(model) };
  if (model.unusable === true) return { id, ...ModelProfile.parse(common), unusable: true };
  if (kind !== 'chat') {
    const embedding = model.embedding ?? {};
    const profile = {
      id,
      ...ModelProfile.parse({ ...common, embedding, ...(dimensions === null ? {} : { dimensions }) }),
    };
    return completeEmbedder(profile, { names: [id, description], engineLength: model.contextLength });
  }
  const keys = family !== null && effortFamilies.has(family) ? effortKey : thinking === 'optional' ? thinkingKey : {};
  const reasoning: ModelProfileInput['reasoning'] =
    thinking === 'none'
      ? {}
      : {
          default: 'on',
          keys: ['reasoning_content'],
          format: 'field',
          ...(keys === thinkingKey ? { switch: thinkingSwitch } : {}),
        };
  const images = model.images === true;
  return { id, ...ModelProfile.parse({ ...common, images, tools, reasoning, template_keys: keys }) };
}

/** How a profile's reasoning is switched where a local model serves it. */
function reasoningOf(profile: CatalogueModel, { thinking }: LocalModel): CatalogueModel['reasoning'] {
  const { reasoning } = profile;
  // Who wrote a switch knows the model's own.
  if (reasoning.switch) return { ...reasoning, format: 'field' };
  if (thinking !== 'optional') return { ...reasoning, format: 'field', switch: {} };
  // A profile that never reasons has no place for thinking: the model is told not to, whatever is asked.
  if (reasoning.default === 'none') {
    return { ...reasoning, default: 'off', format: 'field', switch: { on: thinkingOff, off: thinkingOff } };
  }
  return { ...reasoning, format: 'field', switch: thinkingSwitch };
}

/** A catalogue entry served by a local model: its keys and its form stay; what only the model can say is the model's. */
export function bindProfile(profile: CatalogueModel, local: LocalModel): CatalogueModel {
  const bound = {
    ...profile,
    engines: [{ engine: LOCAL_ENGINE, model: local.id, weight: 1, priority: 0 }],
    context_length: contextLengthOf(local),
    images: local.images === true,
    // Who says it by command or in the console sees what came of it: that counts over what was written before.
    embedding: { ...profile.embedding, ...local.embedding },
    tools: profile.tools && local.tools,
    // A model with levels of effort is told them in its own terms.
    reasoning: 'reasoning_effort' in profile.template_keys ? profile.reasoning : reasoningOf(profile, local),
  };
  return completeEmbedder(bound, { names: [local.id, local.description], engineLength: local.contextLength });
}

/** An entry bound to a missing model: calls fail with an error that says how to get it. */
const bindMissing = (profile: CatalogueModel, localId: string): CatalogueModel => ({
  ...profile,
  engines: [{ engine: LOCAL_ENGINE, model: localId, weight: 1, priority: 0 }],
});

/** The local model that the configuration itself binds an entry to; null where it has other engines too. */
function configuredLocal({ id, engines }: CatalogueModel): string | null {
  const [only] = engines;
  return only && engines.length === 1 && only.engine === LOCAL_ENGINE ? (only.model ?? id) : null;
}

/**
 * The entries of the configuration, rebound where a binding or the configuration itself says so, and those of the model files. A file whose id the
 * configuration has already is reached by a binding only; a binding to a model of another kind counts for nothing.
 */
export function withLocalModels(
  configured: Catalogue,
  models: readonly LocalModel[],
  bindings: readonly LocalBinding[],
): readonly CatalogueModel[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  const bound = new Map(bindings.map(({ catalogueId, localId }) => [catalogueId, localId]));
  const rebind = (profile: CatalogueModel): CatalogueModel => {
    const localId = bound.get(profile.id) ?? configuredLocal(profile);
    if (localId === null) return profile;
    const local = byId.get(localId);
    if (!local || local.unusable === true) return bound.has(profile.id) ? bindMissing(profile, localId) : profile;
    return local.kind === profile.kind ? bindProfile(profile, local) : profile;
  };
  const known = configured.list().map(rebind);
  const added = models.filter(({ id }) => configured.get(id) === undefined).map(localProfile);
  const names = new Set([...known, ...added].map(({ id }) => id));
  // A name that nobody had before is that of the model as it is.
  const named = bindings.flatMap(({ catalogueId, localId }) => {
    const local = byId.get(localId);
    if (names.has(catalogueId) || !local || local.unusable === true) return [];
    return [{ ...localProfile(local), id: catalogueId }];
  });
  return [...known, ...added, ...named];
}
