import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import type { RetrievalDeps } from '../deps.ts';
import type { DocumentRow } from '../documents/rows.ts';
import { rewriteRows } from '../documents/rewrite-rows.ts';
import { DUPLICATE_CODE } from '../duplicates/note.ts';
import { databaseNow } from '../writing/table.ts';
import { WriteConflict, writeThrough } from '../writing/write.ts';
import { type ReaderPlace, readersToStore } from './groups.ts';

/** What others say of a document that they say the same as: its name would be told to people who do not read it. */
async function forgetDuplicatesOf(tx: Transaction<Tables>, collectionId: string, id: string): Promise<void> {
  await sql`
    UPDATE documents SET duplicate_of = NULL, warnings = (
      SELECT coalesce(jsonb_agg(warning), '[]') FROM jsonb_array_elements(warnings) AS warning WHERE warning->>'code' <> 'duplicate')
    WHERE collection_id = ${collectionId} AND (duplicate_of = ${id} OR (id = ${id} AND duplicate_of IS NOT NULL))`.execute(
    tx,
  );
  await sql`
    UPDATE documents SET error_message = 'The document says the same as another one.', failures = '[]'
    WHERE collection_id = ${collectionId} AND error_code = ${DUPLICATE_CODE} AND strpos(error_message, ${id}) > 0`.execute(
    tx,
  );
}

/** Tries of a document that is taken in at the same moment. */
const ATTEMPTS = 8;

/** Writes readers down, unless the document was changed meanwhile. */
async function noteReaders(
  tx: Transaction<Tables>,
  { id, collection_id: collectionId, edits, revision }: DocumentRow,
  readers: readonly string[] | null,
): Promise<boolean> {
  if (readers !== null)
    await tx.updateTable('collections').set({ has_restricted: true }).where('id', '=', collectionId).execute();
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ readers: readers === null ? null : [...readers], edits: edits + 1, updated_at: databaseNow })
    .where('id', '=', id)
    .where('edits', '=', edits)
    .where((eb) => (revision === null ? eb('revision', 'is', null) : eb('revision', '=', revision)))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  if (readers !== null) await forgetDuplicatesOf(tx, collectionId, id);
  return true;
}

async function changeOne(deps: RetrievalDeps, id: string, readers: readonly string[] | null): Promise<void> {
  const find = () => deps.db.query.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
  let current = await find();
  // One that nobody finds yet has nothing in the index.
  for (let attempt = 1; current?.revision === null && attempt < ATTEMPTS; attempt++) {
    const row = current;
    if (await deps.db.transaction((tx) => noteReaders(tx, row, readers))) return;
    current = await find();
  }
  if (current === undefined) return;
  const renamed = new Map<string, string>();
  await writeThrough(deps, {
    collectionId: current.collection_id,
    async *rows(collection) {
      renamed.clear();
      current = await find();
      if (current === undefined || current.revision === null) return;
      const own = readers === null ? null : [...readers];
      yield* rewriteRows(deps, collection, { ...current, revision: current.revision, readers: own }, renamed);
    },
    async commit(tx) {
      // It went meanwhile.
      if (current === undefined) return [];
      if (!(await noteReaders(tx, current, readers))) throw new WriteConflict();
      if (renamed.size > 0)
        await sql`UPDATE chunks SET row_id = names.fresh
          FROM unnest(${[...renamed.keys()]}::text[], ${[...renamed.values()]}::text[]) AS names (old, fresh)
          WHERE chunks.row_id = names.old`.execute(tx);
      return [...renamed.keys()];
    },
  });
}

/** Documents by their external id, and the names of those who may read them; null: everybody who sees the collection. */
interface ReadersChange extends ReaderPlace {
  readonly externalId: string;
  readonly readers: readonly string[] | null;
}

/**
 * Says who may read documents of an external id, also of one that is being taken in: from the moment that this resolves nobody else does. Throws
 * StudioError `not_found` (the collection is gone), `unavailable`, `conflict`.
 */
export async function changeReaders(
  deps: RetrievalDeps,
  { externalId, readers: given, ...place }: ReadersChange,
): Promise<void> {
  const { query } = deps.db;
  const { collectionId, tenantId } = place;
  const readers = await readersToStore(query, place, externalId, given);
  const rows = await query
    .selectFrom('documents')
    .select(['id', 'readers'])
    .where('collection_id', '=', collectionId)
    .where('tenant_id', '=', tenantId)
    .where('external_id', '=', externalId)
    .execute();
  const told = JSON.stringify(readers);
  for (const row of rows) if (JSON.stringify(row.readers) !== told) await changeOne(deps, row.id, readers);
}
