import type {
  Collection,
  CollectionChange,
  IngestConfig,
  NewCollection,
} from '@ai-studio/contract/retrieval/collection.ts';
import { sql, type Transaction } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { readSettings } from '../../identity/index.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables, DatabaseDeps } from '../../ports/database.ts';
import { ANALYZER_VERSION } from '../analyzer/index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { LEXICAL_DIMENSION, LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import type { StoredIngestConfig } from '../tables.ts';
import { type EmbedderChooser, samePrefixes } from '../embedding.ts';
import { wakeIngest } from '../ingest/wake.ts';
import { cancelBuild, resumeBuild, startBuild } from './build.ts';
import {
  changedIngestConfig,
  newIngestConfig,
  searchConfigOf,
  searchDefaultsFor,
  withFields,
  withPresentPrefixes,
} from './config.ts';
import {
  collectionRecord,
  countsOf,
  findCollection,
  findOwnCollection,
  type Query,
  type VisibleCollection,
  withEmbeddingOf,
} from './rows.ts';
import { changedSearch } from './changed-search.ts';
import { restartUploads } from './restart-uploads.ts';
import { newTableName } from './index-table-name.ts';

const databaseNow = sql<Date>`clock_timestamp()`;

async function recordOf(query: Query, actor: Actor, row: VisibleCollection): Promise<Collection> {
  return collectionRecord(row, (await countsOf(query, actor, [row.id])).get(row.id));
}

/** The length of its vectors, where it is known before the first. */
const knownDimension = ({ embedding_model: model, embedding_dimension: requestedDimension }: IngestConfig) =>
  model === LEXICAL_MODEL ? LEXICAL_DIMENSION : requestedDimension;

/** What this actor's collections are embedded with where they name no model. */
export async function embedderChooserOf(
  { db }: Pick<RetrievalDeps, 'db'>,
  { tenantId, allowedModels }: Actor,
): Promise<EmbedderChooser> {
  const { default_embedding_model: tenantDefault } = await readSettings({ db }, tenantId);
  return { allowed: allowedModels, tenantDefault };
}

