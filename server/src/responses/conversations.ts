import type { Conversation } from '@ai-studio/contract/responses/conversations.ts';
import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { Kysely } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Database, Tables } from '../ports/database.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { type WithId, withIds } from './item-ids.ts';
import { toldItem } from './told-item.ts';

// Conversations of the Responses interface: items in order, to which responses add theirs. Source: OpenAI API reference, "Conversations".

export interface ConversationStoreDeps {
  readonly db: Database;
  readonly box: SecretBox;
  /** How long a conversation is kept after it was last added to; 0 keeps none. */
  readonly retentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Item = WithId<InputItem>;
type Metadata = Readonly<Record<string, string>>;

/** Which items of a conversation. */
interface PageOf {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly after?: string | undefined;
}

/** Conversations, each for its tenant alone; sealed, as they hold what people asked. All reject with StudioError `not_found`. */
export interface ConversationStore {
  /** Rejects with StudioError `invalid_request` where none are kept. */
  create(
    tenantId: TenantId,
    given: { readonly metadata: Metadata; readonly items: readonly InputItem[] },
  ): Promise<Conversation>;
  read(tenantId: TenantId, id: string): Promise<Conversation>;
  change(tenantId: TenantId, id: string, metadata: Metadata): Promise<Conversation>;
  remove(tenantId: TenantId, id: string): Promise<void>;
  /** Adds items, within a transaction where one is given. Resolves with those that were added; one that is there already is not. */
  add(tenantId: TenantId, id: string, items: readonly InputItem[], tx?: Kysely<Tables>): Promise<readonly Item[]>;
  /** All items, the oldest first. `param`: the field that names the conversation. */
  all(tenantId: TenantId, id: string, param: string): Promise<readonly Item[]>;
  page(
    tenantId: TenantId,
    id: string,
    page: PageOf,
  ): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }>;
  item(tenantId: TenantId, id: string, itemId: string): Promise<Item>;
  removeItem(tenantId: TenantId, id: string, itemId: string): Promise<Conversation>;
}

const DAY_MS = 86_400_000;
/** Items of one conversation: more than any model reads. */
const MAX_ITEMS = 10_000;
const CONVERSATION_ID = /^conv_[0-9a-f]{32}$/;
const ITEM_ID = /^[\w-]{1,200}$/;

const notFound = (id: string, param: string | null = null) =>
  new StudioError('not_found', `There is no conversation ${quoteId(id)}; it was deleted, or is too old`, { param });
const itemNotFound = (id: string) =>
  new StudioError('not_found', `There is no item ${quoteId(id)} in this conversation`);

