import type {
  Conversation,
  ConversationSummary,
  ConversationMessage,
  ConversationParameters,
} from '@ai-studio/contract/console/conversations.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ConversationMessagesTable } from './tables.ts';
import type { Tables } from '../ports/tables.ts';
import type { Person } from '../kernel/actor.ts';
import { comparedWith, shownPath, versionsOf, type Placed } from './branches.ts';
import { conversationNotFound, requireId } from './validation.ts';
import { unmaskMessage, type ValueMask } from './value-mask.ts';

/** A running answer whose lease was not renewed for this long is abandoned: its process has ended. */
const LEASE_SECONDS = 10;
export const isAbandoned = sql<boolean>`(state = 'running' AND seen_at < now() - interval '${sql.raw(String(LEASE_SECONDS))} seconds')`;

/** Now, by the database's clock, as exact as a Date is. */
export const nowInMilliseconds = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

export type MessageRow = Omit<Selectable<ConversationMessagesTable>, 'conversation_id' | 'seen_at' | 'stop_asked'>;

const columns = [
  'id',
  'position',
  'parent_id',
  'files',
  'citations',
  'compared',
  'role',
  'content',
  'reasoning',
  'error',
  'model',
  'fallback',
  'prompt_tokens',
  'completion_tokens',
  'first_token_ms',
  'duration_ms',
  'reasoning_ms',
  'feedback',
  'follow_ups',
  'created_at',
] as const;

/** Messages as they are now: answers of processes that are gone have failed. */
export const selectMessages = (query: Kysely<Tables>) =>
  query
    .selectFrom('conversation_messages')
    .select(columns)
    .select(sql<MessageRow['state']>`CASE WHEN ${isAbandoned} THEN 'failed' ELSE state END`.as('state'));

/** All messages of a conversation, of every version, in the order in which they were made. */
export const readMessages = (query: Kysely<Tables>, conversationId: string): Promise<MessageRow[]> =>
  selectMessages(query).where('conversation_id', '=', conversationId).orderBy('position').execute();

/** A message as people see it, among all of its conversation. */
export function toMessage(row: MessageRow, all: readonly Placed[]): ConversationMessage {
  const { position: _place, parent_id: _before, created_at, citations, files, follow_ups, ...message } = row;
  return {
    ...message,
    follow_ups: [...(follow_ups ?? [])],
    files: [...files],
    citations: citations.map(({ number, document_name, page }) => ({ number, document_name, page })),
    versions: [...versionsOf(all, row)],
    created_at: created_at.toISOString(),
  };
}

export interface ConversationRow {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  readonly system_prompt: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** As a {@link ValueMask} seals it. */
  readonly personal: string | null;
  readonly leaf_id: string | null;
  readonly own_title: boolean;
  readonly pinned: boolean;
  readonly temporary: boolean;
  readonly collections: readonly string[];
  readonly parameters: ConversationParameters;
  readonly models_beside: readonly string[];
  readonly folder_id: string | null;
}

export const conversationColumns = [
  'id',
  'title',
  'model',
  'system_prompt',
  'created_at',
  'updated_at',
  'personal',
  'leaf_id',
  'own_title',
  'pinned',
  'temporary',
  'collections',
  'parameters',
  'models_beside',
  'folder_id',
] as const;

/** A person's own conversation of this id. */
export const selectOwn = (query: Kysely<Tables>, { tenantId, userId }: Person, id: string) =>
  query
    .selectFrom('conversations')
    .where('id', '=', requireId(id))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId);

/** Throws StudioError `not_found` for a conversation that is not the person's own. */
export const findOwn = (query: Kysely<Tables>, owner: Person, id: string): Promise<ConversationRow> =>
  selectOwn(query, owner, id).select(conversationColumns).executeTakeFirstOrThrow(conversationNotFound);

export const toHead = (
  { unmask }: ValueMask,
  { id, title, model, created_at, updated_at, pinned, temporary, folder_id }: ConversationRow,
  snippet: string | null = null,
): ConversationSummary => ({
  id,
  title: unmask(title),
  model,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  pinned,
  temporary,
  folder: folder_id,
  snippet: snippet === null ? null : unmask(snippet),
});

export function toConversation(
  mask: ValueMask,
  row: ConversationRow,
  all: readonly MessageRow[],
  collections: Conversation['collections'],
): Conversation {
  const shown = shownPath(all, row.leaf_id);
  const toShown = (message: MessageRow) => unmaskMessage(mask, toMessage(message, all));
  return {
    ...toHead(mask, row),
    collections,
    parameters: row.parameters,
    models_beside: [...row.models_beside],
    system_prompt: row.system_prompt === null ? null : mask.unmask(row.system_prompt),
    messages: shown.map(toShown),
    answers_beside: comparedWith(all, shown.at(-1)).map(toShown),
  };
}
