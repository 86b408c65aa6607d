import type { Catalogue, LiveCatalogue } from '../../models/catalogue.ts';
import type { ModelStore } from '../../weights/index.ts';
import type { EmbedderProbes, EngineHealth, Finder, ServerVerbs, WatchedDrains } from '../index.ts';

/** An engine of the configuration. */
export interface ConfiguredEngine {
  readonly name: string;
  readonly baseUrl: string;
  readonly hasApiKey: boolean;
}

/** What the routes of served models and model servers work with. */
export interface ModelServerRouteDeps {
  /** The model files of this machine. */
  readonly store: ModelStore;
  readonly catalogue: LiveCatalogue;
  /** The entries of the configuration. */
  readonly configured: Catalogue;
  /** The engines of the configuration. */
  readonly engines: readonly ConfiguredEngine[];
  readonly servers: ServerVerbs;
  readonly health: EngineHealth;
  readonly drains: Pick<WatchedDrains, 'set'>;
  /** Resolves once the calls of other processes are known, as far as they can be. */
  readonly refreshLoads: () => Promise<void>;
  readonly finder: Finder;
  /** What embedding models of servers do. */
  readonly embedders: EmbedderProbes;
}
