import type { Database } from '../../ports/database.ts';
import type { Caller } from '../caller.ts';

/** Passages as people see them, by the row ids of the index: those that are visible now. */
export async function passagesOf({ query }: Pick<Database, 'query'>, { tenantId }: Caller, rowIds: readonly string[]) {
  if (rowIds.length === 0) return new Map<string, never>();
  const rows = await query
    .selectFrom('chunks')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', 'chunks.document_id').onRef('documents.revision', '=', 'chunks.revision'),
    )
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .select([
      'chunks.row_id',
      'chunks.id',
      'chunks.document_id',
      'chunks.collection_id',
      'chunks.title',
      'chunks.headings',
      'chunks.content',
      'chunks.start_page',
      'documents.name',
      'documents.metadata',
    ])
    .where('chunks.row_id', 'in', [...rowIds])
    .where('collections.tenant_id', '=', tenantId)
    .where('collections.deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.row_id, row]));
}

export type Passage = Awaited<ReturnType<typeof passagesOf>> extends Map<string, infer P> ? P : never;
