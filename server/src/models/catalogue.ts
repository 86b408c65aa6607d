import { DEFAULT_MODEL, LEXICAL_EMBEDDER, defaultEmbedders, defaultModels } from './defaults.ts';
import { completeEmbedder } from './embedders.ts';
import { ModelProfile, type ModelProfileInput } from './profile.ts';

export interface CatalogueModel extends ModelProfile {
  readonly id: string;
  /** Calls are refused with the reason; it is not listed. */
  readonly unusable?: boolean;
  /** Nobody wrote the entry: what its messages may hold is guessed by its name, until its servers say it. */
  readonly guessed?: boolean;
}

/** Names that a site gives to models by configuration; null takes away a name of the defaults. */
export type Aliases = Readonly<Record<string, string | null>>;

/** The models that this installation knows, in the order of their listing. */
export interface Catalogue {
  readonly defaultModel: string;
  readonly defaultEmbedder: string;
  /** Names that the configuration gives to models; `modelNamed` of `aliases.ts` finds models by them. */
  readonly aliases: Aliases;
  get(id: string): CatalogueModel | undefined;
  /** Those that can be used. */
  list(): readonly CatalogueModel[];
}

export interface CatalogueOptions {
  /** Entries of the configuration: a known id changes single fields of its default, a new id adds a model, null removes one. */
  readonly models: Readonly<Record<string, Partial<ModelProfileInput> | null>>;
  readonly defaultModel?: string | undefined;
  readonly defaultEmbedder?: string | undefined;
  readonly aliases?: Aliases | undefined;
}

/** Merges the configuration into the default models. Throws ZodError for an entry that is not a profile. */
export function createCatalogue({ models, defaultModel, defaultEmbedder, aliases = {} }: CatalogueOptions): Catalogue {
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
    const entry = { id, ...ModelProfile.parse(merged) };
    const names = [...entry.engines.flatMap(({ model }) => model ?? []), id];
    entries.set(id, completeEmbedder(entry, { names, engineLength: merged.context_length ?? null }));
  }
  return {
    defaultModel: defaultModel ?? DEFAULT_MODEL,
    defaultEmbedder: defaultEmbedder ?? LEXICAL_EMBEDDER,
    aliases,
    get: (id) => entries.get(id),
    list: () => [...entries.values()],
  };
}

/** A catalogue whose entries change while the service runs. A look-up costs the same as in a static one. */
export interface LiveCatalogue extends Catalogue {
  /**
   * Puts all entries at once in place of the present ones, in this order. Who looked before goes on with what it found.
   * Entries that are the same objects as before keep what others remember of them.
   */
  replace(entries: Iterable<CatalogueModel>): void;
  /** Those that cannot be used among them. */
  all(): readonly CatalogueModel[];
  /** Subscribes to replacements. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** A catalogue that begins with the entries and defaults of another. */
export function createLiveCatalogue(start: Catalogue): LiveCatalogue {
  const listeners = new Set<() => void>();
  const byId = (list: Iterable<CatalogueModel>) => new Map([...list].map((model) => [model.id, model]));
  let entries = byId(start.list());
  const usable = () => [...entries.values()].filter(({ unusable }) => unusable !== true);
  let list: readonly CatalogueModel[] = usable();
  return {
    defaultModel: start.defaultModel,
    defaultEmbedder: start.defaultEmbedder,
    aliases: start.aliases,
    get: (id) => entries.get(id),
    list: () => list,
    all: () => [...entries.values()],
    replace(models) {
      entries = byId(models);
      list = usable();
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
