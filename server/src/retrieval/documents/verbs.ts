import type { DocumentOrder } from '@ai-studio/contract/console/retrieval.ts';
import type { Document, DocumentChange, DocumentQuery, DocumentState } from '@ai-studio/contract/retrieval/document.ts';
import { sql } from 'kysely';
import type { Readable } from 'node:stream';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { likeText } from '../visibility.ts';
import { findCollection, requireOwner } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { wakeIngest } from '../ingest/wake.ts';
import { processRemovals } from '../writing/removals.ts';
import { lockForVisibleChange, databaseNow } from '../writing/table.ts';
import { WriteConflict, writeThrough } from '../writing/write.ts';
import { checkMetadata } from './metadata.ts';
import { rewriteRows } from './rewrite-rows.ts';
import {
  type DocumentAddress,
  documentRecord,
  type DocumentRow,
  findDocument,
  originalKey,
  removeDocuments,
  visibleDocuments,
} from './rows.ts';

/** Which column each order is of. */
const orderColumns = {
  name: 'documents.name',
  size: 'documents.size',
  pages: 'documents.page_count',
  uploaded: 'documents.number',
} as const;

/** Documents of a collection, the newest first unless `sort` says otherwise; `states` are those that are wanted. Throws StudioError `not_found`. */
export async function listDocuments(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  collectionId: string,
  {
    size,
    from,
    state,
    states,
    external_id: externalId,
    name,
    sort = '-uploaded',
  }: DocumentQuery & { readonly states?: readonly DocumentState[]; readonly sort?: DocumentOrder },
) {
  await findCollection(query, actor, collectionId);
  const matching = visibleDocuments(query, actor)
    .where('documents.collection_id', '=', collectionId)
    .$if(state !== undefined, (some) => some.where('documents.state', '=', state ?? 'ready'))
    .$if(states !== undefined, (some) => some.where('documents.state', 'in', [...(states ?? [])]))
    .$if(externalId !== undefined, (some) => some.where('documents.external_id', '=', externalId ?? ''))
    .$if(name !== undefined, (some) => some.where('documents.name', 'ilike', likeText((name ?? '').normalize('NFC'))));
  const column = orderColumns[sort.replace('-', '') as keyof typeof orderColumns];
  const rows = await matching
    .orderBy(column, (order) => (sort.startsWith('-') ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('documents.number', 'desc')
    .limit(size)
    .offset(from)
    .execute();
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { items: rows.map(documentRecord), total: Number(total), size, from };
}

/** Throws StudioError `not_found`. */
export async function readDocument(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  address: DocumentAddress,
): Promise<Document> {
  return documentRecord(await findDocument(query, actor, address));
}

/** The original, as it was given. Throws StudioError `not_found`. */
export async function openOriginal(
  { db: { query }, blobs }: RetrievalDeps,
  actor: Actor,
  address: DocumentAddress,
): Promise<{ readonly name: string; readonly size: number; readonly content: Readable }> {
  const { id, tenant_id: tenantId, name, size } = await findDocument(query, actor, address);
  const content = await blobs.get(originalKey({ id, tenantId }));
  if (content === null) throw new StudioError('not_found', 'The file of the document is not there any more');
  return { name, size, content };
}

/**
 * Changes the name and the metadata; filters know of it once this resolves. Throws StudioError `not_found`, `forbidden`,
 * `invalid_request`, `unavailable`.
 */
export async function changeDocument(
  deps: RetrievalDeps,
  actor: Actor,
  address: DocumentAddress,
  change: DocumentChange,
): Promise<Document> {
  const { db } = deps;
  const metadata = change.metadata === undefined ? undefined : checkMetadata(change.metadata);
  const found = await findDocument(db.query, actor, address);
  requireOwner(actor, found);
  const given = change.document_name ?? change.name;
  const name = given === undefined ? undefined : plainFileName(given) || 'document';
  const renamed = new Map<string, string>();
  let current: DocumentRow = found;
  await writeThrough(deps, {
    collectionId: found.collection_id,
    async *rows(collection) {
      renamed.clear();
      current = await findDocument(db.query, actor, address);
      const { revision } = current;
      if (revision === null) return;
      const changed = { ...current, revision, name: name ?? current.name, metadata: metadata ?? current.metadata };
      yield* rewriteRows(deps, collection, changed, renamed);
    },
    async commit(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('documents')
        .set({
          ...(name === undefined ? {} : { name }),
          ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
          edits: current.edits + 1,
          updated_at: databaseNow,
        })
        .where('id', '=', current.id)
        .where('edits', '=', current.edits)
        .where((eb) => (current.revision === null ? eb('revision', 'is', null) : eb('revision', '=', current.revision)))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new WriteConflict();
      if (renamed.size > 0)
        await sql`UPDATE chunks SET row_id = names.fresh
          FROM unnest(${[...renamed.keys()]}::text[], ${[...renamed.values()]}::text[]) AS names (old, fresh)
          WHERE chunks.row_id = names.old`.execute(tx);
      return [...renamed.keys()];
    },
  });
  return readDocument(deps, actor, address);
}

/**
 * Removes a document with its chunks, its entries in the index and its file; nobody finds it from the moment this resolves, and what
 * cannot be removed now is removed later. What is being done with it ends. Throws StudioError `not_found`, `forbidden`.
 */
export async function deleteDocument(
  deps: RetrievalDeps,
  actor: Actor,
  address: DocumentAddress,
): Promise<{ document_id: string; deleted_at: string; operation: 'delete_document' }> {
  const { db } = deps;
  const found = await findDocument(db.query, actor, address);
  requireOwner(actor, found);
  await db.transaction(async (tx) => {
    const { index_table: table, build } = await tx
      .selectFrom('collections')
      .select(['index_table', 'build'])
      .where('id', '=', found.collection_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    await lockForVisibleChange(tx, found.collection_id, table);
    await removeDocuments(tx, [found], build === null ? [table] : [table, build.table]);
  });
  await processRemovals(deps);
  return { document_id: found.id, deleted_at: new Date(deps.now()).toISOString(), operation: 'delete_document' };
}

/**
 * Has a document read and cut anew by the present settings of its collection; what is there is found until that is done. Throws
 * StudioError `not_found`, `forbidden`, `invalid_request`.
 */
export async function reindexDocument(deps: RetrievalDeps, actor: Actor, address: DocumentAddress): Promise<Document> {
  const { db } = deps;
  const found = await findDocument(db.query, actor, address);
  requireOwner(actor, found);
  await db.transaction(async (tx) => {
    const { ingest_config: config } = await tx
      .selectFrom('collections')
      .select('ingest_config')
      .where('id', '=', found.collection_id)
      .executeTakeFirstOrThrow();
    // Jobs come before documents in the order of locks: jobs/README.md.
    await tx.selectFrom('ingest_jobs').select('claim').where('document_id', '=', found.id).forUpdate().execute();
    const { last_revision: revision } = await tx
      .updateTable('documents')
      .set((eb) => ({
        state: 'queued',
        progress: 0,
        error_code: null,
        error_message: null,
        last_revision: eb('last_revision', '+', 1),
        updated_at: databaseNow,
      }))
      .where('id', '=', found.id)
      .returning('last_revision')
      .executeTakeFirstOrThrow();
    const job = {
      kind: 'document' as const,
      stage: 'parsing' as const,
      revision,
      ingest_config: JSON.stringify(config),
    };
    await tx
      .insertInto('ingest_jobs')
      .values({ document_id: found.id, tenant_id: found.tenant_id, collection_id: found.collection_id, ...job })
      // What is being done with it is given up; a change of the whole collection takes it up again by itself.
      .onConflict((conflict) =>
        conflict.column('document_id').doUpdateSet({
          ...job,
          state: 'queued',
          claim: null,
          attempts: 0,
          not_before: databaseNow,
          waiting_since: null,
          build_table: null,
          seen_at: null,
        }),
      )
      .execute();
    await tx
      .insertInto('retrieval_removals')
      .values({
        kind: 'stale',
        collection_id: found.collection_id,
        not_before: sql<Date>`clock_timestamp() + interval '60 seconds'`,
      })
      .execute();
  });
  await wakeIngest(deps, 'document');
  return readDocument(deps, actor, address);
}
