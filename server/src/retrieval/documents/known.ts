import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Actor } from '../../kernel/actor.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { findCollection } from '../collections/rows.ts';
import { isReadable, isVisible, likeText } from '../visibility.ts';

/** Documents of a search by name. */
const MAX_NAMED = 5;

/** SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** A file that is to be uploaded; without a hash its name alone is compared. */
interface GivenFile {
  readonly name: string;
  readonly folder?: string | undefined;
  readonly sha256?: string | undefined;
}

/** Files of one name in two folders are two documents. */
const placeOf = (folder: unknown, name: string): string =>
  JSON.stringify([typeof folder === 'string' ? folder : '', name]);

/** A document that a file would double. */
interface KnownFile {
  readonly index: number;
  readonly by: 'content' | 'name';
  readonly document_id: string;
  readonly document_name: string;
}

/** Which of these files the collection has already, by content or else by name. Throws StudioError `not_found`. */
export async function findKnownFiles(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  collectionId: string,
  files: readonly GivenFile[],
): Promise<KnownFile[]> {
  await findCollection(query, actor, collectionId);
  const names = files.map(({ name }) => plainFileName(name));
  const hashes = files.flatMap(({ sha256 }) => (sha256 === undefined ? [] : [sha256]));
  const rows = await query
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .select(['documents.id', 'documents.name', 'content_sha256', 'metadata'])
    .where('collection_id', '=', collectionId)
    .where(isReadable(actor))
    .where('state', 'not in', ['arriving', 'failed'])
    .where((where) =>
      where.or([
        where('documents.name', 'in', names),
        ...(hashes.length === 0 ? [] : [where('content_sha256', 'in', hashes)]),
      ]),
    )
    .orderBy('documents.number')
    .execute();
  const byHash = new Map(rows.flatMap((row) => (row.content_sha256 === null ? [] : [[row.content_sha256, row]])));
  const byName = new Map(rows.map((row) => [placeOf(row.metadata['folder'], row.name), row]));
  return files.flatMap(({ sha256, folder }, index): KnownFile[] => {
    const same = sha256 === undefined ? undefined : byHash.get(sha256);
    const named = byName.get(placeOf(folder, names[index] ?? ''));
    const found = same ?? named;
    if (found === undefined) return [];
    return [{ index, by: same === undefined ? 'name' : 'content', document_id: found.id, document_name: found.name }];
  });
}

/** Documents of all collections that are there for the caller, by their names, the newest first. */
export async function findDocumentsByName({ db: { query } }: DatabaseDeps, actor: Actor, name: string) {
  return query
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .select([
      'documents.id as document_id',
      'documents.name as document_name',
      'collections.id as collection_id',
      'collections.name as collection_name',
    ])
    .where(isVisible(actor))
    .where(isReadable(actor))
    .where('documents.state', '<>', 'arriving')
    .where('documents.name', 'ilike', likeText(name.normalize('NFC')))
    .orderBy('documents.number', 'desc')
    .limit(MAX_NAMED)
    .execute();
}
