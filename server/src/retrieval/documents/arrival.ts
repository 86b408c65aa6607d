import { sql } from 'kysely';
import type { Actor, Principal } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { withFields } from '../collections/config.ts';
import { type CollectionRow, collectionNotFound } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { processRemovals } from '../writing/removals.ts';
import { originalKey } from './rows.ts';

// How documents arrive: rows that nobody sees while their files are put away, and then jobs.

/** Documents of a tenant that may wait at the same time. */
const MAX_QUEUED = 20_000;
const RETRY_SECONDS = 30;

/** The document's own id with its owner: as it was given, or what stands in the metadata field that holds it. */
export function externalIdOf(
  {
    external_id: given,
    external_id_field: field,
  }: { readonly external_id?: string | undefined; readonly external_id_field?: string | undefined },
  metadata: Readonly<Record<string, unknown>>,
  collectionField: string | null,
): string | null {
  if (given !== undefined) return given;
  const name = field ?? collectionField;
  const value = name !== null && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value).slice(0, 500);
  if (field === undefined) return null;
  throw invalidRequest(`metadata has no text or number in the field ${field}`, 'external_id_field');
}

/** Throws StudioError `rate_limited` where too many documents of the tenant wait for these to be taken as well. */
export async function requireQueueCapacity(
  { db }: Pick<RetrievalDeps, 'db'>,
  { tenantId }: Principal,
  more = 1,
): Promise<void> {
  const { open } = await db.query
    .selectFrom('ingest_jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (Number(open) + more > MAX_QUEUED)
    throw new StudioError('rate_limited', `${MAX_QUEUED} documents of yours wait to be taken in; try again later`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
}

/** Bytes of the longest text that is read beside others, without a process of its own. */
const SHORT_BYTES = 65_536;
const shortFormats: ReadonlySet<string | null> = new Set(['text', 'markdown']);

/** A document whose file is put away. */
export interface Arrival {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly bytes: number;
  readonly sha256: string;
  /** Null where it is found out when it is read. */
  readonly format: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly indexedFields: readonly string[];
  /** Names of those who may read it; everybody who sees the collection where there are none. */
  readonly readers?: readonly string[] | null | undefined;
}

/** Whether the document is taken in beside others, by one turn. */
const isShort = ({ bytes, format }: Arrival): boolean => bytes <= SHORT_BYTES && shortFormats.has(format);

/** Announces documents: nobody sees them yet. */
export async function announce(
  { db }: Pick<RetrievalDeps, 'db'>,
  actor: Actor,
  collection: CollectionRow,
  arrivals: readonly Arrival[],
): Promise<void> {
  await db.query
    .insertInto('documents')
    .values(
      arrivals.map((one) => ({
        id: one.id,
        tenant_id: actor.tenantId,
        collection_id: collection.id,
        name: one.name,
        external_id: one.externalId,
        size: one.bytes,
        content_sha256: one.sha256,
        format: one.format,
        metadata: JSON.stringify(one.metadata),
        indexed_fields: [...one.indexedFields],
        readers: one.readers == null ? null : [...one.readers],
        ingest_config: JSON.stringify(collection.ingest_config),
        key_id: actor.keyId,
        user_id: actor.userId,
        state: 'arriving' as const,
        created_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute();
}

/** The documents are there and wait, unless their collection has gone meanwhile. Resolves with their rows by id. */
export async function enqueue({ db }: Pick<RetrievalDeps, 'db'>, collectionId: string, arrivals: readonly Arrival[]) {
  const fields = [...new Set(arrivals.flatMap(({ indexedFields }) => indexedFields))];
  return db.transaction(async (tx) => {
    const present = await tx
      .selectFrom('collections')
      .select(['fields', 'ingest_config'])
      .where('id', '=', collectionId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (present === undefined) throw collectionNotFound(collectionId);
    const all = withFields(present.fields, fields, 'indexed_fields');
    if (all.length !== present.fields.length)
      await tx.updateTable('collections').set({ fields: all }).where('id', '=', collectionId).execute();
    if (arrivals.some(({ readers }) => readers != null))
      await tx.updateTable('collections').set({ has_restricted: true }).where('id', '=', collectionId).execute();
    const config = JSON.stringify(present.ingest_config);
    const rows = await tx
      .updateTable('documents')
      .set({ state: 'queued', last_revision: 1, ingest_config: config })
      .where(
        'id',
        'in',
        arrivals.map(({ id }) => id),
      )
      .returningAll()
      .execute();
    // Where a model is asked about each passage, documents are taken in one by one.
    const isAsked = present.ingest_config.context_model != null;
    const short = new Set(isAsked ? [] : arrivals.filter(isShort).map(({ id }) => id));
    await tx
      .insertInto('ingest_jobs')
      .values(
        rows.map((row) => ({
          document_id: row.id,
          tenant_id: row.tenant_id,
          collection_id: row.collection_id,
          kind: 'document' as const,
          stage: 'parsing' as const,
          revision: 1,
          ingest_config: config,
          short: short.has(row.id),
        })),
      )
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  });
}

/**
 * Removes what failed to arrive; what cannot be removed now is removed with the abandoned uploads. Documents that wait all the same, as only the
 * reply to their commit was lost, keep their files.
 */
export async function discardArrivals(
  deps: Pick<RetrievalDeps, 'db' | 'index' | 'blobs' | 'log'>,
  { tenantId }: Principal,
  ids: readonly string[],
): Promise<void> {
  try {
    await deps.db.transaction(async (tx) => {
      const gone = await tx
        .deleteFrom('documents')
        .where('id', 'in', [...ids])
        .where('state', '=', 'arriving')
        .returning('id')
        .execute();
      if (gone.length > 0)
        await tx
          .insertInto('retrieval_removals')
          .values(gone.map(({ id }) => ({ kind: 'blob' as const, blob_key: originalKey({ id, tenantId }) })))
          .execute();
    });
    await processRemovals(deps);
  } catch (error) {
    deps.log.warn({ err: error, documents: ids.length }, 'failed uploads could not be removed yet');
  }
}
