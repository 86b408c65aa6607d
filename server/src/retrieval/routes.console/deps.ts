import type { CountedCalls } from '../../console-kit/allowance.ts';
import type { ChunkPreviews, Evaluations, Extractions, Originals, RetrievalDeps } from '../index.ts';

/** What the pages of collections work with. */
export interface CollectionsDeps {
  readonly retrieval: RetrievalDeps;
  readonly originals: Originals;
  readonly evaluations: Evaluations;
  readonly extractions: Extractions;
  readonly previews: ChunkPreviews;
  /** Largest file. */
  readonly maxBytes: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

/** What the routes of collections work with. */
export interface CollectionRouteDeps extends CountedCalls {
  readonly collections: CollectionsDeps;
}
