import type { Calls } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import type { TextWorkers } from './texts/index.ts';

/** What retrieval works with. */
export interface RetrievalDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly blobs: BlobStore;
  readonly index: SearchIndex;
  readonly catalogue: Catalogue;
  /** Calls models and meters them. */
  readonly calls: Pick<Calls, 'openUnlimited'>;
  /** Worker threads that chunk and analyze texts. */
  readonly texts: TextWorkers;
  readonly log: Logger;
  /** Time in which the embedding model of a collection must answer a search. */
  readonly queryTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
