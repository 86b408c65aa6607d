import { sql, type Selectable } from 'kysely';
import { IndexError } from '../../ports/search-index.ts';
import type { RetrievalRemovalsTable } from '../tables.ts';
import type { RetrievalDeps } from '../deps.ts';
import { afterSeconds, databaseNow } from './table.ts';

type RemovalDeps = Pick<RetrievalDeps, 'db' | 'index' | 'blobs' | 'log'>;
type Removal = Selectable<RetrievalRemovalsTable>;

/** Removals of one batch. */
const BATCH = 100;
/** When what failed is tried again. */
const RETRY_SECONDS = 30;
/** Chunks that are removed in one statement. */
const CHUNKS = 2_000;

/** Chunks of a collection that no revision shows, and none that is being made will. */
const staleChunks = ({ query }: RemovalDeps['db'], collectionId: string) =>
  query
    .selectFrom('chunks as old')
    .innerJoin('documents', 'documents.id', 'old.document_id')
    .select('old.row_id')
    .where('documents.collection_id', '=', collectionId)
    .where(
      sql<boolean>`old.revision IS DISTINCT FROM documents.revision
        AND old.revision IS DISTINCT FROM (documents.built->>'revision')::integer`,
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ingest_jobs')
            .select('ingest_jobs.document_id')
            .whereRef('ingest_jobs.document_id', '=', 'documents.id')
            .whereRef('ingest_jobs.revision', '=', 'old.revision'),
        ),
      ),
    )
    .limit(CHUNKS)
    .execute();

/** The index first: what is left of it would be known to nobody. */
async function removeStaleChunks({ db, index }: RemovalDeps, collectionId: string): Promise<void> {
  for (;;) {
    const rowIds = (await staleChunks(db, collectionId)).map(({ row_id: rowId }) => rowId);
    if (rowIds.length === 0) return;
    const collection = await db.query
      .selectFrom('collections')
      .select(['index_table', 'index_state', 'build'])
      .where('id', '=', collectionId)
      .executeTakeFirst();
    const tables = collection === undefined ? [] : [collection.index_table, collection.build?.table ?? null];
    for (const table of tables) if (table !== null) await index.remove(table, { rowIds }).catch(ignoreLostTable);
    await db.query.deleteFrom('chunks').where('row_id', 'in', rowIds).execute();
    if (rowIds.length < CHUNKS) return;
  }
}

/** Advisory lock of the database: whoever copies files has it alone, and no file is removed that long. */
export const FILES_LOCK = 7_240_115;

/** Somebody copies the files; they are removed later. */
class FilesLocked extends Error {}

async function removeFile({ db, blobs }: RemovalDeps, key: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await sql<{
      free: boolean;
    }>`SELECT pg_try_advisory_xact_lock_shared(${FILES_LOCK}) AS free`.execute(tx);
    if (rows[0]?.free !== true) throw new FilesLocked('files are being copied');
    await blobs.delete(key);
  });
}

async function applyRemoval(deps: RemovalDeps, removal: Removal): Promise<void> {
  const { index } = deps;
  const { kind, index_table: table, row_ids: rowIds, document_id: documentId } = removal;
  if (kind === 'blob' && removal.blob_key !== null) await removeFile(deps, removal.blob_key);
  else if (kind === 'table' && table !== null) await index.dropTable(table);
  else if (kind === 'rows' && table !== null && rowIds !== null) await index.remove(table, { rowIds });
  else if (kind === 'document' && table !== null && documentId !== null)
    await index.remove(table, { documentIds: [documentId] });
  else if (kind === 'stale' && removal.collection_id !== null) await removeStaleChunks(deps, removal.collection_id);
}

/** Of one table together: each call of the index is a commit. */
async function removeRows(deps: RemovalDeps, all: readonly Removal[]): Promise<void> {
  const rowsOf = new Map<string, string[]>();
  const documentsOf = new Map<string, string[]>();
  for (const { kind, index_table: table, row_ids: rowIds, document_id: documentId } of all) {
    if (table === null) continue;
    if (kind === 'rows' && rowIds !== null) rowsOf.set(table, (rowsOf.get(table) ?? []).concat(rowIds));
    if (kind === 'document' && documentId !== null)
      documentsOf.set(table, [...(documentsOf.get(table) ?? []), documentId]);
  }
  const quietly = (work: Promise<void>) => work.catch(ignoreLostTable);
  for (const [table, rowIds] of rowsOf) await quietly(deps.index.remove(table, { rowIds }));
  for (const [table, documentIds] of documentsOf) await quietly(deps.index.remove(table, { documentIds }));
}

/** A lost table holds nothing to remove. */
function ignoreLostTable(error: unknown): void {
  if (!(error instanceof IndexError) || error.kind !== 'lost') throw error;
}

const isOfRows = ({ kind }: Removal) => kind === 'rows' || kind === 'document';

/** Processes one batch of due removals. Resolves with their number. */
async function processBatch(deps: RemovalDeps): Promise<number> {
  const { db, log } = deps;
  // Leased for a while: if this process crashes, another one retries them.
  const { rows } = await sql<Removal>`
    UPDATE retrieval_removals SET not_before = ${afterSeconds(RETRY_SECONDS)}
    WHERE id IN (SELECT id FROM retrieval_removals WHERE not_before <= ${databaseNow} ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(db.query);
  const done: number[] = [];
  const attempt = async (removals: readonly Removal[], work: () => Promise<void>) => {
    try {
      await work();
      done.push(...removals.map(({ id }) => id));
    } catch (error) {
      log.warn({ err: error, removals: removals.length }, 'removals failed and are retried later');
    }
  };
  const ofRows = rows.filter(isOfRows);
  await attempt(ofRows, () => removeRows(deps, ofRows));
  for (const one of rows.filter((removal) => !isOfRows(removal))) await attempt([one], () => applyRemoval(deps, one));
  if (done.length > 0) await db.query.deleteFrom('retrieval_removals').where('id', 'in', done).execute();
  return rows.length;
}

/** Processes the pending removals: index entries, files and chunks. Failures are retried later. Never rejects. */
export async function processRemovals(deps: RemovalDeps, signal?: AbortSignal): Promise<void> {
  try {
    while ((await processBatch(deps)) === BATCH && signal?.aborted !== true);
  } catch (error) {
    deps.log.warn({ err: error }, 'pending removals could not be read');
  }
}
