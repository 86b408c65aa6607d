import type { ChunkPreviews, Extractions, RetrievalDeps } from '../index.ts';

export interface RetrievalRouteDeps {
  readonly retrieval: RetrievalDeps;
  readonly extractions: Extractions;
  readonly previews: ChunkPreviews;
  /** Where files are kept until they are put away. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

/** What all endpoints of retrieval have in common. */
export const common = {
  access: 'retrieval',
  tag: 'Retrieval',
  params: { collection_id: 'Of a collection', document_id: 'Of a document', chunk_id: 'Of a chunk' },
} as const;

/** Failures of an endpoint that writes what its body says. */
export const errorsOfWriting = ['not_found', 'conflict', 'timeout'] as const;
