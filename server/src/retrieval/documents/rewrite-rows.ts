import { hexId } from '../../kernel/ids.ts';
import { type CollectionRow, embeddingOf } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { unpackVector } from '../stored-vector.ts';
import { canIndex, fieldsOf, indexRows, selectChunksToIndex } from '../writing/rows.ts';
import { findActiveCollection, TableMoved } from '../writing/table.ts';
import type { RowBatch } from '../writing/write.ts';
import type { DocumentRow } from './rows.ts';

/** Chunks that are written by one call. */
const BATCH = 1_000;

type Described = Pick<DocumentRow, 'id' | 'name' | 'created_at' | 'metadata' | 'indexed_fields' | 'readers'> & {
  readonly revision: number;
};

/**
 * Chunks with their texts and vectors, by row id; those without a vector of the model are left out. Throws TableMoved where the
 * collection embeds with another model by now.
 */
async function wholeChunks({ db }: RetrievalDeps, collection: CollectionRow, rowIds: readonly string[]) {
  const embedding = embeddingOf(collection);
  const chunks = await selectChunksToIndex(db.query, embedding)
    .where('chunks.row_id', 'in', [...rowIds])
    .execute();
  const complete = chunks.filter(canIndex(embedding));
  if (complete.length === chunks.length) return chunks;
  const now = await findActiveCollection(db.query, collection.id);
  if (now?.index_table !== collection.index_table) throw new TableMoved();
  return complete;
}

/**
 * The rows of a document's chunks with new ids and the changed filter fields. Terms and vectors stay the same and are copied within the
 * index; those that are missing are rebuilt. Throws TableMoved.
 */
export async function* rewriteRows(
  deps: RetrievalDeps,
  collection: CollectionRow,
  document: Described,
  renamed: Map<string, string>,
): AsyncGenerator<RowBatch> {
  const described = {
    ...document,
    indexed_fields: [...document.indexed_fields, ...collection.ingest_config.indexed_fields],
  };
  const rebuild = async (missing: readonly string[]) => {
    const chunks = await wholeChunks(deps, collection, missing);
    const fresh = chunks.map(({ vector, row_id: old, ...chunk }) => ({
      ...chunk,
      row_id: renamed.get(old) ?? old,
      vector: vector === null ? null : unpackVector(vector),
    }));
    return indexRows(deps, described, fresh, { urgent: true });
  };
  for (let from = 0; ; from += BATCH) {
    const chunks = await deps.db.query
      .selectFrom('chunks')
      .select(['row_id', 'start_page', 'end_page'])
      .where('document_id', '=', document.id)
      .where('revision', '=', document.revision)
      .orderBy('ord')
      .orderBy('row_id')
      .offset(from)
      .limit(BATCH)
      .execute();
    if (chunks.length === 0) return;
    const derived = chunks.map((chunk) => {
      const rowId = hexId();
      renamed.set(chunk.row_id, rowId);
      return { from: chunk.row_id, rowId, fields: fieldsOf(described, chunk) };
    });
    // A table that is being filled may not have them yet.
    if (collection.index_state === 'ready') yield { derived, rebuild };
    else yield await rebuild(chunks.map(({ row_id: rowId }) => rowId));
  }
}
