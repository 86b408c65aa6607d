import type { ConversationPage, ConversationQuery } from '@ai-studio/contract/console/conversations.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '../kernel/actor.ts';
import { searchWords } from '../kernel/search-words.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { conversationColumns, toHead } from './rows.ts';
import { hasWords, isInPlace, oneLine, parseTalkCursor, snippetAround, talkCursor } from './talk-list.ts';
import { openValueMask, withoutCutTokens } from './value-mask.ts';

export type ConversationSearch = z.output<typeof ConversationQuery>;

const ID = /^[0-9a-f]{32}$/;
const content = sql.ref('conversation_messages.content');

/** Of the first message that has all of the words. */
const snippetOf = (words: readonly string[]) => sql<string | null>`(
  SELECT ${snippetAround(content, words)} FROM conversation_messages
  WHERE conversation_id = conversations.id AND ${hasWords(content, words)}
  ORDER BY conversation_messages.position LIMIT 1)`;

const inMessage = (words: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM conversation_messages
  WHERE conversation_id = conversations.id AND ${hasWords(content, words)})`;

/** A person's conversations, last touched first; with `text` those that have all its words in the title or in a message. */
export async function listConversations(
  { db, box }: { readonly db: Database; readonly box: SecretBox },
  { tenantId, userId }: Person,
  { text, before, size, pinned, folder }: ConversationSearch,
): Promise<z.infer<typeof ConversationPage>> {
  const words = searchWords(text);
  const searching = words.length > 0;
  let query = db.query
    .selectFrom('conversations')
    .select(conversationColumns)
    .select((searching ? snippetOf(words) : sql<string | null>`NULL`).as('snippet'))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('temporary', '=', false)
    .where(isInPlace('conversations', { pinned, folder }));
  if (before !== undefined) {
    const { updatedAt, id } = parseTalkCursor(before, ID);
    query = query.where(sql<boolean>`(updated_at, id) < (${updatedAt}, ${id})`);
  }
  if (searching) query = query.where(sql<boolean>`(${hasWords(sql.ref('title'), words)} OR ${inMessage(words)})`);
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map((row) =>
      toHead(openValueMask(box, row), row, row.snippet === null ? null : oneLine(withoutCutTokens(row.snippet))),
    ),
    next: rows.length > size && last ? talkCursor(last) : null,
  };
}