/** Stores a new collection. Resolves with its id; null where the person has one of this purpose, which nobody has two of. */
async function insertCollection(
  deps: RetrievalDeps,
  actor: Actor,
  given: NewCollection,
  purpose: 'shared' | 'chat',
): Promise<string | null> {
  const chooser = await embedderChooserOf(deps, actor);
  const config = newIngestConfig(deps, chooser, given.ingest_config);
  const fields = withFields([], config.indexed_fields, 'ingest_config.indexed_fields');
  const id = hexId();
  const made = await deps.db.query
    .insertInto('collections')
    .values({
      id,
      purpose,
      tenant_id: actor.tenantId,
      name: (given.collection_name ?? given.name ?? '').trim(),
      description: given.description ?? null,
      visibility: given.visibility ?? 'private',
      owner_user_id: actor.userId,
      owner_key_id: actor.userId === null ? actor.keyId : null,
      search_config: JSON.stringify(
        searchConfigOf(deps, actor, given.search_config, { base: searchDefaultsFor(config), fields }),
      ),
      ingest_config: JSON.stringify(config),
      fields,
      embedding_dimension: knownDimension(config),
      index_table: newTableName(id),
      analyzer_version: ANALYZER_VERSION,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

/** Makes a collection. Throws StudioError `invalid_request`. */
export async function createCollection(deps: RetrievalDeps, actor: Actor, given: NewCollection): Promise<Collection> {
  const id = await insertCollection(deps, actor, given, 'shared');
  return collectionRecord(await findCollection(deps.db.query, actor, id ?? ''));
}

/** Short chunks, cut without overlap, as those of a short file make up a prompt together. */
const CHAT_INGEST = { embedding_model: LEXICAL_MODEL, chunk_size: 512, chunk_overlap: 0 } as const;

/**
 * Id of the collection in which the files of a person's conversations lie, which is made where there is none. It needs no model, so a
 * file is ready as soon as it is read.
 */
export async function ensureChatCollection(deps: RetrievalDeps, actor: Actor): Promise<string> {
  const find = () =>
    deps.db.query
      .selectFrom('collections')
      .select('id')
      .where('tenant_id', '=', actor.tenantId)
      .where('owner_user_id', '=', actor.userId)
      .where('purpose', '=', 'chat')
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
  const found = await find();
  if (found !== undefined) return found.id;
  const given = { name: 'Files of conversations', ingest_config: CHAT_INGEST };
  const made = await insertCollection(deps, actor, given, 'chat');
  return made ?? (await find())?.id ?? '';
}

/** Throws StudioError `not_found`. */
export async function readCollection({ db: { query } }: DatabaseDeps, actor: Actor, id: string): Promise<Collection> {
  return recordOf(query, actor, await findCollection(query, actor, id));
}

/** Whether what is there was cut otherwise. */
const cutsOtherwise = (before: IngestConfig, after: IngestConfig) =>
  before.chunking_strategy !== after.chunking_strategy ||
  before.chunk_size !== after.chunk_size ||
  before.chunk_overlap !== after.chunk_overlap;

/** Whether what is there was embedded otherwise. */
const embedsOtherwise = (before: IngestConfig, after: IngestConfig) =>
  before.embedding_model !== after.embedding_model || before.embedding_dimension !== after.embedding_dimension;

/**
 * Changes a collection. Another embedding model makes all of it anew in the background, while searches go on over what there is;
 * another way to cut holds for documents from now on. Throws StudioError `not_found`, `forbidden`, `invalid_request`.
 */
export async function changeCollection(
  deps: RetrievalDeps,
  actor: Actor,
  id: string,
  change: CollectionChange,
): Promise<Collection> {
  const { db } = deps;
  const building = await db.transaction(async (tx) => {
    const row = await lockOwn(tx, actor, id);
    const name = change.collection_name ?? change.name;
    // What is being changed to is what a further change starts from.
    const base = row.build?.config ?? row.ingest_config;
    const config = change.ingest_config ? changedIngestConfig(deps, actor, base, change.ingest_config) : base;
    const anew = embedsOtherwise(base, config);
    const now = row.build ?? null;
    const fields = withFields(row.fields, config.indexed_fields, 'ingest_config.indexed_fields');
    const search = changedSearch(deps, actor, { change, before: base, after: config, row, fields });
    await tx
      .updateTable('collections')
      .set({
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(change.description === undefined ? {} : { description: change.description }),
        ...(change.visibility === undefined ? {} : { visibility: change.visibility }),
        ...search.set,
        ...(now === null ? {} : { build: JSON.stringify({ ...now, searchFollows: search.follows }) }),
        fields,
        updated_at: databaseNow,
      })
      .where('id', '=', id)
      .execute();
    if (change.ingest_config === undefined) return false;
    if (anew) {
      // Who asks for chunks of another size with another model means those that are there as well.
      const from = cutsOtherwise(row.ingest_config, config) ? 'chunking' : 'copying';
      const searchFollows = search.follows;
      return startBuild(tx, row, { config, dimension: knownDimension(config), from, searchFollows });
    }
    // The model stays what the table was made with.
    await tx
      .updateTable('collections')
      .set({
        ingest_config: JSON.stringify(withEmbeddingOf(config, row.ingest_config)),
        ...(now === null ? {} : { build: JSON.stringify({ ...now, config, searchFollows: search.follows }) }),
      })
      .where('id', '=', id)
      .execute();
    return false;
  });
  if (building) await wakeIngest(deps);
  return recordOf(db.query, actor, await findCollection(db.query, actor, id));
}

/** A collection that the caller may change, locked. Throws StudioError `not_found`, `forbidden`. */
async function lockOwn(tx: Transaction<Tables>, actor: Actor, id: string) {
  await findOwnCollection(tx, actor, id);
  return tx.selectFrom('collections').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/**
 * Cuts and embeds all documents anew, by the present settings, beside what there is; that is put in its place at once when all is
 * done. A change of all documents that failed goes on where it stands. Throws StudioError `not_found`, `forbidden`.
 */
export async function reindexCollection(deps: RetrievalDeps, actor: Actor, id: string): Promise<Collection> {
  const { db } = deps;
  await db.transaction(async (tx) => {
    const row = await lockOwn(tx, actor, id);
    if (row.build !== null && row.build.failed !== null) return resumeBuild(tx, id, row.build);
    await restartUploads(tx, row);
    const config = withPresentPrefixes(deps, row.build?.config ?? row.ingest_config);
    // All vectors are made anew: a model that was replaced may give others than it gave before.
    await startBuild(tx, row, {
      config,
      dimension: knownDimension(config),
      from: 'chunking',
      searchFollows: row.build?.searchFollows === true,
    });
  });
  await wakeIngest(deps);
  return recordOf(db.query, actor, await findCollection(db.query, actor, id));
}

/** The settings that stay when a change is given up: other prefixes of the same model do not begin another by themselves. */
function withDeclined(config: StoredIngestConfig, given: StoredIngestConfig): StoredIngestConfig {
  const [present, wanted] = [config.embedding_prefixes, given.embedding_prefixes];
  if (!present || !wanted || config.embedding_model !== given.embedding_model || samePrefixes(present, wanted))
    return config;
  const { query, passage } = wanted;
  return { ...config, embedding_prefixes: { ...present, declined: { query, passage } } };
}

/**
 * Gives up a change of all documents that is under way or failed: the collection stays as it is, with its present settings. Resolves
 * also where there is none. Throws StudioError `not_found`, `forbidden`.
 */
export async function discardReindex(deps: RetrievalDeps, actor: Actor, id: string): Promise<Collection> {
  const { db } = deps;
  await db.transaction(async (tx) => {
    const row = await lockOwn(tx, actor, id);
    if (row.build === null) return;
    await cancelBuild(tx, row);
    const kept = withDeclined(row.ingest_config, row.build.config);
    await tx
      .updateTable('collections')
      .set({
        build: null,
        ingest_config: JSON.stringify(kept),
        // The model that they were to be searched by as well does not come.
        ...(row.build.searchFollows === true
          ? { search_config: JSON.stringify({ ...row.search_config, mode: 'keyword' }) }
          : {}),
        updated_at: databaseNow,
      })
      .where('id', '=', id)
      .execute();
  });
  await wakeIngest(deps);
  return recordOf(db.query, actor, await findCollection(db.query, actor, id));
}

/** Called within the transaction of a deletion, so that an audit entry commits with it. */
export type OnDeleted = (
  tx: Parameters<Parameters<RetrievalDeps['db']['transaction']>[0]>[0],
  name: string,
) => Promise<void>;

/**
 * Nobody finds or sees the collection from the moment this resolves; its documents, files and index are removed in the background,
 * also after a crash. Throws StudioError `not_found`, `forbidden`.
 */
export async function deleteCollection(
  deps: RetrievalDeps,
  actor: Actor,
  id: string,
  onDeleted?: OnDeleted,
): Promise<{ collection_id: string; deleted_at: string; operation: 'delete_collection' }> {
  const deletedAt = await deps.db.transaction(async (tx) => {
    const { name } = await findOwnCollection(tx, actor, id);
    const { deleted_at: at } = await tx
      .updateTable('collections')
      .set({ deleted_at: databaseNow })
      .where('id', '=', id)
      .returning('deleted_at')
      .executeTakeFirstOrThrow();
    await onDeleted?.(tx, name);
    return at;
  });
  await wakeIngest(deps);
  return {
    collection_id: id,
    deleted_at: (deletedAt ?? new Date(deps.now())).toISOString(),
    operation: 'delete_collection',
  };
}
