import { z } from 'zod';

/** One turn that is kept. */
export const ConversationMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  reasoning: z.string().nullable(),
  state: z.enum(['done', 'running', 'stopped', 'failed']),
  error: z.string().nullable().describe('What the person could do otherwise, where the model said so'),
  model: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  first_token_ms: z.number().nullable(),
  duration_ms: z.number().nullable(),
  created_at: z.iso.datetime(),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

export const ConversationHead = z.object({
  id: z.string(),
  title: z.string(),
  model: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** With `text`: where the words stand. */
  snippet: z.string().nullable(),
});
export type ConversationHead = z.infer<typeof ConversationHead>;
export const Conversation = ConversationHead.extend({
  system_prompt: z.string().nullable(),
  messages: z.array(ConversationMessage),
});
export type Conversation = z.infer<typeof Conversation>;

/** GET /conversations: the caller's own, last touched first. */
export const ConversationQuery = z.object({
  text: z.string().trim().max(200).optional(),
  before: z.string().max(80).optional(),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const ConversationPage = z.object({ items: z.array(ConversationHead), next: z.string().nullable() });
/** POST /conversations. */
export const NewConversation = z.object({
  model: z.string().max(200),
  system_prompt: z.string().max(20_000).nullable().optional(),
});
/** PATCH /conversations/{id}. */
export const ConversationChange = z
  .object({
    title: z.string().trim().min(1).max(200),
    model: z.string().max(200),
    system_prompt: z.string().max(20_000).nullable(),
  })
  .partial()
  .strict();
/**
 * POST /conversations/{id}/turns: stores the question, answers it as an event stream of {@link TurnEvent}. The answer is
 * kept also when the browser goes away: it runs on, and GET /conversations/{id}/turns/live follows it. `replace_from`
 * drops that message and those after it first (edit or regenerate).
 */
export const NewTurn = z.object({
  content: z.string().trim().min(1).max(200_000).optional().describe('Left out: answer the last question anew'),
  replace_from: z.string().optional(),
  reasoning: z.boolean().optional().describe('Where the model can be told to'),
});
export const TurnEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), question: ConversationMessage.nullable(), answer: ConversationMessage }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('content'), text: z.string() }),
  z.object({ type: z.literal('end'), answer: ConversationMessage, title: z.string() }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** GET /chat-models: what chat and playground offer to this person. */
export const ChatModelOption = z.object({
  id: z.string(),
  description: z.string().nullable(),
  context_length: z.int().nullable(),
  reasoning: z.enum(['none', 'off', 'on']).describe('What the model does by default; none: cannot'),
  reasoning_switch: z.boolean().describe('Whether a request can turn it on and off'),
  images: z.boolean(),
  ready: z.boolean(),
  /** Served by the built-in engine: connect or download a model. */
  builtin: z.boolean(),
  /** Keys of chat_template_kwargs and their JSON schemas. */
  template_keys: z.record(z.string(), z.unknown()),
});
export type ChatModelOption = z.infer<typeof ChatModelOption>;
export const ChatModelList = z.object({ items: z.array(ChatModelOption), default_model: z.string() });
