import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import type { GiveFeedback } from '@ai-studio/contract/console/feedback.ts';
import type { Person } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { findOwn, readMessages, toMessage } from './rows.ts';
import { stripNul } from './validation.ts';
import { openValueMask, unmaskMessage } from './value-mask.ts';

/**
 * Keeps what a person thinks of an answer of their own conversation; null takes it back. It stays with the conversation: nobody else sees
 * it. Errors: `not_found`; `conflict` while the answer is written.
 */
export async function rateAnswer(
  { db, box }: { readonly db: Database; readonly box: SecretBox },
  owner: Person,
  { id, messageId }: { readonly id: string; readonly messageId: string },
  feedback: GiveFeedback | null,
): Promise<ConversationMessage> {
  const row = await findOwn(db.query, owner, id);
  const all = await readMessages(db.query, row.id);
  const message = all.find((one) => one.id === messageId);
  if (message?.role !== 'assistant') throw new StudioError('not_found', 'The conversation has no such answer');
  if (message.state === 'running')
    throw new StudioError('conflict', 'The answer is still being written', { reason: 'answer_running' });
  const mask = openValueMask(box, row);
  const kept =
    feedback === null
      ? null
      : { ...feedback, reasons: [...new Set(feedback.reasons)], comment: mask.mask(stripNul(feedback.comment)) };
  await db.query
    .updateTable('conversation_messages')
    .set({ feedback: kept === null ? null : JSON.stringify(kept) })
    .where('id', '=', message.id)
    .where('conversation_id', '=', row.id)
    .execute();
  return unmaskMessage(mask, toMessage({ ...message, feedback: kept }, all));
}
