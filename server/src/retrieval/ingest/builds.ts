import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../ports/database.ts';
import type { CollectionBuild } from '../tables.ts';
import { ANALYZER_VERSION } from '../analyzer/index.ts';
import { beginBuild } from '../collections/build.ts';
import type { RetrievalDeps } from '../deps.ts';
import { workOffRemovals } from '../writing/removals.ts';
import { wakeIngest } from './wake.ts';

// Changes of whole collections: each document is made anew in another table, then that takes the place of the present one.

/** Documents that a change has not made anew yet, or that were changed since. */
const missing = (build: CollectionBuild) => sql<boolean>`documents.revision IS NOT NULL
  AND (documents.built IS NULL OR documents.built->>'table' <> ${build.table} OR (documents.built->>'edits')::integer <> documents.edits)`;

/** Documents that are queued by one turn. */
const BATCH = 1_000;

/** Has the documents made anew that are not, unless something else is being done with them. Resolves with how many. */
async function queueMissing({ query }: Database, id: string, build: CollectionBuild): Promise<number> {
  const { rows } = await sql`
    WITH due AS (
      UPDATE documents SET last_revision = last_revision + 1
      WHERE id IN (
        SELECT documents.id FROM documents
        WHERE documents.collection_id = ${id} AND ${missing(build)}
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
    .where(missing(build))
    .limit(1)
    .execute();
  return left.length === 0;
}

/** The new table takes the place of the old one, with all documents at once; nothing where one is missing. */
async function swap(deps: RetrievalDeps, id: string): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await tx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    const build = row?.build ?? null;
    if (row === undefined || build === null || row.deleted_at !== null || !(await isComplete(tx, id, build)))
      return false;
    await sql`
      UPDATE documents SET revision = (built->>'revision')::integer, chunk_count = (built->>'chunks')::integer,
        ingest_config = ${JSON.stringify(build.config)}::jsonb, built = NULL, edits = edits + 1, updated_at = clock_timestamp()
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

/** Begins the changes that a new version of the analyser asks for. */
async function followAnalyser(deps: RetrievalDeps): Promise<void> {
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
      await beginBuild(tx, row, {
        config: row.ingest_config,
        dimension: row.embedding_dimension,
        from: 'copying',
      });
    });
}

/** Goes on with all changes of collections. */
export async function advanceBuilds(deps: RetrievalDeps): Promise<void> {
  const { db, log } = deps;
  await followAnalyser(deps);
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
    if (!(await swap(deps, id))) continue;
    log.info({ collectionId: id }, 'A collection was made anew with its present settings');
    await workOffRemovals(deps);
  }
}

/** The table of a change was lost: the change begins anew. */
export async function restartBuild({ db }: RetrievalDeps, collectionId: string, table: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', collectionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row?.build?.table === table) await beginBuild(tx, row, row.build);
  });
}
