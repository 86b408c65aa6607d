import type { Catalogue } from '../models/catalogue.ts';
import type { LocalBinding, LocalEmbedder } from '../models/local.ts';
import type { EmbeddingProfile } from '../models/profile.ts';
import type { WithinChange } from '../ports/database.ts';
import type { BindingAccess } from './bindings.ts';
import type { CatalogueWeights } from './catalogue-entry.ts';
import type { LocalFacts, WeightsEntry } from './entry.ts';
import type { FolderModel } from './folder.ts';
import type { ImportOptions, Imported } from './import.ts';
import type { PullOptions, Pulled, PullsOptions } from './pulls.ts';
import type { EmbedderAccess } from './local-embedders.ts';
import type { ModelRuntime, TriedEmbedder } from './runtime.ts';

export interface RemoveOptions {
  /** Also a model that serves ids of the catalogue, which are given back, or that answers requests now, which are cut. */
  readonly force?: boolean;
}

/**
 * The model files of this machine and those that can be had: all that people do with them. Every process of the machine may
 * have one; they see each other's downloads, files, bindings and pins, and the models in the service's memory.
 */
export interface ModelStore {
  /** The models to download and the folder, each model once; what any process does with them right now among it. */
  list(): Promise<readonly WeightsEntry[]>;
  /** Models to download in whose words those of the text stand; all for an empty text. */
  search(text: string): readonly CatalogueWeights[];
  /**
   * Downloads a model by its name, a file of the hub (`OWNER/REPOSITORY/FILE.gguf`) or an address. Resolves when it is whole
   * and verified. Rejects with StudioError (`not_found`, `invalid_request`, `conflict`, `unavailable`), or the signal's reason;
   * what came is kept and continued the next time.
   */
  pull(what: string, options?: PullOptions): Promise<Pulled>;
  /**
   * Ends a download by its id or by what was asked for, also that of another process (within a second); what came is kept.
   * Resolves with whether there was one.
   */
  cancel(what: string): Promise<boolean>;
  /**
   * Takes a file of this machine into the folder, such as an upload (`move`, with the `name` it is to have). Rejects with
   * StudioError `not_found`, `invalid_request` for what is no whole GGUF file, `conflict` where another file has its name.
   */
  import(path: string, options?: ImportOptions): Promise<Imported>;
  /** The id of a model of this machine, by whatever name {@link remove} finds it; null where it is not here. */
  localIdOf(what: string): Promise<string | null>;
  /**
   * Removes a model by its id, that of any of its parts, or what a download left; unloads it first. Rejects with StudioError
   * `not_found`; `conflict` while it is being downloaded, and without `force` while it serves an id, is pinned or answers
   * requests.
   */
  remove(id: string, options?: RemoveOptions): Promise<void>;
  /**
   * Lets a model of this machine serve an id of the service's catalogue, in every process. Rejects with StudioError `not_found`,
   * `conflict` where it cannot be used, `invalid_request` where the kinds differ. `within` is part of the change.
   */
  use(binding: LocalBinding, within?: WithinChange): Promise<void>;
  /** Every binding, those to models that are not here among them. */
  bindings(): Promise<readonly LocalBinding[]>;
  /** Gives an id back to the engines of the configuration. Resolves with whether it was bound. */
  unuse(catalogueId: string, within?: WithinChange): Promise<boolean>;
  /** How embedding models are read where somebody said so, those of models that are not here among them. */
  embedders(): Promise<readonly LocalEmbedder[]>;
  /**
   * Says how an embedding model of this machine is read from now on, in place of what was said before. Rejects with StudioError
   * `not_found`, `conflict` where it cannot be used, `invalid_request` for a model of another kind. `within` is part of the change.
   */
  configure(id: string, settings: EmbeddingProfile, within?: WithinChange): Promise<void>;
  /** Has an embedding model make vectors; null where no service runs. Rejects with StudioError `not_found`. */
  tryEmbedder(id: string): Promise<TriedEmbedder | null>;
  /** Loads a model into the service's memory. Rejects with StudioError that says why it cannot be loaded, or the signal's reason. */
  load(id: string, signal: AbortSignal): Promise<void>;
  /**
   * Takes it out of memory. Resolves with whether it was there. Rejects with StudioError `conflict` while requests use it,
   * unless by `force`.
   */
  unload(id: string, options?: { readonly force?: boolean }): Promise<boolean>;
  /**
   * Keeps a model in memory from now on, over restarts too, or no more. Rejects with StudioError `not_found`; `conflict` also
   * where it has no room beside those that are pinned.
   */
  pin(id: string, pinned: boolean): Promise<void>;
  /** The folder alone, without asking anybody else: for whoever watches it. */
  scan(): Promise<readonly FolderModel[]>;
  /** Called after changes that this process knows of; what others do is seen by the next {@link list}. Returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Tells the listeners: for whoever sees files, bindings or the memory change. */
  changed(): void;
  /** Goes on with the downloads that the service ended without, by its own end. */
  resume(): Promise<void>;
  /** Removes what imports of processes that are gone have left, after a day. */
  tidy(): Promise<void>;
  /** Ends the downloads of this process. Safe to repeat. */
  close(): Promise<void>;
}

export interface ModelStoreOptions extends Omit<PullsOptions, 'onChange'> {
  /** What the headers of files say, by local id; those that cannot be used among them. */
  readonly describe: (models: readonly FolderModel[]) => Promise<ReadonlyMap<string, LocalFacts>>;
  readonly runtime: ModelRuntime;
  readonly bindings: BindingAccess;
  readonly embedders: EmbedderAccess;
  /** The service's catalogue as the configuration has it. */
  readonly catalogue: Catalogue;
  /** Local ids that the configuration pins. */
  readonly pinned: readonly string[];
  /** Memory that models may take together; without bound when left out. */
  readonly budgetBytes?: number;
  /** How long a model that is to be removed may finish its requests; 30,000 when left out. */
  readonly timeoutMs?: number;
}
