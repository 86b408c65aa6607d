import type { ConversationMessage, NewTurn } from '@ai-studio/contract/console/conversations.ts';
import { type Transaction, sql } from 'kysely';
import type { z } from 'zod';
import type { PreparedChat, ChatInference } from '../inference/index.ts';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { reasoningKwargs } from '../models/reasoning-switch.ts';
import type { Database, Tables } from '../ports/database.ts';
import { historyOf } from './history.ts';
import { conversationNotFound, stripNul } from './validation.ts';
import {
  type ConversationRow,
  conversationColumns,
  isAbandoned,
  nowInMilliseconds,
  selectMessages,
  selectOwn,
  toMessage,
} from './rows.ts';
import { titleOf } from './title.ts';
import { openValueMask, unmaskMessage, type ValueMask } from './value-mask.ts';

export interface TurnDeps {
  readonly db: Database;
  readonly catalogue: Catalogue;
  readonly box: SecretBox;
}

/** A turn whose question is stored and whose answer is about to be made. */
export interface StartedTurn {
  readonly conversationId: string;
  /** Null where the last question is answered anew. */
  readonly question: ConversationMessage | null;
  readonly answer: ConversationMessage;
  readonly title: string;
  readonly chat: PreparedChat;
  /** The admitted call that makes the answer. */
  readonly inference: ChatInference;
  /** Replaces personal values by tokens, for the database. */
  readonly mask: (text: string) => string;
}

type StoredMessage = Parameters<typeof toMessage>[0];

