import {
  Conversation,
  ConversationChange,
  ConversationItem,
  ConversationItemList,
  ConversationItemQuery,
  DeletedConversation,
  NewConversation,
  NewConversationItems,
} from '@ai-studio/contract/responses/conversations.ts';
import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { InputItemsQuery } from '@ai-studio/contract/responses/request.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import type { ConversationStore } from '../index.ts';

const common = { access: 'chat', tag: 'Conversations' } as const;
const conversationId = { conversation_id: 'Id of a conversation' };
const itemIds = { ...conversationId, item_id: 'Id of an item of it' };
const path = '/conversations/:conversation_id';
const example = {
  items: [{ type: 'message' as const, role: 'user' as const, content: '안녕하세요' }],
  metadata: { topic: '인사' },
};

const listOf = (items: readonly (InputItem & { readonly id: string })[], hasMore: boolean) => ({
  object: 'list' as const,
  data: [...items],
  first_id: items[0]?.id ?? null,
  last_id: items.at(-1)?.id ?? null,
  has_more: hasMore,
});

/** Conversations, which responses go on with. Source: OpenAI API reference, "Conversations". */
export const conversationRoutes = (store: ConversationStore): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: '/conversations',
    summary: 'Begin a conversation',
    description:
      'A conversation that responses go on with (`conversation`): each adds what it was asked and what it answered. It is kept for as long as responses are, from the last time that something was added.',
    body: { NewConversation },
    example,
    reply: { Conversation },
    handle: ({ ctx, body }) =>
      store.create(ctx.actor.tenantId, { metadata: body.metadata ?? {}, items: body.items ?? [] }),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path,
    params: conversationId,
    summary: 'Read a conversation',
    description: 'When it began, and its metadata.',
    reply: { Conversation },
    handle: ({ ctx, params }) => store.read(ctx.actor.tenantId, params.conversation_id),
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path,
    params: conversationId,
    summary: 'Change a conversation',
    description: 'Its metadata are replaced.',
    body: { ConversationChange },
    example: { metadata: { topic: '여행' } },
    reply: { Conversation },
    handle: ({ ctx, params, body }) => store.change(ctx.actor.tenantId, params.conversation_id, body.metadata ?? {}),
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path,
    params: conversationId,
    summary: 'Delete a conversation',
    description: 'It goes for good with its items; responses that were part of it stay.',
    reply: { DeletedConversation },
    async handle({ ctx, params: { conversation_id: id } }) {
      await store.remove(ctx.actor.tenantId, id);
      return { id, object: 'conversation.deleted' as const, deleted: true as const };
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: `${path}/items`,
    params: conversationId,
    query: { InputItemsQuery },
    summary: 'Items of a conversation',
    description: 'What was said and called in it, page by page.',
    reply: { ConversationItemList },
    async handle({ ctx, params: { conversation_id: id }, query: { limit, order, after } }) {
      const { items, hasMore } = await store.page(ctx.actor.tenantId, id, { limit, order, after });
      return listOf(items, hasMore);
    },
  }),
  publicRoute({
    ...common,
    method: 'POST',
    path: `${path}/items`,
    params: conversationId,
    query: { ConversationItemQuery },
    summary: 'Add items to a conversation',
    description: 'Up to 20 at a time, behind those that are there; one whose id is there already is left out.',
    body: { NewConversationItems },
    example: { items: example.items },
    reply: { ConversationItemList },
    handle: async ({ ctx, params: { conversation_id: id }, body: { items } }) =>
      listOf(await store.add(ctx.actor.tenantId, id, items), false),
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: `${path}/items/:item_id`,
    params: itemIds,
    query: { ConversationItemQuery },
    summary: 'Read an item of a conversation',
    description: 'One item.',
    reply: { ConversationItem },
    handle: ({ ctx, params }) => store.item(ctx.actor.tenantId, params.conversation_id, params.item_id),
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: `${path}/items/:item_id`,
    params: itemIds,
    summary: 'Delete an item of a conversation',
    description: 'Later responses are not told of it.',
    reply: { Conversation },
    handle: ({ ctx, params }) => store.removeItem(ctx.actor.tenantId, params.conversation_id, params.item_id),
  }),
];
