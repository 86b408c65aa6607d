import { z } from 'zod';
import { described } from '../described.ts';

// Source: Anthropic API reference, "Messages", "Streaming messages" and "Errors".

/** Why an answer ended. */
export const stopReasons = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'refusal',
  'model_context_window_exceeded',
] as const;
/** Why an answer ended. */
export type StopReason = (typeof stopReasons)[number];

export const AnswerBlock = z
  .discriminatedUnion('type', [
    described('Thinking', {
      type: z.literal('thinking'),
      thinking: z.string().describe('The thinking'),
      signature: z.string().describe('The thinking, sealed'),
    }),
    described('Text of the answer', {
      type: z.literal('text'),
      text: z.string().describe('The text'),
      citations: z.null().describe('Always null'),
    }),
    described('A tool that the model calls', {
      type: z.literal('tool_use'),
      id: z.string().describe('Id of the call; its result repeats it'),
      name: z.string().describe('Name of the tool'),
      input: z.record(z.string(), z.unknown()).describe('Arguments of the call'),
    }),
  ])
  .describe('A piece of an answer');

export const MessagesUsage = described('Tokens of the call', {
  input_tokens: z.int().describe('Tokens of the prompt that the model server had not kept'),
  cache_creation_input_tokens: z.int().describe('Always 0: what is kept costs nothing'),
  cache_read_input_tokens: z.int().describe('Tokens of the prompt that the model server had kept'),
  output_tokens: z.int().describe('Generated tokens, thinking and answer together'),
  service_tier: z.literal('standard').describe('Always standard'),
});

export const MessagesReply = described('A whole answer', {
  id: z.string().describe('Unique id of the answer'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string().describe('The model that answered'),
  content: z.array(AnswerBlock).describe('What the model made, in order'),
  stop_reason: z.enum(stopReasons).nullable().describe('Why it ended; null at the beginning of a stream'),
  stop_sequence: z.string().nullable().describe('The stop sequence that ended it; null for none'),
  usage: MessagesUsage,
});
export type MessagesReply = z.infer<typeof MessagesReply>;

export const MessagesEvent = z
  .looseObject({ type: z.string().describe('Name of the event, also in the line `event:`') })
  .describe(
    'An event of a stream: message_start; content_block_start, content_block_delta and content_block_stop of each piece; message_delta with stop_reason and usage; message_stop; ping; error',
  );

export const TokenCount = described('Reply of POST /v1/messages/count_tokens', {
  input_tokens: z
    .int()
    .describe('Tokens of the prompt as its model counts them; an estimate where its server does not'),
});

export type TokenCount = z.infer<typeof TokenCount>;

/** `error.type` values of failures. */
export const messagesErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'overloaded_error',
] as const;
/** Class of a failure. */
export type MessagesErrorType = (typeof messagesErrorTypes)[number];

export const MessagesError = described('A failure of /v1/messages', {
  type: z.literal('error'),
  error: described('What went wrong', {
    type: z.enum(messagesErrorTypes).describe('Class of the failure'),
    message: z.string().describe('What was wrong and what would be right'),
    details: z
      .object({
        error_code: z.string().describe('Its code'),
        unsupported: z.array(z.string()).describe('Fields that are not supported'),
      })
      .optional()
      .describe('Where clients can go on without what is not supported'),
  }),
  request_id: z.string().describe('Stands in every log line of the request'),
});
export type MessagesError = z.infer<typeof MessagesError>;
