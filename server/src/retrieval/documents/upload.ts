import type { DocumentUploaded, UploadFields } from '@ai-studio/contract/retrieval/document.ts';
import { sql } from 'kysely';
import type { Actor, Principal } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import { hexId } from '../../kernel/ids.ts';
import { withFields } from '../collections/config.ts';
import { type CollectionRow, findOwnCollection, collectionNotFound, publicConfig } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { wakeIngest } from '../ingest/wake.ts';
import { hashFile } from './known.ts';
import { parseIndexedFields, parseMetadata } from './metadata.ts';
import { originalKey } from './rows.ts';

/** A file that came. */
export interface UploadedFile {
  /** Where its bytes are; they are copied. */
  readonly path: string;
  readonly name: string | null;
  readonly bytes: number;
  readonly fields: UploadFields;
  /** Of the document, where somebody has to know it before it is there; else it gets one. */
  readonly documentId?: string;
}

/** Documents of a tenant that may wait at the same time. */
const MAX_QUEUED = 20_000;
const RETRY_SECONDS = 30;

/** The document's own id with its owner: as it was given, or what stands in the metadata field that holds it. */
function externalId(
  { external_id: given, external_id_field: field }: UploadFields,
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

/** Refuses files of kinds that are not read; those that turn out to be unreadable fail later, with the reason. */
async function formatOf({ texts }: RetrievalDeps, { path }: UploadedFile, name: string): Promise<string | null> {
  const { format, refused } = await texts.do({ type: 'sniff', path, name }, { urgent: true });
  if (refused === null || refused.code === 'ENCRYPTED') return format;
  const code = refused.code === 'UNSUPPORTED' ? 'unsupported_media_type' : 'unprocessable';
  throw new StudioError(code, `${refused.code}: ${refused.message}`, { param: 'file' });
}

async function requireQueueCapacity({ db }: RetrievalDeps, { tenantId }: Principal): Promise<void> {
  const { open } = await db.query
    .selectFrom('ingest_jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (Number(open) >= MAX_QUEUED)
    throw new StudioError('rate_limited', `${MAX_QUEUED} documents of yours wait to be taken in; try again later`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
}

/** The document is there and waits, unless its collection has gone meanwhile. */
async function enqueue({ db }: RetrievalDeps, id: string, collection: CollectionRow, fields: readonly string[]) {
  return db.transaction(async (tx) => {
    const present = await tx
      .selectFrom('collections')
      .select(['fields', 'ingest_config'])
      .where('id', '=', collection.id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (present === undefined) throw collectionNotFound(collection.id);
    const all = withFields(present.fields, fields, 'indexed_fields');
    if (all.length !== present.fields.length)
      await tx.updateTable('collections').set({ fields: all }).where('id', '=', collection.id).execute();
    const row = await tx
      .updateTable('documents')
      .set({ state: 'queued', last_revision: 1, ingest_config: JSON.stringify(present.ingest_config) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('ingest_jobs')
      .values({
        document_id: id,
        tenant_id: row.tenant_id,
        collection_id: row.collection_id,
        kind: 'document',
        stage: 'parsing',
        revision: 1,
        ingest_config: JSON.stringify(present.ingest_config),
      })
      .execute();
    return row;
  });
}

/** Removes a failed upload; what cannot be removed now is removed with the abandoned uploads. */
async function discardUpload({ db, blobs, log }: RetrievalDeps, id: string, key: string): Promise<void> {
  try {
    await blobs.delete(key);
    await db.query.deleteFrom('documents').where('id', '=', id).where('state', '=', 'arriving').execute();
  } catch (error) {
    log.warn({ err: error, documentId: id }, 'failed upload could not be removed yet');
  }
}

/**
 * Keeps a file and has it taken in, by whichever process has room, also after a new start. Throws StudioError `not_found`,
 * `forbidden`, `invalid_request`, `unsupported_media_type`, `unprocessable` (an empty file), `rate_limited`, `unavailable`.
 */
export async function uploadDocument(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  given: UploadedFile,
): Promise<DocumentUploaded> {
  const { db, blobs } = deps;
  const { fields } = given;
  const collection = await findOwnCollection(db.query, actor, collectionId, 'collection_id');
  const metadata = parseMetadata(fields.metadata);
  const indexed = parseIndexedFields(fields.indexed_fields);
  withFields(collection.fields, indexed, 'indexed_fields');
  const external = externalId(fields, metadata, collection.ingest_config.external_id_field);
  const name = plainFileName(given.name ?? '') || 'document';
  await requireQueueCapacity(deps, actor);
  const format = await formatOf(deps, given, name);
  const { documentId: id = hexId() } = given;
  const { tenantId } = actor;
  await db.query
    .insertInto('documents')
    .values({
      id,
      tenant_id: tenantId,
      collection_id: collection.id,
      name,
      external_id: external,
      size: given.bytes,
      content_sha256: await hashFile(given.path),
      format,
      metadata: JSON.stringify(metadata),
      indexed_fields: indexed,
      ingest_config: JSON.stringify(collection.ingest_config),
      key_id: actor.keyId,
      user_id: actor.userId,
      state: 'arriving',
      created_at: sql`clock_timestamp()`,
    })
    .execute();
  const key = originalKey({ id, tenantId });
  let row: Awaited<ReturnType<typeof enqueue>>;
  try {
    await blobs.putFile(key, given.path);
    row = await enqueue(deps, id, collection, indexed);
  } catch (error) {
    await discardUpload(deps, id, key);
    throw error;
  }
  await wakeIngest(deps, 'document');
  return {
    document_id: id,
    document_name: name,
    file_size: row.size,
    collection_id: collection.id,
    external_id: external,
    uploaded_at: row.created_at.toISOString(),
    operation: 'upload_document',
    state: 'queued',
    ingest_config: publicConfig(row.ingest_config, collection.embedding_dimension),
  };
}
