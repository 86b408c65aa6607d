import type {
  Conversation,
  ConversationChange,
  ConversationParameters,
  ConversationSummary,
  NewConversation,
} from '@ai-studio/contract/console/conversations.ts';
import { sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { Person, PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database, Tables } from '../ports/database.ts';
import { comparedWith, newestLeaf } from './branches.ts';
import { requireFolder } from './folders.ts';
import { type ChatFilesDeps, filesOf, removeFiles } from './files/files.ts';
import { namedCollections, requireCollections } from './collections.ts';
import { conversationNotFound, requireId, stripNul } from './validation.ts';
import {
  conversationColumns,
  findOwn,
  nowInMilliseconds,
  readMessages,
  selectOwn,
  toConversation,
  toHead,
} from './rows.ts';
import { openValueMask } from './value-mask.ts';

interface Deps {
  readonly db: Database;
}

interface ReadDeps extends Deps {
  readonly box: SecretBox;
}

/** Who reads collections: with the rights of their role. */
type Reader = PersonActor;

/** Conversations of a person in a tenant: more than anybody has in years, and an end for whoever makes them without one. */
const MAX_CONVERSATIONS = 10_000;

async function requireQuota({ query }: Database, { tenantId, userId }: Person): Promise<void> {
  const last = await query
    .selectFrom('conversations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .offset(MAX_CONVERSATIONS - 1)
    .limit(1)
    .executeTakeFirst();
  if (last) throw new StudioError('conflict', `You have ${MAX_CONVERSATIONS} conversations; delete some first`);
}

/** Whoever may not tell models how to answer may still take away what is told. Throws StudioError `forbidden`. */
function requireSettings(
  { rights }: Reader,
  {
    system_prompt: prompt,
    parameters = {},
  }: { readonly system_prompt?: string | null | undefined; readonly parameters?: ConversationParameters | undefined },
): void {
  const tells = (prompt ?? '') !== '' || Object.values(parameters).some((value) => value != null);
  if (tells && !rights.has('chat.settings'))
    throw new StudioError('forbidden', 'Your role does not set how models answer', { reason: 'role_missing' });
}

/** Begins an empty conversation. Its title comes with the first question. Errors: `conflict`, `forbidden` (role_missing). */
export async function createConversation(
  { db, box }: ReadDeps,
  person: Reader,
  {
    model,
    system_prompt,
    temporary,
    collections = [],
    parameters = {},
    models_beside = [],
  }: z.input<typeof NewConversation>,
): Promise<Conversation> {
  requireSettings(person, { system_prompt, parameters });
  await requireQuota(db, person);
  const named = await requireCollections({ db }, person, collections);
  const row = await db.query
    .insertInto('conversations')
    .values({
      id: hexId(),
      tenant_id: person.tenantId,
      user_id: person.userId,
      model: stripNul(model),
      system_prompt: stripNul(system_prompt ?? '') || null,
      collections: JSON.stringify(named.map(({ id }) => id)),
      parameters: JSON.stringify(parameters),
      models_beside: JSON.stringify(models_beside.map(stripNul)),
      temporary: temporary ?? false,
      created_at: nowInMilliseconds,
      updated_at: nowInMilliseconds,
    })
    .returning(conversationColumns)
    .executeTakeFirstOrThrow();
  return toConversation(openValueMask(box, row), row, [], named);
}

/** A conversation with all its messages. Errors: `not_found`. */
export async function getConversation({ db, box }: ReadDeps, owner: Reader, id: string): Promise<Conversation> {
  const { row, messages } = await db.transaction(async (tx) => {
    // One moment for both: an answer does not grow between them.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    const row = await findOwn(tx, owner, id);
    return { row, messages: await readMessages(tx, row.id) };
  });
  const collections = await namedCollections({ db }, owner, row.collections);
  return toConversation(openValueMask(box, row), row, messages, collections);
}

/**
 * Changes a conversation, with tokens in place of values that are known. A title that a person chose stays. Errors: `not_found`,
 * `invalid_request`, `forbidden` (role_missing).
 */
export async function changeConversation(
  { db, box }: ReadDeps,
  owner: Reader,
  id: string,
  change: z.output<typeof ConversationChange>,
): Promise<ConversationSummary> {
  const { title, model, system_prompt, collections, pinned, shown, parameters, models_beside, folder } = change;
  requireSettings(owner, change);
  const named = collections === undefined ? undefined : await requireCollections({ db }, owner, collections);
  return db.transaction(async (tx) => {
    const found = await selectOwn(tx, owner, id)
      .select(['id', 'personal'])
      .forUpdate()
      .executeTakeFirstOrThrow(conversationNotFound);
    const mask = openValueMask(box, found);
    const stored = (text: string) => mask.mask(stripNul(text));
    if (folder != null) await requireFolder(tx, owner, folder);
    const leaf = shown === undefined ? undefined : await leafOf(tx, found.id, shown);
    const row = await tx
      .updateTable('conversations')
      .set({
        ...(leaf === undefined ? {} : { leaf_id: leaf }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
        ...(models_beside === undefined ? {} : { models_beside: JSON.stringify(models_beside.map(stripNul)) }),
        ...(folder === undefined ? {} : { folder_id: folder }),
        ...(named === undefined ? {} : { collections: JSON.stringify(named.map((one) => one.id)) }),
        ...(title === undefined ? {} : { title: stored(title), own_title: true }),
        ...(model === undefined ? {} : { model: stripNul(model) }),
        ...(system_prompt === undefined ? {} : { system_prompt: stored(system_prompt ?? '') || null }),
        // An UPDATE sets something.
        id: sql.ref('id'),
      })
      .where('id', '=', found.id)
      .returning(conversationColumns)
      .executeTakeFirstOrThrow(conversationNotFound);
    return toHead(mask, row);
  });
}

/** The last message of the version that a message is of. Errors: `invalid_request`. */
async function leafOf(tx: Transaction<Tables>, conversationId: string, shown: string): Promise<string> {
  const all = await readMessages(tx, conversationId);
  const chosen = all.find(({ id }) => id === shown);
  // The others become versions, as after another try.
  const beside = comparedWith(all, chosen);
  if (beside.length > 0)
    await tx
      .updateTable('conversation_messages')
      .set({ compared: false })
      .where('id', 'in', [shown, ...beside.map(({ id }) => id)])
      .execute();
  if (chosen !== undefined) return newestLeaf(all, shown);
  throw new StudioError('invalid_request', 'shown names no message of this conversation', {
    param: 'shown',
    reason: 'invalid_field',
  });
}

interface DeleteDeps extends Deps {
  readonly forget: (conversationId: string) => void;
  readonly files: ChatFilesDeps;
}

/** Deletes a conversation with its messages and their files; an answer under way ends. Errors: `not_found`. */
export async function deleteConversation({ db, forget, files }: DeleteDeps, owner: Person, id: string): Promise<void> {
  const { tenantId, userId } = owner;
  const brought = await filesOf(files, owner, requireId(id));
  const { numDeletedRows } = await db.query
    .deleteFrom('conversations')
    .where('id', '=', requireId(id))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw conversationNotFound();
  forget(id);
  // Where this breaks off, the hourly removal of files that no conversation has goes on.
  await removeFiles(files, brought);
}
