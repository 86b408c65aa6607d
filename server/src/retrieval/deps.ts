import type { OpenChat, UnlimitedCalls } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import type { VectorPrecision } from './stored-vector.ts';
import type { TextWorkers } from './texts/index.ts';

/** What the tables of the search index are filled and kept with. */
export interface IndexingDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly index: SearchIndex;
  /** Worker threads that chunk and analyze texts. */
  readonly texts: TextWorkers;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What retrieval works with. */
export interface RetrievalDeps extends IndexingDeps {
  readonly blobs: BlobStore;
  readonly catalogue: Catalogue;
  /** Calls models and meters them. */
  readonly calls: UnlimitedCalls;
  /** Time in which the embedding model of a collection must answer a search, or an edit of a chunk. */
  readonly queryTimeoutMs: number;
  /** Time in which a reranker must order the passages of a search. */
  readonly rerankTimeoutMs: number;
  /** How exactly the database keeps new vectors; 32 bits a number where nothing is said. */
  readonly storedVectors?: VectorPrecision;
  /** Asks chat models, within the limits of whoever asks; without it queries are never expanded. */
  readonly openChat?: OpenChat;
}
