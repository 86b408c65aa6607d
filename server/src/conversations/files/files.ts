import type { ConversationFile, MessageFile } from '@ai-studio/contract/console/conversation-parts.ts';
import { buffer } from 'node:stream/consumers';
import type { Selectable } from 'kysely';
import { unlimitedActor, type Actor, type Person, type PersonActor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { plainFileName } from '../../kernel/file-name.ts';
import { hexId } from '../../kernel/ids.ts';
import type { TenantId } from '../../kernel/context.ts';
import {
  ensureChatCollection,
  deleteDocument,
  readDocument,
  type RetrievalDeps,
  uploadDocument,
} from '../../retrieval/index.ts';
import type { ConversationFilesTable } from '../tables.ts';
import { pictureType } from './picture-type.ts';

// Files that people give to conversations. Documents are read by what reads those of collections, in a collection of the person that
// nothing else shows; pictures lie in the blob store.

export interface ChatFilesDeps {
  readonly retrieval: RetrievalDeps;
}

/** A file of this machine that came. */
export interface GivenChatFile {
  readonly path: string;
  readonly name: string | null;
  readonly bytes: number;
}

export type FileRow = Selectable<ConversationFilesTable>;

/** Metadata field by which searches are kept to some files. */
export const FILE_FIELD = 'chat_file';
/** Largest picture: the console makes larger ones smaller before it sends them. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Files of one person that no message has brought yet. */
const MAX_UNUSED = 200;

const notFound = () => new StudioError('not_found', 'There is no such file');
const pictureKey = (tenantId: TenantId, id: string) => `conversation-files/${tenantId}/${id}`;

/** The actor with sight of the collection in which the files of their conversations lie. */
export const withChatFiles = <A extends Actor>(actor: A): A => ({
  ...actor,
  rights: new Set([...actor.rights, 'chat.files'] as const),
});

const rowsOf = ({ retrieval: { db } }: ChatFilesDeps, { tenantId, userId }: Person) =>
  db.query.selectFrom('conversation_files').selectAll().where('tenant_id', '=', tenantId).where('user_id', '=', userId);

const ID = /^[0-9a-f]{32}$/;

/** Files of a person by their ids, in that order; those that are not theirs are left out. */
export async function findFiles(deps: ChatFilesDeps, owner: Person, ids: readonly string[]): Promise<FileRow[]> {
  const known = ids.filter((id) => ID.test(id));
  if (known.length === 0) return [];
  const rows = await rowsOf(deps, owner).where('id', 'in', known).execute();
  return known.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** The files that messages of a person's conversation brought. */
export const filesOf = (deps: ChatFilesDeps, owner: Person, conversationId: string): Promise<FileRow[]> =>
  rowsOf(deps, owner).where('conversation_id', '=', conversationId).execute();

/** How far the reading of a document has come. */
async function readingOf({ retrieval }: ChatFilesDeps, actor: Actor, row: FileRow) {
  if (row.document_id === null) return { state: 'ready', progress: 1, error: null, pages: null } as const;
  const address = { documentId: row.document_id, collectionId: row.collection_id ?? undefined };
  try {
    const {
      state,
      progress,
      error,
      page_count: pages,
      chunk_count: chunks,
    } = await readDocument(retrieval, actor, address);
    if (state === 'failed') return { state, progress: 1, error: error?.code ?? 'FAILED', pages } as const;
    if (state !== 'ready') return { state: 'reading', progress, error: null, pages } as const;
    if (chunks === 0) return { state: 'failed', progress: 1, error: 'NO_TEXT', pages } as const;
    return { state, progress: 1, error: null, pages } as const;
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'not_found') throw error;
    return { state: 'failed', progress: 1, error: 'GONE', pages: null } as const;
  }
}

/** Files of a person by their ids, with how far they have been read. */
export async function describeFiles(
  deps: ChatFilesDeps,
  owner: PersonActor,
  ids: readonly string[],
): Promise<ConversationFile[]> {
  const actor = withChatFiles(owner);
  const rows = await findFiles(deps, owner, ids);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      name: row.name,
      size: Number(row.size),
      kind: row.kind,
      ...(await readingOf(deps, actor, row)),
    })),
  );
}

async function requireRoom(deps: ChatFilesDeps, owner: Person): Promise<void> {
  const unused = await rowsOf(deps, owner)
    .clearSelect()
    .select('id')
    .where('conversation_id', 'is', null)
    .limit(MAX_UNUSED)
    .execute();
  if (unused.length >= MAX_UNUSED)
    throw new StudioError('conflict', `${MAX_UNUSED} of your files wait for a message; send or remove some first`);
}

/**
 * Keeps a file for the next message of its owner and has it read. Throws StudioError `too_large`, `conflict`,
 * `unsupported_media_type`, `unprocessable`, `rate_limited`, `unavailable`.
 */
