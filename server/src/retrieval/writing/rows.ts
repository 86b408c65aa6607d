import type { Kysely, Selectable } from 'kysely';
import type { FieldValue, IndexRow } from '../../ports/search-index.ts';
import type { ChunksTable } from '../tables.ts';
import type { IndexingDeps } from '../deps.ts';
import { filterFields } from '../documents/metadata.ts';
import type { DocumentRow } from '../documents/rows.ts';
import type { Tables } from '../../ports/database.ts';
import { type EmbeddingChoice, isVectorOf } from '../embedding.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { readersField } from '../readers/sight.ts';

/** What the index needs of a chunk. */
export type ChunkText = Pick<
  Selectable<ChunksTable>,
  'row_id' | 'id' | 'document_id' | 'title' | 'headings' | 'content' | 'start_page' | 'end_page'
> & {
  /** What a model says of where it stands. */
  readonly context?: string | null;
};

/** The text by which a chunk is found: the titles above it, then what stands in it. */
export function searchableText({
  title,
  headings,
  content,
  context = null,
}: Pick<ChunkText, 'title' | 'headings' | 'content' | 'context'>): string {
  const path = headings.includes(title) || title === '' ? headings : [...headings, title];
  return [path.join(' > '), context ?? '', content].filter((part) => part !== '').join('\n\n');
}

/** Pages of one chunk that filters know of. */
const MAX_PAGES = 100;

function pagesOf({ start_page: from, end_page: to }: Pick<ChunkText, 'start_page' | 'end_page'>): number[] {
  if (from === null) return [];
  const count = Math.min(MAX_PAGES, Math.max(1, (to ?? from) - from + 1));
  return Array.from({ length: count }, (_, at) => from + at);
}

/** What filters know of a document beside its id. Source: decisions section 5, built-in fields. */
const documentFields = ({
  name,
  created_at: createdAt,
  metadata,
  indexed_fields: named,
  readers,
}: Pick<DocumentRow, 'name' | 'created_at' | 'metadata' | 'indexed_fields' | 'readers'>): Record<
  string,
  FieldValue | readonly FieldValue[]
> => ({
  ...filterFields(metadata, named),
  document_name: name.normalize('NFC'),
  created_at: createdAt.getTime(),
  ...readersField(readers),
});

/** What filters know of one chunk. */
export function fieldsOf(
  document: Parameters<typeof documentFields>[0],
  chunk: Pick<ChunkText, 'start_page' | 'end_page'>,
): Record<string, FieldValue | readonly FieldValue[]> {
  const pages = pagesOf(chunk);
  const fields = documentFields(document);
  return pages.length === 0 ? fields : { ...fields, page: pages };
}

/** A chunk with its vector; null where the lexical embedder makes it. */
export interface ChunkToIndex extends ChunkText {
  readonly vector: Float32Array | null;
}

/** Chunks with what the index needs of them, and the vector that they have by an embedding; null where they have none. */
export const selectChunksToIndex = (query: Kysely<Tables>, embedding: EmbeddingChoice) =>
  query
    .selectFrom('chunks')
    .leftJoin('chunk_vectors', (join) =>
      join.onRef('chunk_vectors.row_id', '=', 'chunks.row_id').on(isVectorOf(embedding)),
    )
    .select(['chunks.row_id', 'id', 'document_id', 'title', 'headings', 'content', 'context'])
    .select(['start_page', 'end_page', 'vector']);

/** Whether chunks can be indexed: a vector that is missing is made for them by the lexical embedder alone. */
export const canIndex =
  ({ model }: EmbeddingChoice) =>
  ({ vector }: { readonly vector: Uint8Array | null }): boolean =>
    model === LEXICAL_MODEL || vector !== null;

/** A document with the chunks of it that are to be found. */
export interface DocumentToIndex {
  readonly document: Parameters<typeof documentFields>[0];
  readonly chunks: readonly ChunkToIndex[];
}

/** The rows by which chunks of one document are found. */
export const indexRows = (
  deps: IndexingDeps,
  document: DocumentToIndex['document'],
  chunks: readonly ChunkToIndex[],
  options: { readonly urgent?: boolean; readonly signal?: AbortSignal } = {},
): Promise<IndexRow[]> => indexRowsOf(deps, [{ document, chunks }], options);

/** The rows by which chunks of several documents are found. */
export async function indexRowsOf(
  { texts }: IndexingDeps,
  documents: readonly DocumentToIndex[],
  options: { readonly urgent?: boolean; readonly signal?: AbortSignal } = {},
): Promise<IndexRow[]> {
  const all = documents.flatMap(({ document, chunks }) => chunks.map((chunk) => ({ document, chunk })));
  const vectors = all.some(({ chunk: { vector } }) => vector === null);
  const found = all.map(({ chunk }) => searchableText(chunk));
  const analysed = await texts.do({ type: 'analyse', texts: found, vectors }, options);
  return all.map(({ document, chunk }, at) => {
    const { terms = [], stems = [], vector: made = null } = analysed[at] ?? {};
    const vector = chunk.vector ?? made;
    if (vector === null) throw new Error('a chunk has no vector');
    return {
      rowId: chunk.row_id,
      chunkId: chunk.id,
      documentId: chunk.document_id,
      vector,
      terms,
      stems,
      fields: fieldsOf(document, chunk),
    };
  });
}
