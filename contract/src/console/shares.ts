import { z } from 'zod';
import { described } from '../described.ts';

// Conversations that people show to others of their tenant.

const ShareId = z.string().describe('Id of the share, which its link names; 32 lower-case hexadecimal digits');
const SharedAt = z.iso.datetime().describe('When it was shared, ISO 8601 in UTC');

export const ConversationShare = described('A conversation that the person shows to others of the tenant', {
  id: ShareId,
  conversation_id: z.string().describe('Id of the conversation, 32 lower-case hexadecimal digits'),
  title: z.string().describe('Title of the conversation'),
  created_at: SharedAt,
});
export type ConversationShare = z.infer<typeof ConversationShare>;
export const ConversationShares = described('What the person shows to others: GET /conversation-shares', {
  items: z.array(ConversationShare).describe('The newest first, at most 500; without what was withdrawn'),
});

export const SharedMessage = described('A message of a conversation that is shown', {
  id: z.string().describe('Id of the message, 32 lower-case hexadecimal digits'),
  role: z.enum(['user', 'assistant']).describe('Who wrote it'),
  content: z.string().describe('Its text; tokens stand for personal values that were masked'),
  model: z.string().nullable().describe('Id of the model that answered; null for a question'),
  state: z.enum(['done', 'stopped', 'failed']).describe('How the answer ended; a question is done'),
  files: z.array(z.string()).describe('Names of the files that the question brought; they cannot be opened'),
  citations: z
    .array(
      z.object({
        number: z.int().describe('Number in the text, as in [1]'),
        document_name: z.string().describe('Name of the document'),
        page: z.int().nullable().describe('Page of the passage, from 1; null where the document has no pages'),
        opens: z.boolean().describe('Whether the reader may open it: the collection is there for them'),
      }),
    )
    .describe('Sources of the answer'),
});
export type SharedMessage = z.infer<typeof SharedMessage>;
export const SharedConversation = described(
  'A conversation as somebody shows it, as far as it had come then: GET /shared-conversations/{id}',
  {
    id: ShareId,
    title: z.string().describe('Title of the conversation'),
    by: z.string().describe('Name of the person who shows it'),
    own: z.boolean().describe('Whether the reader is that person'),
    created_at: SharedAt,
    messages: z.array(SharedMessage).describe('Messages in their order'),
  },
);
export type SharedConversation = z.infer<typeof SharedConversation>;
