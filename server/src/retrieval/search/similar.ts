import type { SimilarRequest } from '@ai-studio/contract/retrieval/search.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { type ChunkAddress, findChunk } from '../chunks/find.ts';
import { embeddingOf } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { isVectorOf } from '../embedding.ts';
import { embedLexically, LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { unpackVector } from '../stored-vector.ts';
import { searchableText } from '../writing/rows.ts';
import { findActiveCollection } from '../writing/table.ts';
import { vectorKeyOf } from './candidates.ts';
import { type Searched, searchFor } from './search.ts';

// Passages like one: near its vector, which is there already, and by the words with which it begins.

/** By how much of a passage words are looked for, in UTF-16 units: a search by all of them asks the index for little else than common words. */
const MAX_WORDS_LENGTH = 1_000;

/** The vector of the chunk, by the key of its collection; empty where none is stored. */
async function storedVector(
  { db }: RetrievalDeps,
  { row_id: rowId, collection_id: collectionId }: { readonly row_id: string; readonly collection_id: string },
  text: string,
): Promise<ReadonlyMap<string, Float32Array>> {
  const collection = await findActiveCollection(db.query, collectionId);
  if (collection === null) return new Map();
  const embedding = embeddingOf(collection);
  if (embedding.model === LEXICAL_MODEL) return new Map([[vectorKeyOf(collection), embedLexically(text)]]);
  const row = await db.query
    .selectFrom('chunk_vectors')
    .select('vector')
    .where('row_id', '=', rowId)
    .where(isVectorOf(embedding))
    .executeTakeFirst();
  return row === undefined ? new Map() : new Map([[vectorKeyOf(collection), unpackVector(row.vector)]]);
}

/**
 * Finds passages that say something like a chunk does, without it and, unless that is asked for, without those of its document. Models are asked for
 * collections of another embedding alone. Rejects as `search`; StudioError `not_found` for the chunk.
 */
export async function searchSimilar(
  deps: RetrievalDeps,
  ctx: CallContext,
  address: ChunkAddress,
  { collection_ids: ids, same_document: sameDocument, ...rest }: SimilarRequest,
): Promise<Searched> {
  const chunk = await findChunk(deps.db.query, ctx.actor, address);
  const text = searchableText(chunk);
  const query = text.slice(0, MAX_WORDS_LENGTH).toWellFormed();
  const others = { document_id: { $ne: chunk.document_id } };
  const { filters } = rest;
  const all = sameDocument ? filters : filters === undefined ? others : { $and: [others, filters] };
  return searchFor(deps, ctx, {
    request: {
      ...rest,
      query,
      collection_ids: ids ?? [chunk.collection_id],
      highlight: false,
      rerank: false,
      ...(all === undefined ? {} : { filters: all }),
    },
    change: { leavesOut: chunk.id, sayings: [] },
    vectors: ({ mode }) => (mode === 'keyword' ? Promise.resolve(new Map()) : storedVector(deps, chunk, text)),
  });
}
