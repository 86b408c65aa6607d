import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../chat/sampling.ts';
import { described, describedStrictly } from '../described.ts';
import {
  ConversationCollection,
  MAX_CONVERSATION_COLLECTIONS,
  MAX_MESSAGE_FILES,
  MessageCitation,
  MessageFallback,
  MessageFile,
} from './conversation-parts.ts';
import { AnswerFeedback } from './feedback.ts';
import { talkChange, talkPlace, talkSearch } from './talks.ts';

export const ConversationMessage = described('A message of a conversation', {
  id: z.string().describe('Id of the message, 32 lower-case hexadecimal digits'),
  role: z.enum(['user', 'assistant']).describe('Who wrote it: user for a question, assistant for an answer'),
  content: z.string().describe('Text of the message; of a running answer what came so far'),
  reasoning: z.string().nullable().describe('Reasoning of the model before the answer; null where there is none'),
  state: z
    .enum(['done', 'running', 'stopped', 'failed'])
    .describe('State of the answer; stopped: it ended early and keeps its text; a question is done'),
  error: z.string().nullable().describe('What the person can do otherwise, where the model said so'),
  model: z.string().nullable().describe('Id of the model that answers; null for a question'),
  fallback: MessageFallback.nullable().describe(
    'Set where that is another model than the one that was asked for; known once it has answered',
  ),
  prompt_tokens: z.int().nullable().describe('Tokens of the prompt; null for a question and until they are known'),
  completion_tokens: z
    .int()
    .nullable()
    .describe('Tokens that the model generated; null for a question and until they are known'),
  first_token_ms: z.number().nullable().describe('Time to the first token in milliseconds'),
  duration_ms: z.number().nullable().describe('Duration of the answer in milliseconds'),
  reasoning_ms: z
    .number()
    .nullable()
    .describe('How long the model reasoned, in milliseconds; null where it did not, and while it does'),
  feedback: AnswerFeedback.nullable().describe('What the person thinks of the answer; null: nothing was said'),
  follow_ups: z.array(z.string()).describe('What could be asked next, as a model suggested; empty until it was asked'),
  created_at: z.iso.datetime().describe('Time of the question, or of the start of the answer, ISO 8601 in UTC'),
  files: z.array(MessageFile).describe('Files that the question brought'),
  citations: z.array(MessageCitation).describe('Sources of the answer; of a running one those that it may cite'),
  versions: z
    .array(z.string())
    .describe('Ids of the versions of this message, the oldest first, itself among them: other words, other answers'),
  compared: z
    .boolean()
    .describe('Whether it was asked of several models at a time, and none of their answers has been chosen'),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

export const ConversationSummary = described('A conversation in a list', {
  id: z.string().describe('Id of the conversation, 32 lower-case hexadecimal digits'),
  title: z
    .string()
    .describe('Title that the person chose, else the start of the first question; empty until there is one'),
  model: z.string().describe('Id of the model that answers the next question'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  updated_at: z.iso.datetime().describe('Time of creation, last question or end of its answer, ISO 8601 in UTC'),
  ...talkPlace,
  temporary: z.boolean().describe('Whether it stands in no list, and goes a day after it was touched last'),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;

/** Models that answer one question side by side, the first of the conversation among them. */
export const MAX_COMPARED_MODELS = 4;

/** How models make answers; null or left out: as the model does by itself. Source of the ranges: interface 2.2. */
export const ConversationParameters = describedStrictly('How the answers of a conversation are made', {
  temperature: z.number().min(0).max(2).nullish().describe('Sampling temperature, 0 to 2'),
  top_p: z.number().min(0).max(1).nullish().describe('Share of probability that tokens are drawn from, 0 to 1'),
  max_tokens: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_TOKENS)
    .nullish()
    .describe('Maximum number of tokens of an answer, reasoning included, 1 to 32,768'),
  reasoning_effort: z
    .enum(['low', 'medium', 'high'])
    .nullish()
    .describe('How much the model reasons; only of models that can be set'),
});
export type ConversationParameters = z.infer<typeof ConversationParameters>;

const ModelsBeside = z
  .array(z.string().max(200))
  .max(MAX_COMPARED_MODELS - 1)
  .describe('Ids of further models that answer each question side by side with the first, at most 3');

export const Conversation = ConversationSummary.extend({
  system_prompt: z.string().nullable().describe('System prompt; null where there is none'),
  collections: z.array(ConversationCollection).describe('Collections that answers are looked for in'),
  parameters: ConversationParameters,
  models_beside: ModelsBeside,
  messages: z
    .array(ConversationMessage)
    .describe('Messages of the version that is shown in their order, the oldest first'),
  answers_beside: z
    .array(ConversationMessage)
    .describe('Answers of other models to the last question, beside the last message, until one is chosen'),
}).describe('A conversation with its messages');
export type Conversation = z.infer<typeof Conversation>;

export const ConversationQuery = describedStrictly(
  "Query of GET /conversations: the person's own, the last used first",
  talkSearch,
);
export const ConversationPage = described('A part of the list of conversations', {
  items: z.array(ConversationSummary).describe('Conversations of this page, the last used first'),
  next: z.string().nullable().describe('Where the next page begins; null at the end'),
});
const Collections = z
  .array(z.string().max(32))
  .max(MAX_CONVERSATION_COLLECTIONS)
  .describe('Ids of the collections that answers are looked for in, at most 10');
export const NewConversation = describedStrictly('Body of POST /conversations', {
  model: z.string().max(200).describe('Id of the model that answers, at most 200 characters'),
  system_prompt: z
    .string()
    .max(20_000)
    .nullable()
    .optional()
    .describe('System prompt, at most 20,000 characters; none when null, empty or left out'),
  parameters: ConversationParameters.optional(),
  models_beside: ModelsBeside.optional(),
  collections: Collections.optional(),
  temporary: z.boolean().default(false).describe('Whether it is kept in no list, for a day at most'),
});
export const ConversationChange = z
  .object({
    ...talkChange,
    model: z.string().max(200).describe('Id of the model that answers from now on, at most 200 characters'),
    system_prompt: z
      .string()
      .max(20_000)
      .nullable()
      .describe('New system prompt, at most 20,000 characters; null or empty removes it'),
    collections: Collections,
    parameters: ConversationParameters,
    models_beside: ModelsBeside,
    shown: z.string().max(32).describe('Message whose version is shown from now on, with what follows it'),
  })
  .partial()
  .strict()
  .describe('Body of PATCH /conversations/{id}');
/**
 * POST /conversations/{id}/turns: stores the question, answers it as an event stream of {@link TurnEvent}. The answer is
 * kept also when the browser goes away: it runs on, and GET /conversations/{id}/turns/live follows it. `replace_from`
 * makes another version of that message (edit or regenerate); what was there stays, and can be shown again.
 */
export const NewTurn = describedStrictly('Body of POST /conversations/{id}/turns', {
  content: z
    .string()
    .trim()
    .min(1)
    .max(200_000)
    .optional()
    .describe('The question; the last question is answered again when left out'),
  replace_from: z
    .string()
    .optional()
    .describe('Message of which this makes another version; the former one stays, with all after it'),
  model: z.string().max(200).optional().describe('Id of the model of this answer; left out: that of the conversation'),
  models: z
    .array(z.string().max(200))
    .min(2)
    .max(MAX_COMPARED_MODELS)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each model once')
    .optional()
    .describe('Ids of models that answer side by side, 2 to 4, in place of model'),
  files: z
    .array(z.string().max(32))
    .max(MAX_MESSAGE_FILES)
    .optional()
    .describe(
      'Ids of files that the question brings, at most 10; other words for a question keep its files when left out',
    ),
  reasoning: z.boolean().optional().describe('Whether the model reasons, where a request can choose'),
});
export const TurnEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start'), question: ConversationMessage.nullable(), answer: ConversationMessage }),
    z.object({
      type: z.literal('reasoning'),
      id: z.string().describe('Id of the answer that grows'),
      text: z.string().describe('What came of the reasoning since the event before'),
    }),
    z.object({
      type: z.literal('content'),
      id: z.string().describe('Id of the answer that grows'),
      text: z.string().describe('What came of the answer since the event before'),
    }),
    z.object({
      type: z.literal('end'),
      answer: ConversationMessage,
      title: z.string().describe('Title of the conversation'),
    }),
  ])
  .describe('An event of the stream of a turn');
export type TurnEvent = z.infer<typeof TurnEvent>;

export const FollowUps = described(
  'Reply of POST /conversations/{id}/messages/{message}/follow-ups: what a model makes of an answer',
  {
    title: z.string().describe('Title of the conversation'),
    questions: z.array(z.string()).describe('Up to three short questions that could be asked next'),
  },
);
export type FollowUps = z.infer<typeof FollowUps>;

export const ChatModelOption = described('A model that chat and playground offer to the person: GET /chat-models', {
  id: z.string().describe('Id of the model, by which requests name it'),
  description: z.string().nullable().describe('What the model is; null where it has no description'),
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
  items: z.array(ChatModelOption).describe('Chat models that the tenant may use'),
  default_model: z
    .string()
    .describe('Id of the model to begin with: the default of the tenant or of the service, else the first'),
});

export const ConversationStop = describedStrictly('Query of POST /conversations/{id}/stop', {
  answer: z.string().max(32).optional().describe('Id of the answer that ends; left out: every one under way'),
});

export const ConversationFolder = described('A folder of conversations of a person', {
  id: z.string().describe('Id of the folder, 32 lower-case hexadecimal digits'),
  name: z.string().describe('Name of the folder'),
});
export type ConversationFolder = z.infer<typeof ConversationFolder>;
export const ConversationFolders = described("The person's folders: GET /conversation-folders", {
  items: z.array(ConversationFolder).describe('By their names'),
});
export const NamedFolder = describedStrictly('Body of POST /conversation-folders and of PATCH with an id', {
  name: z.string().trim().min(1).max(100).describe('Name of the folder, 1 to 100 characters'),
});