export function createConversationStore({ db, box, retentionDays, now }: ConversationStoreDeps): ConversationStore {
  const purposeOf = (id: string) => `conversation ${id}`;
  const itemPurpose = (id: string, itemId: string) => `conversation ${id} item ${itemId}`;
  const until = () => new Date(now() + retentionDays * DAY_MS);
  const alive = () => new Date(now());

  async function find(tenantId: TenantId, id: string, param: string | null = null, query: Kysely<Tables> = db.query) {
    const row = CONVERSATION_ID.test(id)
      ? await query
          .selectFrom('response_conversations')
          .select(['id', 'sealed', 'created_at'])
          .where('id', '=', id)
          .where('tenant_id', '=', tenantId)
          .where('expires_at', '>', alive())
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw notFound(id, param);
    return row;
  }
  const viewOf = (row: { readonly id: string; readonly sealed: string; readonly created_at: Date }): Conversation => ({
    id: row.id,
    object: 'conversation',
    created_at: Math.floor(row.created_at.getTime() / 1000),
    metadata: JSON.parse(box.open(row.sealed, purposeOf(row.id))) as Record<string, string>,
  });
  const openItem = (id: string, row: { readonly item_id: string; readonly sealed: string }): Item =>
    toldItem(JSON.parse(box.open(row.sealed, itemPurpose(id, row.item_id))) as Item);
  const itemsOf = (id: string) =>
    db.query
      .selectFrom('response_conversation_items')
      .select(['item_id', 'number', 'sealed'])
      .where('conversation_id', '=', id);

  async function numberOf(id: string, itemId: string): Promise<number> {
    const row = ITEM_ID.test(itemId) ? await itemsOf(id).where('item_id', '=', itemId).executeTakeFirst() : undefined;
    if (row === undefined)
      throw invalidRequest(`after: there is no item ${quoteId(itemId)} in this conversation`, 'after');
    return row.number;
  }

  /** Within a transaction, so that items of several at one time do not mix. */
  async function insert(tx: Kysely<Tables>, tenantId: TenantId, id: string, given: readonly InputItem[]) {
    const locked = CONVERSATION_ID.test(id)
      ? await tx
          .updateTable('response_conversations')
          .set({ expires_at: until() })
          .where('id', '=', id)
          .where('tenant_id', '=', tenantId)
          .where('expires_at', '>', alive())
          .returning('id')
          .executeTakeFirst()
      : undefined;
    if (locked === undefined) throw notFound(id);
    const items = withIds(given.filter(({ type }) => type !== 'item_reference'));
    if (items.length === 0) return [];
    const { count } = await tx
      .selectFrom('response_conversation_items')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('conversation_id', '=', id)
      .executeTakeFirstOrThrow();
    if (count + items.length > MAX_ITEMS)
      throw invalidRequest(`A conversation has at most ${MAX_ITEMS} items; begin another one`);
    const rows = items.map((item) => ({
      conversation_id: id,
      item_id: item.id,
      sealed: box.seal(JSON.stringify(item), itemPurpose(id, item.id)),
    }));
    const added = await tx
      .insertInto('response_conversation_items')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['conversation_id', 'item_id']).doNothing())
      .returning('item_id')
      .execute();
    const ids = new Set(added.map(({ item_id: itemId }) => itemId));
    return items.filter((item) => ids.has(item.id)).map(toldItem);
  }

  return {
    create(tenantId, { metadata, items }) {
      if (retentionDays === 0)
        throw invalidRequest('Conversations are not kept here: responses.retention_days of the configuration is 0');
      const id = `conv_${hexId()}`;
      const row = { id, sealed: box.seal(JSON.stringify(metadata), purposeOf(id)), created_at: new Date(now()) };
      return db.transaction(async (tx) => {
        const values = { ...row, tenant_id: tenantId, expires_at: until() };
        await tx.insertInto('response_conversations').values(values).execute();
        await insert(tx, tenantId, id, items);
        return viewOf(row);
      });
    },
    read: async (tenantId, id) => viewOf(await find(tenantId, id)),
    async change(tenantId, id, metadata) {
      const row = await find(tenantId, id);
      const sealed = box.seal(JSON.stringify(metadata), purposeOf(id));
      await db.query.updateTable('response_conversations').set({ sealed }).where('id', '=', id).execute();
      return viewOf({ ...row, sealed });
    },
    async remove(tenantId, id) {
      await find(tenantId, id);
      await db.query
        .deleteFrom('response_conversations')
        .where('id', '=', id)
        .where('tenant_id', '=', tenantId)
        .execute();
    },
    add: (tenantId, id, items, tx) =>
      tx === undefined ? db.transaction((own) => insert(own, tenantId, id, items)) : insert(tx, tenantId, id, items),
    async all(tenantId, id, param) {
      await find(tenantId, id, param);
      const rows = await itemsOf(id).orderBy('number').execute();
      return rows.map((row) => openItem(id, row));
    },
    async page(tenantId, id, { limit, order, after }) {
      await find(tenantId, id);
      const begin = after === undefined ? null : await numberOf(id, after);
      const rows = await itemsOf(id)
        .$if(begin !== null, (query) => query.where('number', order === 'asc' ? '>' : '<', begin ?? 0))
        .orderBy('number', order)
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit).map((row) => openItem(id, row)), hasMore: rows.length > limit };
    },
    async item(tenantId, id, itemId) {
      await find(tenantId, id);
      const row = ITEM_ID.test(itemId) ? await itemsOf(id).where('item_id', '=', itemId).executeTakeFirst() : undefined;
      if (row === undefined) throw itemNotFound(itemId);
      return openItem(id, row);
    },
    async removeItem(tenantId, id, itemId) {
      const row = await find(tenantId, id);
      const gone = ITEM_ID.test(itemId)
        ? await db.query
            .deleteFrom('response_conversation_items')
            .where('conversation_id', '=', id)
            .where('item_id', '=', itemId)
            .returning('item_id')
            .executeTakeFirst()
        : undefined;
      if (gone === undefined) throw itemNotFound(itemId);
      return viewOf(row);
    },
  };
}
