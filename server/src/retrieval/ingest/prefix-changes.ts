import { sql } from 'kysely';
import type { Prefixes } from '../../models/embedders.ts';
import { startBuild } from '../collections/build.ts';
import { withPresentPrefixes } from '../collections/config.ts';
import type { RetrievalDeps } from '../deps.ts';
import { presentPrefixes, samePrefixes } from '../embedding.ts';
import type { CollectionPrefixes } from '../tables.ts';

// What an embedding model wants before its texts may be changed in the catalogue. Collections that were embedded with other words are then
// embedded anew; those from before there were such words stay as they are until somebody makes them anew.

/** The change that a collection would begin by itself; null where it stays as it is. */
function changeOf({ catalogue }: RetrievalDeps, model: string, own: CollectionPrefixes | undefined): Prefixes | null {
  const present = presentPrefixes(catalogue, model);
  if (own === undefined || present === null || samePrefixes(own, present)) return null;
  return own.declined !== undefined && samePrefixes(own.declined, present) ? null : present;
}

interface Group {
  readonly model: string;
  readonly prefixes: CollectionPrefixes;
  readonly ids: readonly string[];
}

/**
 * Begins to embed anew what was embedded with other prefixes than its model has now. `begun` is what this process has made of collections, by their ids: it
 * begins the same change once, so that two processes whose configurations differ do not do so in turn.
 */
export async function followPrefixes(deps: RetrievalDeps, begun: Map<string, string>): Promise<void> {
  const { db, log } = deps;
  const { rows } = await sql<Group>`
    SELECT ingest_config->>'embedding_model' AS model, ingest_config->'embedding_prefixes' AS prefixes, array_agg(id) AS ids
    FROM collections
    WHERE deleted_at IS NULL AND build IS NULL AND ingest_config->'embedding_prefixes' IS NOT NULL
    GROUP BY 1, 2`.execute(db.query);
  for (const { model, prefixes, ids } of rows) {
    const change = changeOf(deps, model, prefixes);
    if (change === null) continue;
    const wanted = JSON.stringify(change);
    for (const id of ids) {
      if (begun.get(id) === wanted) continue;
      begun.set(id, wanted);
      if (await follow(deps, id)) log.info({ collectionId: id, model }, 'collection embedded anew: prefixes changed');
    }
  }
}

/** Resolves with whether its passages are embedded anew. */
async function follow(deps: RetrievalDeps, id: string): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await tx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    if (row === undefined || row.build !== null || row.deleted_at !== null) return false;
    const { embedding_model: model, embedding_prefixes: own } = row.ingest_config;
    const change = changeOf(deps, model, own);
    if (change === null || own === undefined) return false;
    const config = withPresentPrefixes(deps, row.ingest_config);
    if (own.passage !== change.passage)
      return startBuild(tx, row, { config, dimension: row.embedding_dimension, from: 'copying' });
    // What stands before queries alone leaves all vectors as they are.
    await tx
      .updateTable('collections')
      .set({ ingest_config: JSON.stringify(config) })
      .where('id', '=', id)
      .execute();
    return false;
  });
}
