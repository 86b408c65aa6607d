import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { ConversationShare, SharedConversation } from '@ai-studio/contract/console/shares.ts';
import type { Kysely } from 'kysely';
import { type TenantAuditActor, writeAudit } from '../identity/index.ts';
import type { Person, PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database, Tables } from '../ports/database.ts';
import { citedFor, listCollectionNames } from '../retrieval/index.ts';
import { pathTo, shownPath } from './branches.ts';
import { findOwn, type MessageRow, readMessages } from './rows.ts';
import { openValueMask } from './value-mask.ts';

// A share shows one version of a conversation up to the message that was its last: what is said later, or put in other words, is not in
// it, as messages never change once they are whole. What a policy has masked stays masked.

interface Deps {
  readonly db: Database;
}

const shareNotFound = () => new StudioError('not_found', 'There is no such shared conversation');
const withdrawn = () =>
  new StudioError('not_found', 'This conversation is not shared any more', { reason: 'share_withdrawn' });
const ID = /^[0-9a-f]{32}$/;

/** Shares that are listed. */
const MAX_LISTED = 500;

/** Shows a conversation, as far as it has come, to the tenant; again what is shown already. Errors: `not_found`; `conflict` while an answer is written; `unprocessable` where there is nothing to show, or it is temporary. */
export async function shareConversation(
  { db, box }: Deps & { readonly box: SecretBox },
  who: TenantAuditActor,
  owner: Person,
  conversationId: string,
): Promise<ConversationShare> {
  return db.transaction(async (tx) => {
    const row = await findOwn(tx, owner, conversationId);
    if (row.temporary) throw new StudioError('unprocessable', 'A temporary conversation cannot be shared');
    const last = shownPath(await readMessages(tx, row.id), row.leaf_id).at(-1);
    if (last === undefined) throw new StudioError('unprocessable', 'There is nothing to share yet');
    if (last.state === 'running')
      throw new StudioError('conflict', 'An answer is under way', { reason: 'answer_running' });
    const there = await tx
      .selectFrom('conversation_shares')
      .select(['id', 'created_at'])
      .where('conversation_id', '=', row.id)
      .where('leaf_id', '=', last.id)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirst();
    const share = there ?? (await insertShare(tx, owner, row.id, last.id));
    if (there === undefined)
      await writeAudit(tx, who, {
        action: 'conversation_shared',
        // What it is about stays with those who have the link.
        target: { kind: 'conversation_share', id: share.id, name: share.id.slice(0, 8) },
      });
    return {
      id: share.id,
      conversation_id: row.id,
      title: openValueMask(box, row).unmask(row.title),
      created_at: share.created_at.toISOString(),
    };
  });
}

const insertShare = (tx: Kysely<Tables>, { tenantId, userId }: Person, conversationId: string, leafId: string) =>
  tx
    .insertInto('conversation_shares')
    .values({ id: hexId(), tenant_id: tenantId, user_id: userId, conversation_id: conversationId, leaf_id: leafId })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();

/** What a person shows, the newest first. */
export async function listShares(
  { db, box }: Deps & { readonly box: SecretBox },
  { tenantId, userId }: Person,
): Promise<ConversationShare[]> {
  const rows = await db.query
    .selectFrom('conversation_shares')
    .innerJoin('conversations', 'conversations.id', 'conversation_shares.conversation_id')
    .select([
      'conversation_shares.id',
      'conversation_shares.created_at',
      'conversations.id as conversation_id',
      'conversations.title',
      'conversations.personal',
    ])
    .where('conversation_shares.tenant_id', '=', tenantId)
    .where('conversation_shares.user_id', '=', userId)
    .where('conversation_shares.withdrawn_at', 'is', null)
    .orderBy('conversation_shares.created_at', 'desc')
    .orderBy('conversation_shares.id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ id, created_at, conversation_id, title, personal }) => ({
    id,
    conversation_id,
    title: openValueMask(box, { id: conversation_id, personal }).unmask(title),
    created_at: created_at.toISOString(),
  }));
}

