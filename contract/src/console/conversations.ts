import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

export const ConversationMessage = described('A message of a conversation', {
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  reasoning: z.string().nullable(),
  state: z.enum(['done', 'running', 'stopped', 'failed']),
  error: z.string().nullable().describe('What the person can do otherwise, where the model said so'),
  model: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  first_token_ms: z.number().nullable().describe('Time to the first token in milliseconds'),
  duration_ms: z.number().nullable().describe('Duration of the answer in milliseconds'),
  created_at: z.iso.datetime(),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

export const ConversationSummary = described('A conversation in a list', {
  id: z.string(),
  title: z.string(),
  model: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  snippet: z.string().nullable().describe('Text around the words that were searched for'),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;
export const Conversation = ConversationSummary.extend({
  system_prompt: z.string().nullable(),
  messages: z.array(ConversationMessage),
}).describe('A conversation with its messages');
export type Conversation = z.infer<typeof Conversation>;

export const ConversationQuery = describedStrictly(
  "Query of GET /conversations: the person's own, the last used first",
  {
    text: z.string().trim().max(200).optional().describe('Words to search for'),
    before: z.string().max(80).optional().describe('next of the page before'),
    size: z.coerce.number().int().min(1).max(100).default(50),
  },
);
export const ConversationPage = described('A part of the list of conversations', {
  items: z.array(ConversationSummary),
  next: z.string().nullable().describe('Where the next page begins; null at the end'),
});
export const NewConversation = describedStrictly('Body of POST /conversations', {
  model: z.string().max(200),
  system_prompt: z.string().max(20_000).nullable().optional(),
});
export const ConversationChange = z
  .object({
    title: z.string().trim().min(1).max(200),
    model: z.string().max(200),
    system_prompt: z.string().max(20_000).nullable(),
  })
  .partial()
  .strict()
  .describe('Body of PATCH /conversations/{id}');
/**
 * POST /conversations/{id}/turns: stores the question, answers it as an event stream of {@link TurnEvent}. The answer is
 * kept also when the browser goes away: it runs on, and GET /conversations/{id}/turns/live follows it. `replace_from`
 * drops that message and those after it first (edit or regenerate).
 */
export const NewTurn = describedStrictly('Body of POST /conversations/{id}/turns', {
  content: z
    .string()
    .trim()
    .min(1)
    .max(200_000)
    .optional()
    .describe('The question; the last question is answered again when left out'),
  replace_from: z.string().optional().describe('Message that is dropped first, with all after it'),
  reasoning: z.boolean().optional().describe('Whether the model reasons, where a request can choose'),
});
export const TurnEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start'), question: ConversationMessage.nullable(), answer: ConversationMessage }),
    z.object({ type: z.literal('reasoning'), text: z.string() }),
    z.object({ type: z.literal('content'), text: z.string() }),
    z.object({ type: z.literal('end'), answer: ConversationMessage, title: z.string() }),
  ])
  .describe('An event of the stream of a turn');
export type TurnEvent = z.infer<typeof TurnEvent>;

export const ChatModelOption = described('A model that chat and playground offer to the person: GET /chat-models', {
  id: z.string(),
  description: z.string().nullable(),
  context_length: z.int().nullable().describe('Maximum number of tokens of prompt and answer together'),
  reasoning: z.enum(['none', 'off', 'on']).describe('Whether the model reasons by default; none: it cannot'),
  reasoning_switch: z.boolean().describe('Whether a request can turn reasoning on and off'),
  images: z.boolean().describe('Whether the model takes images'),
  ready: z.boolean().describe('Whether the model answers now'),
  builtin: z
    .boolean()
    .describe('Whether the built-in engine serves it, which is a hint to connect or download a model'),
  template_keys: z.record(z.string(), z.unknown()).describe('Keys of chat_template_kwargs and their JSON Schemas'),
});
export type ChatModelOption = z.infer<typeof ChatModelOption>;
export const ChatModelList = described('Models that chat and playground offer', {
  items: z.array(ChatModelOption),
  default_model: z.string(),
});
