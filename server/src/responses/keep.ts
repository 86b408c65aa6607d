import type { Kysely } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Database, Tables } from '../ports/database.ts';
import type { ConversationStore } from './conversations.ts';
import { type ResponseStore, storedItems, type StoredResponse } from './store.ts';

/** Adds a response to its conversation. One that was deleted meanwhile, or is full, takes nothing more. */
export async function keepInConversation(
  conversations: ConversationStore,
  tx: Kysely<Tables>,
  tenantId: TenantId,
  conversationId: string | null,
  stored: StoredResponse,
): Promise<void> {
  if (conversationId === null) return;
  await conversations.add(tenantId, conversationId, storedItems(stored), tx).catch((error: unknown) => {
    if (!(error instanceof StudioError) || (error.code !== 'not_found' && error.code !== 'invalid_request'))
      throw error;
  });
}

interface KeepDeps {
  readonly db: Database;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
}

/** Keeps a response, and what it adds to its conversation: both, or neither. `keepsResponse`: whether it can be read by itself. */
export async function keepResponse(
  { db, store, conversations }: KeepDeps,
  tenantId: TenantId,
  stored: StoredResponse,
  { conversationId, keepsResponse }: { readonly conversationId: string | null; readonly keepsResponse: boolean },
): Promise<void> {
  if (conversationId === null) return store.save(tenantId, stored);
  await db.transaction(async (tx) => {
    if (keepsResponse) await store.save(tenantId, stored, tx);
    await keepInConversation(conversations, tx, tenantId, conversationId, stored);
  });
}