/** Ends a share of the person's own: its link then says so. Errors: `not_found`. */
export async function withdrawShare(
  { db }: Deps,
  who: TenantAuditActor,
  { tenantId, userId }: Person,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('conversation_shares')
      .set({ withdrawn_at: new Date() })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw shareNotFound();
    await writeAudit(tx, who, {
      action: 'conversation_share_withdrawn',
      target: { kind: 'conversation_share', id, name: id.slice(0, 8) },
    });
  });
}

/**
 * A share that is in force, and the messages that it shows: as long as its person is in the tenant. Errors: `not_found`, with the reason
 * share_withdrawn where it was in force once.
 */
async function openShare({ db }: Deps, { tenantId, userId }: Person, id: string) {
  if (!ID.test(id)) throw shareNotFound();
  const share = await db.query
    .selectFrom('conversation_shares')
    .innerJoin('users', 'users.id', 'conversation_shares.user_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'conversation_shares.user_id')
        .onRef('memberships.tenant_id', '=', 'conversation_shares.tenant_id'),
    )
    .leftJoin('conversations', 'conversations.id', 'conversation_shares.conversation_id')
    .select([
      'conversation_shares.id',
      'memberships.state as place',
      'conversation_shares.user_id',
      'conversation_shares.conversation_id',
      'conversation_shares.leaf_id',
      'conversation_shares.created_at',
      'conversation_shares.withdrawn_at',
      'users.name as by',
      'conversations.title',
    ])
    .where('conversation_shares.id', '=', id)
    .where('conversation_shares.tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow(shareNotFound);
  if (share.withdrawn_at !== null || share.conversation_id === null || share.place !== 'active') throw withdrawn();
  const messages = pathTo(await readMessages(db.query, share.conversation_id), share.leaf_id);
  if (messages.length === 0) throw withdrawn();
  return { share, messages, own: share.user_id === userId };
}

/** Which sources are there for the reader: in collections that are, and theirs to read. */
async function openTo({ db }: Deps, reader: PersonActor, citations: readonly Citation[]) {
  const visible = new Set((await listCollectionNames({ db }, reader)).map(({ id }) => id));
  const readable = new Set(await citedFor({ db }, reader, citations));
  return (citation: Citation) => visible.has(citation.collection_id) && readable.has(citation);
}

const toShared = (
  { id, role, content, model, state, files, citations }: MessageRow,
  opens: (citation: Citation) => boolean,
): SharedConversation['messages'][number] => ({
  id,
  role,
  content,
  model,
  state: state === 'running' ? 'stopped' : state,
  files: files.map(({ name }) => name),
  citations: citations.map((one) => ({
    number: one.number,
    document_name: one.document_name,
    page: one.page,
    opens: opens(one),
  })),
});

/** A conversation as somebody of the tenant shows it. Errors: `not_found`, also where it was withdrawn (share_withdrawn). */
export async function readShare(deps: Deps, reader: PersonActor, id: string): Promise<SharedConversation> {
  const { share, messages, own } = await openShare(deps, reader, id);
  const opens = await openTo(
    deps,
    reader,
    messages.flatMap(({ citations }) => citations),
  );
  return {
    id: share.id,
    title: share.title ?? '',
    by: share.by,
    own,
    created_at: share.created_at.toISOString(),
    messages: messages.map((message) => toShared(message, opens)),
  };
}

/** A passage that a shown answer cites, for those who may see its collection, and read its document. Errors: `not_found`; `forbidden` (source_not_yours). */
export async function readSharedCitation(
  deps: Deps,
  reader: PersonActor,
  { id, messageId, number }: { readonly id: string; readonly messageId: string; readonly number: string },
): Promise<Citation> {
  const { messages } = await openShare(deps, reader, id);
  const found = messages.find((one) => one.id === messageId)?.citations.find((one) => String(one.number) === number);
  if (found === undefined) throw new StudioError('not_found', 'The answer has no such source');
  if (!(await openTo(deps, reader, [found]))(found))
    throw new StudioError(
      'forbidden',
      'The source lies in a collection that is not there for you, or is not for you to read',
      {
        reason: 'source_not_yours',
      },
    );
  return found;
}
