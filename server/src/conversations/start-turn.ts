import type { ConversationMessage, NewTurn } from '@ai-studio/contract/console/conversations.ts';
import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { z } from 'zod';
import type { PreparedChat, ChatInference } from '../inference/index.ts';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Database, Tables } from '../ports/database.ts';
import { bodyOf } from './turn-body.ts';
import { conversationNotFound, stripNul } from './validation.ts';
import {
  conversationColumns,
  isAbandoned,
  nowInMilliseconds,
  type MessageRow,
  readMessages,
  selectOwn,
  toMessage,
} from './rows.ts';
import { type FileRow, messageFile } from './files/files.ts';
import type { Material } from './material.ts';
import { retainMessages } from './retain.ts';
import { titleOf } from './title.ts';
import { maskCitations, openValueMask, unmaskMessage, type ValueMask } from './value-mask.ts';

export interface TurnDeps {
  readonly db: Database;
  readonly catalogue: Catalogue;
  readonly box: SecretBox;
}

/** An answer whose place is stored, and the admitted call that makes it. */
export interface StartedAnswer {
  readonly answer: ConversationMessage;
  readonly chat: PreparedChat;
  readonly inference: ChatInference;
}

/** A turn whose question is stored and whose answer is about to be made. */
export interface StartedTurn {
  readonly conversationId: string;
  /** Null where the last question is answered anew. */
  readonly question: ConversationMessage | null;
  /** One, or those of several models side by side. */
  readonly answers: readonly StartedAnswer[];
  readonly title: string;
  /** Replaces personal values by tokens, for the database. */
  readonly mask: (text: string) => string;
  /** What the answer may cite. */
  readonly sources: readonly Citation[];
}

type StoredMessage = MessageRow;

/** A model that is to answer, and the call that asks it. */
interface ModelTurn {
  readonly model: string;
  readonly inference: ChatInference;
}

