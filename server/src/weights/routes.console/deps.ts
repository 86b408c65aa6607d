import type { Logger } from '../../kernel/log.ts';
import type { LiveCatalogue } from '../../models/catalogue.ts';
import type { Database } from '../../ports/database.ts';
import type { ModelMachine, ModelStore } from '../index.ts';

/** What the pages of model files work with. */
export interface WeightsPageDeps {
  readonly store: ModelStore;
  readonly catalogue: LiveCatalogue;
  /** Where the models are. */
  readonly folder: string;
  /** Memory that loaded models may take together, in bytes. */
  readonly memoryBudgetBytes: number;
  /** What this machine has for models now. */
  readonly modelMachine: () => Promise<ModelMachine>;
  /** Ends with the service: for work that goes on when its call was answered. */
  readonly closing: AbortSignal;
}

/** What the routes of model files work with. */
export interface WeightsRouteDeps extends WeightsPageDeps {
  readonly db: Database;
  readonly log: Logger;
}
