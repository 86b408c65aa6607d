import type { DocumentUploaded, UploadFields } from '@ai-studio/contract/retrieval/document.ts';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import { hexId } from '../../kernel/ids.ts';
import { withFields } from '../collections/config.ts';
import { findOwnCollection, publicConfig } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { wakeIngest } from '../ingest/wake.ts';
import { announce, type Arrival, discardArrivals, enqueue, externalIdOf, requireQueueCapacity } from './arrival.ts';
import { hashFile } from './known.ts';
import { parseIndexedFields, parseMetadata } from './metadata.ts';
import { readersToStore } from '../readers/groups.ts';
import { originalKey } from './rows.ts';

/** A file that came. */
export interface UploadedFile {
  /** Where its bytes are; they are copied. */
  readonly path: string;
  readonly name: string | null;
  readonly bytes: number;
  readonly fields: UploadFields;
  /** Names of those who may read it, which its external id goes with; everybody who sees the collection where there are none. */
  readonly readers?: readonly string[] | null;
  /** Of the document, where somebody has to know it before it is there; else it gets one. */
  readonly documentId?: string;
}

/**
 * The format of a file, as far as it can be seen. Refuses files of kinds that are not read; those that turn out to be unreadable fail later, with
 * the reason.
 */
export async function formatOf(
  { texts }: RetrievalDeps,
  { path }: Pick<UploadedFile, 'path'>,
  name: string,
): Promise<string | null> {
  const { format, refused } = await texts.do({ type: 'sniff', path, name }, { urgent: true });
  if (refused === null || refused.code === 'ENCRYPTED') return format;
  const code = refused.code === 'UNSUPPORTED' ? 'unsupported_media_type' : 'unprocessable';
  throw new StudioError(code, `${refused.code}: ${refused.message}`, { param: 'file' });
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
  const indexedFields = parseIndexedFields(fields.indexed_fields);
  withFields(collection.fields, indexedFields, 'indexed_fields');
  const externalId = externalIdOf(fields, metadata, collection.ingest_config.external_id_field);
  const name = plainFileName(given.name ?? '') || 'document';
  await requireQueueCapacity(deps, actor);
  const format = await formatOf(deps, given, name);
  const { bytes } = given;
  const sha256 = await hashFile(given.path);
  const place = { tenantId: actor.tenantId, collectionId: collection.id };
  const readers = given.readers == null ? null : await readersToStore(db.query, place, externalId ?? '', given.readers);
  const arrival: Arrival = {
    id: given.documentId ?? hexId(),
    name,
    externalId,
    bytes,
    sha256,
    format,
    metadata,
    indexedFields,
    readers,
  };
  const { id } = arrival;
  await announce(deps, actor, collection, [arrival]);
  let row;
  try {
    await blobs.putFile(originalKey({ id, tenantId: actor.tenantId }), given.path);
    row = (await enqueue(deps, collection.id, [arrival])).get(id);
  } catch (error) {
    await discardArrivals(deps, actor, [id]);
    throw error;
  }
  if (row === undefined) throw new StudioError('not_found', 'The collection was deleted while the document came');
  await wakeIngest(deps, 'document');
  return {
    document_id: id,
    document_name: name,
    file_size: row.size,
    collection_id: collection.id,
    external_id: externalId,
    uploaded_at: row.created_at.toISOString(),
    operation: 'upload_document',
    state: 'queued',
    ingest_config: publicConfig(row.ingest_config, collection.embedding_dimension),
  };
}