const invalidField = (param: string, message: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/**
 * The messages that stay when a turn begins. A question that is answered anew stays itself; without `replace_from`, everything
 * after the last question is dropped.
 */
function retainMessages(all: readonly StoredMessage[], { content, replace_from: from }: z.output<typeof NewTurn>) {
  const asked = content !== undefined;
  if (from === undefined) {
    if (asked) return all;
    return all.slice(0, all.findLastIndex(({ role }) => role === 'user') + 1);
  }
  const place = all.findIndex(({ id }) => id === from);
  const found = all[place];
  if (!found) throw invalidField('replace_from', 'replace_from names no message of this conversation');
  return all.slice(0, !asked && found.role === 'user' ? place + 1 : place);
}

function bodyOf(
  { model, system_prompt }: ConversationRow,
  messages: readonly Pick<StoredMessage, 'role' | 'content'>[],
  reasoning: boolean | undefined,
  catalogue: Catalogue,
): Buffer {
  const known = catalogue.get(model);
  const kwargs = known && reasoning !== undefined ? reasoningKwargs(known, reasoning) : null;
  return Buffer.from(
    JSON.stringify({
      model,
      stream: true,
      messages: historyOf(messages, system_prompt, known?.context_length ?? Infinity),
      ...(kwargs ? { chat_template_kwargs: kwargs } : {}),
    }),
  );
}

async function requireIdle(tx: Transaction<Tables>, conversationId: string): Promise<void> {
  await tx
    .updateTable('conversation_messages')
    .set({ state: 'failed', seen_at: null })
    .where('conversation_id', '=', conversationId)
    .where(isAbandoned)
    .execute();
  const running = await tx
    .selectFrom('conversation_messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (running) throw new StudioError('conflict', 'An answer is under way', { reason: 'answer_running' });
}

const emptyFields = {
  reasoning: null,
  error: null,
  prompt_tokens: null,
  completion_tokens: null,
  first_token_ms: null,
  duration_ms: null,
} as const;

async function insertMessage(
  tx: Transaction<Tables>,
  message: Pick<StoredMessage, 'position' | 'role' | 'content' | 'state' | 'model'> & { conversation_id: string },
  mask: ValueMask['mask'],
): Promise<StoredMessage> {
  const running = message.state === 'running';
  const { created_at, id } = await tx
    .insertInto('conversation_messages')
    .values({
      ...emptyFields,
      ...message,
      content: mask(message.content),
      id: hexId(),
      created_at: nowInMilliseconds,
      seen_at: running ? sql<Date>`clock_timestamp()` : null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  return { ...emptyFields, ...message, id, created_at };
}

/** A title is a part of a question: a token that it ends in is left out. */
const titleFrom = (question: string) => titleOf(question).replace(/\[[A-Z_]{2,24}[0-9A-Z]{0,8}…$/, '…');

/** Stored texts that hold values of a value mask, with tokens in their place. */
async function maskStored(tx: Transaction<Tables>, stored: readonly StoredMessage[], { mask, unmask }: ValueMask) {
  for (const { id, content, reasoning } of stored) {
    const now = {
      content: mask(unmask(content)),
      reasoning: reasoning === null ? null : mask(unmask(reasoning)),
    };
    if (now.content === content && now.reasoning === reasoning) continue;
    await tx.updateTable('conversation_messages').set(now).where('id', '=', id).execute();
  }
}

/**
 * Stores a question and the place of its answer, once the call that makes it was admitted.
 * Errors: `not_found`; `conflict` while an answer is under way; `invalid_request`, `too_large` of the chat;
 * `unprocessable` where the policy refuses personal values.
 */
export function startTurn(
  { db, box, catalogue }: TurnDeps,
  owner: Person,
  id: string,
  input: z.output<typeof NewTurn>,
  inference: ChatInference,
): Promise<StartedTurn> {
  return db.transaction(async (tx) => {
    const row = await selectOwn(tx, owner, id)
      .select([...conversationColumns, 'own_title'])
      .forUpdate()
      .executeTakeFirstOrThrow(conversationNotFound);
    await requireIdle(tx, row.id);
    const stored = await selectMessages(tx).where('conversation_id', '=', row.id).orderBy('position').execute();
    const before = openValueMask(box, row);
    const all = stored.map((message) => unmaskMessage(before, message));
    const messages: Pick<StoredMessage, 'role' | 'content' | 'position'>[] = [...retainMessages(all, input)];
    const dropped = all.slice(messages.length).map((message) => message.id);
    if (dropped.length > 0) await tx.deleteFrom('conversation_messages').where('id', 'in', dropped).execute();
    const next = () => (messages.at(-1)?.position ?? 0) + 1;
    const asked =
      input.content === undefined
        ? null
        : ({ role: 'user', content: stripNul(input.content), position: next() } as const);
    if (asked) messages.push(asked);
    else if (messages.length === 0)
      throw invalidField('content', 'content is required: there is no question to answer');
    const system = row.system_prompt === null ? null : before.unmask(row.system_prompt);
    const body = bodyOf({ ...row, system_prompt: system }, messages, input.reasoning, catalogue);
    const chat = await inference.admit(body);
    const valueMask = before.with(inference.maskedValues);
    const { mask } = valueMask;
    const conversation_id = row.id;
    const question =
      asked && (await insertMessage(tx, { conversation_id, ...asked, state: 'done', model: null }, mask));
    const answer = await insertMessage(
      tx,
      { conversation_id, position: next(), role: 'assistant', content: '', state: 'running', model: chat.model.id },
      mask,
    );
    // Texts that were stored before the policy applied are masked as well.
    if (valueMask !== before) await maskStored(tx, stored, valueMask);
    const first = messages.find(({ role }) => role === 'user');
    const title = row.own_title ? mask(before.unmask(row.title)) : titleFrom(mask(first?.content ?? ''));
    await tx
      .updateTable('conversations')
      .set({
        title,
        updated_at: nowInMilliseconds,
        ...(valueMask === before
          ? {}
          : { personal: valueMask.sealed, system_prompt: system === null ? null : mask(system) }),
      })
      .where('id', '=', row.id)
      .execute();
    return {
      conversationId: row.id,
      question: question && toMessage(question),
      answer: toMessage(answer),
      title: valueMask.unmask(title),
      chat,
      mask,
      inference,
    };
  });
}
