import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import { hexId } from '../../kernel/ids.ts';
import { findOwnCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { wakeIngest } from '../ingest/wake.ts';
import { announce, type Arrival, discardArrivals, enqueue, externalIdOf, requireQueueCapacity } from './arrival.ts';
import { hashFile } from './known.ts';
import { checkMetadata } from './metadata.ts';
import { originalKey } from './rows.ts';
import { formatOf } from './upload.ts';

/** One of many files that came together. */
export interface OneOfMany {
  /** Where its bytes are; they are copied. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** Becomes the metadata field `folder`; null where it has none. */
  readonly folder: string | null;
}

/** What became of a file: the document that is being taken in, or why it was refused. */
export type ManyOutcome =
  | { readonly id: string; readonly name: string; readonly bytes: number }
  | { readonly refused: StudioError };

/** Files that are looked at and put away at the same time. */
const AT_ONCE = 8;

/** Does the work for each item, a few at a time, and resolves with the results in order. Rejects with the first failure once all have ended. */
async function mapInTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const take = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  const done = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, take));
  for (const result of done) if (result.status === 'rejected') throw result.reason;
  return results;
}

/**
 * Keeps files that came together and has them taken in: two statements and one transaction for all of them. A file of a kind that is not read is
 * refused by itself. Outcomes stand in the order of the files. Throws StudioError `not_found`, `forbidden`, `rate_limited`, `unavailable`; then
 * none of them is kept.
 */
export async function uploadDocuments(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  files: readonly OneOfMany[],
): Promise<ManyOutcome[]> {
  const collection = await findOwnCollection(deps.db.query, actor, collectionId, 'collection_id');
  await requireQueueCapacity(deps, actor, files.length);
  const { external_id_field: externalIdField } = collection.ingest_config;
  const looked = await mapInTurns(files, async (file): Promise<Arrival | { readonly refused: StudioError }> => {
    const { path, bytes, folder } = file;
    const name = plainFileName(file.name) || 'document';
    try {
      const metadata = checkMetadata(folder === null ? {} : { folder });
      const format = await formatOf(deps, { path }, name);
      const externalId = externalIdOf({}, metadata, externalIdField);
      const sha256 = await hashFile(path);
      return { id: hexId(), name, externalId, bytes, sha256, format, metadata, indexedFields: [] };
    } catch (error) {
      if (error instanceof StudioError && error.code !== 'unavailable') return { refused: error };
      throw error;
    }
  });
  const arrivals = looked.flatMap((one, at) => ('refused' in one ? [] : [{ one, path: files[at]?.path ?? '' }]));
  if (arrivals.length > 0) {
    const documents = arrivals.map(({ one }) => one);
    await announce(deps, actor, collection, documents);
    try {
      await mapInTurns(arrivals, ({ one: { id }, path }) =>
        deps.blobs.putFile(originalKey({ id, tenantId: actor.tenantId }), path),
      );
      await enqueue(deps, collection.id, documents);
    } catch (error) {
      await discardArrivals(
        deps,
        actor,
        documents.map(({ id }) => id),
      );
      throw error;
    }
    await wakeIngest(deps, 'document');
  }
  return looked.map((one) => ('refused' in one ? one : { id: one.id, name: one.name, bytes: one.bytes }));
}
