import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { DocumentsTable } from '../tables.ts';
import { isId, isOwner, isReadable, isVisible } from '../visibility.ts';
import { type Query, publicConfig } from '../collections/rows.ts';

export type DocumentRow = Selectable<DocumentsTable>;
type VisibleDocument = DocumentRow & {
  readonly is_owner: boolean;
  readonly index_table: string;
  readonly collection_dimension: number | null;
};

/** Where the file of a document lies in the blob store. */
export const originalKey = ({ id, tenantId }: { readonly id: string; readonly tenantId: TenantId }): string =>
  `retrieval/${tenantId}/${id}.original`;
/** Where what was read of it lies. */
export const packedKey = ({ id, tenantId }: { readonly id: string; readonly tenantId: TenantId }): string =>
  `retrieval/${tenantId}/${id}.packed`;

const documentNotFound = (id: string) =>
  new StudioError('not_found', `There is no document ${JSON.stringify(id.slice(0, 64))}`);

/** Documents that are there for the caller, with what is needed of their collections. */
export const visibleDocuments = (query: Query, actor: Actor) =>
  query
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .selectAll('documents')
    .select([
      isOwner(actor).as('is_owner'),
      'collections.index_table',
      'collections.embedding_dimension as collection_dimension',
    ])
    .where(isVisible(actor))
    .where(isReadable(actor))
    .where('documents.state', '<>', 'arriving');

/** Which document: of a collection where its address names one. */
export interface DocumentAddress {
  readonly documentId: string;
  readonly collectionId?: string | undefined;
}

/** A document that is there for the caller. Throws StudioError `not_found`. */
export async function findDocument(
  query: Query,
  actor: Actor,
  { documentId, collectionId }: DocumentAddress,
): Promise<VisibleDocument> {
  const row =
    isId(documentId) && (collectionId === undefined || isId(collectionId))
      ? await visibleDocuments(query, actor)
          .where('documents.id', '=', documentId)
          .$if(collectionId !== undefined, (some) => some.where('documents.collection_id', '=', collectionId ?? ''))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) throw documentNotFound(documentId);
  return row;
}

type DocumentWithDimension = DocumentRow & { readonly collection_dimension: number | null };

/** The record of a document. */
export const documentRecord = (row: DocumentWithDimension): Document => ({
  document_id: row.id,
  collection_id: row.collection_id,
  document_name: row.name,
  external_id: row.external_id,
  file_size: row.size,
  format: row.format,
  state: row.state === 'arriving' ? 'queued' : row.state,
  progress: row.state === 'ready' ? 1 : Math.min(1, Math.max(0, Math.round(row.progress * 1000) / 1000)),
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  failures: row.failures.map(({ at, stage, code, message }) => ({ at, stage, code, message })),
  warnings: row.warnings.map((warning) => ({ ...warning })),
  ...(row.duplicate_of === null ? {} : { duplicate_of: row.duplicate_of }),
  ...(row.readers === null ? {} : { restricted: true as const }),
  searchable: row.revision !== null,
  page_count: row.page_count,
  chunk_count: row.chunk_count,
  metadata: row.metadata,
  indexed_fields: row.indexed_fields,
  uploaded_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ingest_config: publicConfig(row.ingest_config, row.collection_dimension),
});

/** How long whoever was at work on a document that is gone may still write to the index. */
const LATE_SECONDS = 120;

/**
 * Removes documents with their chunks and jobs, and writes down what else must go: their entries in the index (`tables`) and their
 * files.
 */
export async function removeDocuments(
  tx: Transaction<Tables>,
  documents: readonly Pick<DocumentRow, 'id' | 'tenant_id'>[],
  tables: readonly string[],
): Promise<void> {
  if (documents.length === 0) return;
  const ids = documents.map(({ id }) => id);
  // Jobs come before documents in the order of locks: jobs/README.md.
  const working = await tx
    .selectFrom('ingest_jobs')
    .select('document_id')
    .where('document_id', 'in', ids)
    .orderBy('document_id')
    .forUpdate()
    .execute();
  const late = new Set(working.map(({ document_id: id }) => id));
  const later = sql<Date>`clock_timestamp() + ${LATE_SECONDS} * interval '1 second'`;
  const entries = tables.flatMap((index_table) =>
    ids.flatMap((document_id) => [
      { kind: 'document' as const, index_table, document_id },
      ...(late.has(document_id) ? [{ kind: 'document' as const, index_table, document_id, not_before: later }] : []),
    ]),
  );
  const files = documents.flatMap(({ id, tenant_id: tenantId }) =>
    [originalKey, packedKey].flatMap((keyOf) => {
      const blob = { kind: 'blob' as const, blob_key: keyOf({ id, tenantId }) };
      return late.has(id) ? [blob, { ...blob, not_before: later }] : [blob];
    }),
  );
  await tx
    .insertInto('retrieval_removals')
    .values([...entries, ...files])
    .execute();
  await tx.deleteFrom('documents').where('id', 'in', ids).execute();
}
