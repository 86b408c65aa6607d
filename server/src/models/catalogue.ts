import { DEFAULT_MODEL, LEXICAL_EMBEDDER, defaultEmbedders, defaultModels } from './defaults.ts';
import { ModelProfile, type ModelProfileInput } from './profile.ts';

export interface CatalogueModel extends ModelProfile {
  readonly id: string;
}

/** The models that this installation knows, in the order of their listing. */
export interface Catalogue {
  readonly defaultModel: string;
  readonly defaultEmbedder: string;
  get(id: string): CatalogueModel | undefined;
  list(): readonly CatalogueModel[];
}

export interface CatalogueOptions {
  /** Entries of the configuration: a known id changes single fields of its default, a new id adds a model, null removes one. */
  readonly models: Readonly<Record<string, Partial<ModelProfileInput> | null>>;
  readonly defaultModel?: string | undefined;
  readonly defaultEmbedder?: string | undefined;
}

/** Merges the configuration into the default models. Throws ZodError for an entry that is not a profile. */
export function createCatalogue({ models, defaultModel, defaultEmbedder }: CatalogueOptions): Catalogue {
  const defaults: Record<string, ModelProfileInput> = { ...defaultModels, ...defaultEmbedders };
  const entries = new Map<string, CatalogueModel>();
  for (const id of new Set([...Object.keys(defaults), ...Object.keys(models)])) {
    const own = models[id];
    if (own === null) continue;
    const base = defaults[id];
    const merged = {
      ...base,
      ...own,
      ...(own?.reasoning && base?.reasoning ? { reasoning: { ...base.reasoning, ...own.reasoning } } : {}),
    };
    entries.set(id, { id, ...ModelProfile.parse(merged) });
  }
  return {
    defaultModel: defaultModel ?? DEFAULT_MODEL,
    defaultEmbedder: defaultEmbedder ?? LEXICAL_EMBEDDER,
    get: (id) => entries.get(id),
    list: () => [...entries.values()],
  };
}