const invalidField = (param: string, message: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** Throws StudioError `conflict` while an answer of the conversation is made. */
export async function requireNoneRunning(query: Kysely<Tables>, conversationId: string): Promise<void> {
  const running = await query
    .selectFrom('conversation_messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('state', '=', 'running')
    .where(({ not }) => not(isAbandoned))
    .executeTakeFirst();
  if (running) throw new StudioError('conflict', 'An answer is under way', { reason: 'answer_running' });
}

async function requireIdle(tx: Transaction<Tables>, conversationId: string): Promise<void> {
  await tx
    .updateTable('conversation_messages')
    .set({ state: 'failed', seen_at: null })
    .where('conversation_id', '=', conversationId)
    .where(isAbandoned)
    .execute();
  await requireNoneRunning(tx, conversationId);
}

const emptyFields = {
  reasoning: null,
  error: null,
  fallback: null,
  prompt_tokens: null,
  completion_tokens: null,
  first_token_ms: null,
  duration_ms: null,
  reasoning_ms: null,
  feedback: null,
  follow_ups: null,
} as const;

async function insertMessage(
  tx: Transaction<Tables>,
  message: Pick<
    StoredMessage,
    'position' | 'parent_id' | 'role' | 'content' | 'state' | 'model' | 'files' | 'citations' | 'compared'
  > & { conversation_id: string },
  mask: ValueMask['mask'],
): Promise<StoredMessage> {
  const running = message.state === 'running';
  const { created_at, id } = await tx
    .insertInto('conversation_messages')
    .values({
      ...emptyFields,
      ...message,
      content: mask(message.content),
      files: JSON.stringify(message.files),
      citations: JSON.stringify(message.citations),
      id: hexId(),
      created_at: nowInMilliseconds,
      seen_at: running ? sql<Date>`clock_timestamp()` : null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  return { ...emptyFields, ...message, id, created_at };
}

/** Answers that stand side by side become versions once the conversation goes on, so that a later comparison shows its own alone. */
async function endComparison(tx: Transaction<Tables>, conversationId: string): Promise<void> {
  await tx
    .updateTable('conversation_messages')
    .set({ compared: false })
    .where('conversation_id', '=', conversationId)
    .where('compared', '=', true)
    .execute();
}

/** Files that a message has brought belong to its conversation from then on. */
async function bringFiles(tx: Transaction<Tables>, conversationId: string, files: readonly FileRow[]): Promise<void> {
  if (files.length === 0) return;
  const { numUpdatedRows: brought } = await tx
    .updateTable('conversation_files')
    .set({ conversation_id: conversationId })
    .where(
      'id',
      'in',
      files.map(({ id }) => id),
    )
    // Those of another conversation stay there.
    .where(({ or, eb }) => or([eb('conversation_id', 'is', null), eb('conversation_id', '=', conversationId)]))
    .executeTakeFirst();
  if (Number(brought) !== new Set(files.map(({ id }) => id)).size)
    throw new StudioError('not_found', 'A file is not there any more', { param: 'files', reason: 'chat_file_gone' });
}

/** A title is a part of a question: a token that it ends in is left out. */
const titleFrom = (question: string) => titleOf(question).replace(/\[[A-Z_]{2,24}[0-9A-Z]{0,8}…$/, '…');

/** Stored texts that hold values of a value mask, with tokens in their place. */
async function maskStored(tx: Transaction<Tables>, stored: readonly StoredMessage[], { mask, unmask }: ValueMask) {
  for (const { id, content, reasoning, citations } of stored) {
    const before = JSON.stringify(citations);
    const now = {
      content: mask(unmask(content)),
      reasoning: reasoning === null ? null : mask(unmask(reasoning)),
      citations: JSON.stringify(maskCitations((text) => mask(unmask(text)), citations)),
    };
    if (now.content === content && now.reasoning === reasoning && now.citations === before) continue;
    await tx.updateTable('conversation_messages').set(now).where('id', '=', id).execute();
  }
}

/**
 * Stores a question and the places of its answers, once the calls that make them were admitted: each answers by the model beside it.
 * Errors: `not_found`; `conflict` while an answer is under way; `invalid_request`, `too_large` of the chat;
 * `unprocessable` where the policy refuses personal values.
 */
export function startTurn(
  { db, box, catalogue }: TurnDeps,
  owner: Person,
  id: string,
  input: z.output<typeof NewTurn>,
  calls: readonly ModelTurn[],
  material: Material,
): Promise<StartedTurn> {
  return db.transaction(async (tx) => {
    const row = await selectOwn(tx, owner, id)
      .select(conversationColumns)
      .forUpdate()
      .executeTakeFirstOrThrow(conversationNotFound);
    await requireIdle(tx, row.id);
    const stored = await readMessages(tx, row.id);
    const before = openValueMask(box, row);
    const all = stored.map((message) => unmaskMessage(before, message));
    const messages = [...retainMessages(all, row.leaf_id, input)];
    let position = all.at(-1)?.position ?? 0;
    const asked =
      input.content === undefined
        ? null
        : {
            ...emptyFields,
            role: 'user' as const,
            content: stripNul(input.content),
            files: material.files.map(messageFile),
            citations: [],
            compared: false,
          };
    const parent = messages.at(-1)?.id ?? null;
    const shown = asked ? [...messages, asked] : messages;
    if (shown.length === 0) throw invalidField('content', 'content is required: there is no question to answer');
    const system = row.system_prompt === null ? null : before.unmask(row.system_prompt);
    const chats: PreparedChat[] = [];
    let valueMask = before;
    for (const { inference, model } of calls) {
      const asked = { model, system_prompt: system, parameters: row.parameters };
      const body = bodyOf({ row: asked, messages: shown, material, reasoning: input.reasoning }, catalogue);
      chats.push(await inference.admit(body));
      valueMask = valueMask.with(inference.maskedValues);
    }
    const { mask } = valueMask;
    const conversation_id = row.id;
    await endComparison(tx, conversation_id);
    const question =
      asked &&
      (await insertMessage(
        tx,
        { ...asked, conversation_id, parent_id: parent, position: ++position, state: 'done', model: null },
        mask,
      ));
    const answers: StoredMessage[] = [];
    for (const chat of chats)
      answers.push(
        await insertMessage(
          tx,
          {
            conversation_id,
            parent_id: question?.id ?? parent,
            position: ++position,
            role: 'assistant',
            content: '',
            state: 'running',
            model: chat.model.id,
            files: [],
            citations: maskCitations(mask, material.sources),
            compared: chats.length > 1,
          },
          mask,
        ),
      );
    await bringFiles(tx, row.id, material.files);
    // Texts that were stored before the policy applied are masked as well.
    if (valueMask !== before) await maskStored(tx, stored, valueMask);
    const first = shown.find(({ role }) => role === 'user');
    const title = row.own_title ? mask(before.unmask(row.title)) : titleFrom(mask(first?.content ?? ''));
    await tx
      .updateTable('conversations')
      .set({
        title,
        leaf_id: answers[0]?.id ?? null,
        updated_at: nowInMilliseconds,
        ...(valueMask === before
          ? {}
          : { personal: valueMask.sealed, system_prompt: system === null ? null : mask(system) }),
      })
      .where('id', '=', row.id)
      .execute();
    const now = [...stored, ...(question ? [question] : []), ...answers];
    return {
      conversationId: row.id,
      question: question && toMessage({ ...question, content: asked?.content ?? '' }, now),
      answers: calls.flatMap(({ inference }, at) => {
        const [answer, chat] = [answers[at], chats[at]];
        return answer && chat ? [{ answer: toMessage(answer, now), chat, inference }] : [];
      }),
      title: valueMask.unmask(title),
      mask,
      sources: material.sources,
    };
  });
}
