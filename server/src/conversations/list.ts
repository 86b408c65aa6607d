import type { ConversationPage, ConversationQuery } from '@ai-studio/contract/console/conversations.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { searchWords, wordPattern } from '../kernel/search-words.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { stripNul } from './validation.ts';
import { conversationColumns, type ConversationRow, toHead } from './rows.ts';
import { openValueMask, withoutCutTokens } from './value-mask.ts';

export type ConversationSearch = z.output<typeof ConversationQuery>;

/** Characters of a snippet before its first match, and in all. */
const SNIPPET_LEAD = 40;
const SNIPPET_LENGTH = 160;

interface PagePosition {
  readonly updatedAt: Date;
  readonly id: string;
}

const cursorOf = ({ updated_at, id }: ConversationRow) => `${updated_at.getTime()}-${id}`;

function parseCursor(cursor: string): PagePosition {
  const [, time, id] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) {
    throw new StudioError('invalid_request', 'before must be what a page gave as next', {
      param: 'before',
      reason: 'invalid_field',
    });
  }
  return { updatedAt: new Date(Number(time)), id };
}

/** Where the first word stands in a message, of the first message that has all of them. */
function snippetOf(words: readonly string[]) {
  const patterns = words.map(wordPattern);
  const start = sql`greatest(1, position(lower(${words[0] ?? ''}) IN lower(content)) - ${sql.lit(SNIPPET_LEAD)})`;
  return sql<string | null>`(
    SELECT substring(content FROM ${start}::int FOR ${sql.lit(SNIPPET_LENGTH)}) FROM conversation_messages
    WHERE conversation_id = conversations.id AND content ILIKE ALL (${patterns}::text[])
    ORDER BY conversation_messages.position LIMIT 1)`;
}

const inTitle = (words: readonly string[]) => sql<boolean>`title ILIKE ALL (${words.map(wordPattern)}::text[])`;

const inMessage = (words: readonly string[]) => sql<boolean>`EXISTS (
  SELECT 1 FROM conversation_messages
  WHERE conversation_id = conversations.id AND content ILIKE ALL (${words.map(wordPattern)}::text[]))`;

const oneLine = (text: string | null) => (text === null ? null : withoutCutTokens(text).replaceAll(/\s+/g, ' ').trim());

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
    .where('temporary', '=', false);
  if (pinned !== undefined) query = query.where('pinned', '=', pinned === 'true');
  if (folder !== undefined)
    query = folder === 'none' ? query.where('folder_id', 'is', null) : query.where('folder_id', '=', stripNul(folder));
  if (before !== undefined) {
    const { updatedAt, id } = parseCursor(before);
    query = query.where(sql<boolean>`(updated_at, id) < (${updatedAt}, ${id})`);
  }
  if (searching) query = query.where(sql<boolean>`(${inTitle(words)} OR ${inMessage(words)})`);
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map((row) => toHead(openValueMask(box, row), row, oneLine(row.snippet))),
    next: rows.length > size && last ? cursorOf(last) : null,
  };
}
