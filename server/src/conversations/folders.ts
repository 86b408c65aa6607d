import type { ConversationFolder } from '@ai-studio/contract/console/conversations.ts';
import type { Kysely } from 'kysely';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { DatabaseDeps, Tables } from '../ports/database.ts';

/** Folders of a person in a tenant. */
const MAX_FOLDERS = 200;

const folderNotFound = () => new StudioError('not_found', 'There is no such folder', { param: 'folder' });
const ID = /^[0-9a-f]{32}$/;

const selectOwnFolder = (query: Kysely<Tables>, { tenantId, userId }: Person, id: string) => {
  if (!ID.test(id)) throw folderNotFound();
  return query
    .selectFrom('conversation_folders')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId);
};

/** Throws StudioError `not_found` for a folder that is not the person's own. */
export async function requireFolder(query: Kysely<Tables>, owner: Person, id: string): Promise<void> {
  await selectOwnFolder(query, owner, id).select('id').executeTakeFirstOrThrow(folderNotFound);
}

/** A person's folders, by their names. */
export const listFolders = (
  { db }: DatabaseDeps,
  { tenantId, userId }: Person,
): Promise<readonly ConversationFolder[]> =>
  db.query
    .selectFrom('conversation_folders')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();

/** Makes a folder. Errors: `conflict` (too_many_folders). */
export async function createFolder(deps: DatabaseDeps, owner: Person, name: string): Promise<ConversationFolder> {
  if ((await listFolders(deps, owner)).length >= MAX_FOLDERS)
    throw new StudioError('conflict', `You have ${MAX_FOLDERS} folders; delete some first`, {
      reason: 'too_many_folders',
    });
  return deps.db.query
    .insertInto('conversation_folders')
    .values({ id: hexId(), tenant_id: owner.tenantId, user_id: owner.userId, name })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
}

/** Gives a folder another name. Errors: `not_found`. */
export async function renameFolder(
  { db }: DatabaseDeps,
  owner: Person,
  id: string,
  name: string,
): Promise<ConversationFolder> {
  await requireFolder(db.query, owner, id);
  return db.query
    .updateTable('conversation_folders')
    .set({ name })
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow(folderNotFound);
}

/** Deletes a folder; its conversations lie in none then. Errors: `not_found`. */
export async function deleteFolder({ db }: DatabaseDeps, owner: Person, id: string): Promise<void> {
  await requireFolder(db.query, owner, id);
  await db.query.deleteFrom('conversation_folders').where('id', '=', id).execute();
}
