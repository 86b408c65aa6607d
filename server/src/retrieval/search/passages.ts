import { type Selectable, sql } from 'kysely';
import type { Principal } from '../../kernel/actor.ts';
import { PREPARED, type Queryable } from '../../ports/database.ts';
import type { Sight } from '../readers/sight.ts';
import type { ChunksTable, DocumentsTable } from '../tables.ts';

/** A passage that is visible, with what people see of its document. */
export type Passage = Pick<
  Selectable<ChunksTable>,
  | 'row_id'
  | 'id'
  | 'document_id'
  | 'collection_id'
  | 'revision'
  | 'ord'
  | 'title'
  | 'headings'
  | 'content'
  | 'start_page'
> &
  Pick<Selectable<DocumentsTable>, 'name' | 'metadata'>;

/** Passages as people see them, by the row ids of the index: those that are visible now, of what there is for whoever searches. */
export async function passagesOf(
  { query }: Queryable,
  { tenantId }: Principal,
  rowIds: readonly string[],
  { names, whole }: Sight,
): Promise<ReadonlyMap<string, Passage>> {
  if (rowIds.length === 0) return new Map();
  // Documents are looked for by each chunk (LIMIT): a plan that begins with those of the collection takes the longer the more there are.
  const { rows } = await sql<Passage>`${sql.raw(PREPARED)}
    SELECT chunks.row_id, chunks.id, chunks.document_id, chunks.collection_id, chunks.title, chunks.headings, chunks.content, chunks.context,
      chunks.revision, chunks.ord, chunks.start_page, visible.name, visible.metadata
    FROM chunks, LATERAL (
      SELECT documents.name, documents.metadata
      FROM documents JOIN collections ON collections.id = documents.collection_id
      WHERE documents.id = chunks.document_id AND documents.revision = chunks.revision
        AND collections.tenant_id = ${tenantId} AND collections.deleted_at IS NULL
        AND (documents.readers IS NULL OR documents.readers && ${[...names]}::text[] OR collections.id = ANY(${[...whole]}::text[]))
      LIMIT 1
    ) AS visible
    WHERE chunks.row_id = ANY(${[...rowIds]}::text[])`.execute(query);
  return new Map(rows.map((row) => [row.row_id, row]));
}
