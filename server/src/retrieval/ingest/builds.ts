import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../ports/database.ts';
import type { CollectionBuild } from '../tables.ts';
import { ANALYZER_VERSION } from '../analyzer/index.ts';
import { startBuild } from '../collections/build.ts';
import type { RetrievalDeps } from '../deps.ts';
import { processRemovals } from '../writing/removals.ts';
import { wakeIngest } from './wake.ts';

// Rebuilds of whole collections: each document is indexed again in another table, which then replaces the present one.

/** Documents that a rebuild has not indexed yet, or that were changed since. */
const isUnbuilt = (build: CollectionBuild) => sql<boolean>`documents.revision IS NOT NULL
  AND (documents.built IS NULL OR documents.built->>'table' <> ${build.table} OR (documents.built->>'edits')::integer <> documents.edits)`;

/** Documents that are queued by one turn. */
const BATCH = 1_000;

/** Queues the documents that a rebuild lacks, except those with another job. Resolves with their number. */
async function queueMissing({ query }: Database, id: string, build: CollectionBuild): Promise<number> {
  const { rows } = await sql`
    WITH due AS (
      UPDATE documents SET last_revision = last_revision + 1
      WHERE id IN (
        SELECT documents.id FROM documents
        WHERE documents.collection_id = ${id} AND ${isUnbuilt(build)}
          AND NOT EXISTS (SELECT 1 FROM ingest_jobs WHERE ingest_jobs.document_id = documents.id)
        ORDER BY documents.number LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id, tenant_id, collection_id, last_revision
    )
    INSERT INTO ingest_jobs (document_id, tenant_id, collection_id, kind, stage, revision, build_table, ingest_config)
    SELECT id, tenant_id, collection_id, 'build', ${build.from}, last_revision, ${build.table}, ${JSON.stringify(build.config)}::jsonb FROM due
    ON CONFLICT (document_id) DO NOTHING
    RETURNING document_id`.execute(query);
  return rows.length;
}

async function isComplete(tx: Transaction<Tables>, id: string, build: CollectionBuild): Promise<boolean> {
  const left = await tx
    .selectFrom('documents')
    .select('id')
    .where('collection_id', '=', id)
    .where(isUnbuilt(build))
    .limit(1)
    .execute();
  return left.length === 0;
}

/** Swaps in the new table with all documents at once; does nothing until all are there. */
async function swapTables(deps: RetrievalDeps, id: string): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await tx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    const build = row?.build ?? null;
    if (row === undefined || build === null || row.deleted_at !== null || !(await isComplete(tx, id, build)))
      return false;
    await sql`
      UPDATE documents SET revision = (built->>'revision')::integer, chunk_count = (built->>'chunks')::integer,
        ingest_config = ${JSON.stringify(build.config)}::jsonb, built = NULL, edits = edits + 1,
        chunks_edited = chunks_edited AND ${build.from === 'copying'}, updated_at = clock_timestamp()
      WHERE collection_id = ${id} AND built IS NOT NULL AND revision IS NOT NULL`.execute(tx);
    await tx
      .updateTable('collections')
      .set((eb) => ({
        ingest_config: JSON.stringify(build.config),
        embedding_dimension: build.dimension,
        index_table: build.table,
        index_state: build.dimension === null ? 'none' : 'ready',
        index_version: eb('index_version', '+', 1),
        analyzer_version: build.analyzerVersion,
        build: null,
        updated_at: sql<Date>`clock_timestamp()`,
      }))
      .where('id', '=', id)
      .execute();
    await tx
      .insertInto('retrieval_removals')
      .values([
        { kind: 'table', index_table: row.index_table },
        { kind: 'stale', collection_id: id },
      ])
      .execute();
    return true;
  });
}

/** Starts the rebuilds that a new version of the analyzer requires. */
async function startAnalyzerRebuilds(deps: RetrievalDeps): Promise<void> {
  const { db } = deps;
  const old = await db.query
    .selectFrom('collections')
    .select('id')
    .where('analyzer_version', '<', ANALYZER_VERSION)
    .where('build', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of old)
    await db.transaction(async (tx) => {
      const row = await tx
        .selectFrom('collections')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (row === undefined || row.build !== null || row.analyzer_version >= ANALYZER_VERSION) return;
      await startBuild(tx, row, {
        config: row.ingest_config,
        dimension: row.embedding_dimension,
        from: 'copying',
      });
    });
}

/** Advances all rebuilds of collections. */
export async function advanceBuilds(deps: RetrievalDeps): Promise<void> {
  const { db, log } = deps;
  await startAnalyzerRebuilds(deps);
  const building = await db.query
    .selectFrom('collections')
    .select(['id', 'build'])
    .where('build', 'is not', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`build->>'failed' IS NULL`)
    .execute();
  for (const { id, build } of building) {
    if (build === null) continue;
    if ((await queueMissing(db, id, build)) > 0) {
      await wakeIngest(deps, 'document');
      continue;
    }
    if (!(await swapTables(deps, id))) continue;
    log.info({ collectionId: id }, 'collection reindexed with its present settings');
    await processRemovals(deps);
  }
}

/** Restarts a rebuild whose table was lost. */
export async function restartBuild(
  { db }: Pick<RetrievalDeps, 'db'>,
  collectionId: string,
  table: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', collectionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row?.build?.table === table) await startBuild(tx, row, row.build);
  });
}