export async function addFile(
  deps: ChatFilesDeps,
  owner: PersonActor,
  given: GivenChatFile,
): Promise<ConversationFile> {
  const { db, blobs } = deps.retrieval;
  await requireRoom(deps, owner);
  const id = hexId();
  const name = plainFileName(given.name ?? '') || 'file';
  const base = { id, tenant_id: owner.tenantId, user_id: owner.userId, name, size: given.bytes };
  const type = await pictureType(given.path);
  if (type !== null) {
    if (given.bytes > MAX_PICTURE_BYTES)
      throw new StudioError('too_large', `A picture may have at most ${MAX_PICTURE_BYTES} bytes`, {
        reason: 'document_too_large',
        values: { max_bytes: MAX_PICTURE_BYTES },
      });
    // The row comes first, so that no bytes lie there of which nobody knows.
    await db.query
      .insertInto('conversation_files')
      .values({ ...base, kind: 'picture', media_type: type })
      .execute();
    await blobs.putFile(pictureKey(owner.tenantId, id), given.path);
    return { id, name, size: given.bytes, kind: 'picture', state: 'ready', progress: 1, error: null, pages: null };
  }
  const actor = withChatFiles(owner);
  const collectionId = await ensureChatCollection(deps.retrieval, actor);
  const documentId = hexId();
  // As with pictures: where the process ends in between, what is never brought by a message is removed with its document, or without one.
  await db.query
    .insertInto('conversation_files')
    .values({ ...base, kind: 'document', collection_id: collectionId, document_id: documentId })
    .execute();
  try {
    await uploadDocument(deps.retrieval, actor, collectionId, {
      ...given,
      documentId,
      fields: { metadata: JSON.stringify({ [FILE_FIELD]: id }), indexed_fields: JSON.stringify([FILE_FIELD]) },
    });
  } catch (error) {
    await db.query.deleteFrom('conversation_files').where('id', '=', id).execute();
    throw error;
  }
  return { id, name, size: given.bytes, kind: 'document', state: 'reading', progress: 0, error: null, pages: null };
}

/** A picture as it came. Throws StudioError `not_found`. */
export async function openPicture(
  { retrieval: { blobs } }: ChatFilesDeps,
  { tenant_id: tenantId, id, kind, media_type: type }: FileRow,
): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const content = kind === 'picture' ? await blobs.get(pictureKey(tenantId, id)) : null;
  if (content === null) throw notFound();
  return { type: type ?? 'application/octet-stream', bytes: await buffer(content) };
}

/** A person's own file. Throws StudioError `not_found`. */
export async function findFile(deps: ChatFilesDeps, owner: Person, id: string): Promise<FileRow> {
  const [row] = await findFiles(deps, owner, [id]);
  if (row === undefined) throw notFound();
  return row;
}

/** Removes files with what was read of them. */
export async function removeFiles({ retrieval }: ChatFilesDeps, rows: readonly FileRow[]): Promise<void> {
  for (const { id, tenant_id: tenantId, user_id: userId, kind, document_id: documentId } of rows) {
    const actor = withChatFiles(unlimitedActor({ tenantId, userId, keyId: null }));
    if (kind === 'picture') await retrieval.blobs.delete(pictureKey(tenantId, id));
    else if (documentId !== null)
      await deleteDocument(retrieval, actor, { documentId }).catch((error: unknown) => {
        if (!(error instanceof StudioError) || error.code !== 'not_found') throw error;
      });
    await retrieval.db.query.deleteFrom('conversation_files').where('id', '=', id).execute();
  }
}

/** Removes a file that no message has brought yet. Throws StudioError `not_found`, `conflict`. */
export async function removeUnsent(deps: ChatFilesDeps, owner: Person, id: string): Promise<void> {
  const row = await findFile(deps, owner, id);
  if (row.conversation_id !== null) throw new StudioError('conflict', 'A message has brought the file');
  await removeFiles(deps, [row]);
}

/** Removes at most so many files that belong to no conversation, a day after they came. Returns how many. */
export async function removeUnused(deps: ChatFilesDeps, most: number): Promise<number> {
  const rows = await deps.retrieval.db.query
    .selectFrom('conversation_files')
    .selectAll()
    .where('conversation_id', 'is', null)
    .where('created_at', '<', new Date(Date.now() - 86_400_000))
    .orderBy('created_at')
    .limit(most)
    .execute();
  const failures: unknown[] = [];
  // One that cannot be removed keeps no other.
  for (const row of rows) await removeFiles(deps, [row]).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

/** A file as a message keeps it. */
export const messageFile = ({ id, name, size, kind }: FileRow): MessageFile => ({ id, name, size: Number(size), kind });
