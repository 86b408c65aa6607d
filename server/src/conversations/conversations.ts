import type {
  Conversation,
  ConversationChange,
  ConversationSummary,
  NewConversation,
} from '@ai-studio/contract/console/conversations.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { conversationNotFound, requireId, stripNul } from './validation.ts';
import {
  conversationColumns,
  findOwn,
  nowInMilliseconds,
  selectMessages,
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

/** Begins an empty conversation. Its title comes with the first question. Errors: `conflict`. */
export async function createConversation(
  { db, box }: ReadDeps,
  person: Person,
  { model, system_prompt }: z.output<typeof NewConversation>,
): Promise<Conversation> {
  await requireQuota(db, person);
  const row = await db.query
    .insertInto('conversations')
    .values({
      id: hexId(),
      tenant_id: person.tenantId,
      user_id: person.userId,
      model: stripNul(model),
      system_prompt: stripNul(system_prompt ?? '') || null,
      created_at: nowInMilliseconds,
      updated_at: nowInMilliseconds,
    })
    .returning(conversationColumns)
    .executeTakeFirstOrThrow();
  return toConversation(openValueMask(box, row), row, []);
}

/** A conversation with all its messages. Errors: `not_found`. */
export function getConversation({ db, box }: ReadDeps, owner: Person, id: string): Promise<Conversation> {
  return db.transaction(async (tx) => {
    // One moment for both: an answer does not grow between them.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    const row = await findOwn(tx, owner, id);
    const messages = await selectMessages(tx).where('conversation_id', '=', row.id).orderBy('position').execute();
    return toConversation(openValueMask(box, row), row, messages);
  });
}

/** Changes title, model or system prompt, with tokens in place of values that are known. A title that a person chose stays. Errors: `not_found`. */
export function changeConversation(
  { db, box }: ReadDeps,
  owner: Person,
  id: string,
  { title, model, system_prompt }: z.output<typeof ConversationChange>,
): Promise<ConversationSummary> {
  return db.transaction(async (tx) => {
    const found = await selectOwn(tx, owner, id)
      .select(['id', 'personal'])
      .forUpdate()
      .executeTakeFirstOrThrow(conversationNotFound);
    const mask = openValueMask(box, found);
    const stored = (text: string) => mask.mask(stripNul(text));
    const row = await tx
      .updateTable('conversations')
      .set({
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

/** Deletes a conversation with its messages; an answer under way ends. Errors: `not_found`. */
export async function deleteConversation(
  { db, forget }: Deps & { readonly forget: (conversationId: string) => void },
  { tenantId, userId }: Person,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await db.query
    .deleteFrom('conversations')
    .where('id', '=', requireId(id))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw conversationNotFound();
  forget(id);
}
