import { z } from 'zod';
import { described } from '../described.ts';
import { givenItems } from './items.ts';
import { includeQuery } from './request.ts';

// Source: OpenAI API reference, "Conversations".

/** Items that one request adds. */
const MAX_ITEMS = 20;
const isFew = (items: readonly unknown[]) => items.length <= MAX_ITEMS;
const TOO_MANY = `has at most ${MAX_ITEMS} items`;

const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((given) => Object.keys(given).length <= 16, 'has at most 16 texts');
const METADATA = 'Up to 16 texts of the caller';

export const NewConversation = described('Body of POST /v1/conversations', {
  items: givenItems.refine(isFew, TOO_MANY).nullish().describe('What was said before, up to 20 items'),
  metadata: Metadata.nullish().describe(METADATA),
});
export type NewConversation = z.infer<typeof NewConversation>;

export const ConversationChange = described('Body of POST /v1/conversations/{id}', {
  metadata: Metadata.nullable().describe(METADATA),
});

export const NewConversationItems = described('Body of POST /v1/conversations/{id}/items', {
  items: givenItems
    .refine((items) => items.length > 0, 'has at least one item')
    .refine(isFew, TOO_MANY)
    .meta({ description: 'The items, 1 to 20', minItems: 1, maxItems: 20 }),
});

export const Conversation = described('A conversation that is kept', {
  id: z.string().describe('Id of the conversation'),
  object: z.literal('conversation'),
  created_at: z.int().describe('Unix time in seconds'),
  metadata: z.record(z.string(), z.string()).describe('Texts of the caller'),
});
export type Conversation = z.infer<typeof Conversation>;

export const DeletedConversation = described('Reply of DELETE /v1/conversations/{id}', {
  id: z.string().describe('Id of the conversation'),
  object: z.literal('conversation.deleted'),
  deleted: z.literal(true),
});

export const ConversationItem = z
  .looseObject({
    id: z.string().describe('Id of the item'),
    type: z.string().describe('Type of the item'),
  })
  .describe('An item of a conversation');

export const ConversationItemList = described('Items of a conversation', {
  object: z.literal('list'),
  data: z.array(ConversationItem).describe('The items'),
  first_id: z.string().nullable().describe('Id of the first'),
  last_id: z.string().nullable().describe('Id of the last'),
  has_more: z.boolean().describe('Whether there are more'),
});
export type ConversationItemList = z.infer<typeof ConversationItemList>;

export const ConversationItemQuery = described('Parameters of items of conversations', includeQuery);
