import { z } from 'zod';
import { described } from '../described.ts';
import { ContentBlock, TextBlock } from './content.ts';

// Source: Anthropic API reference, "Messages", "Create a Message" and "Count tokens in a Message".

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Fewest tokens that thinking may be limited to. Source: "Extended thinking". */
export const MIN_THINKING_TOKENS = 1_024;

export const MessageParam = described(
  'A message of the conversation; messages of one role that follow each other are one',
  {
    role: z.enum(['user', 'assistant', 'system']).describe('Who speaks; system gives rules from here on'),
    content: z.union([z.string(), z.array(ContentBlock)]).describe('The text, or pieces'),
  },
);
export type MessageParam = z.infer<typeof MessageParam>;

export const MessagesTool = described('A tool that the caller runs', {
  type: z.literal('custom').nullish().describe('custom, or nothing'),
  name: z
    .string()
    .regex(TOOL_NAME, 'a tool name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -')
    .describe('1 to 64 letters, digits, _ and -; unique in the request'),
  description: z.string().nullish().describe('What the tool does'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments, of type object'),
  strict: z.boolean().nullish().describe('Whether arguments must follow the schema exactly'),
  cache_control: z.unknown().optional().describe('Accepted; model servers keep what they have read by themselves'),
});
export type MessagesTool = z.infer<typeof MessagesTool>;

const parallel = z.boolean().nullish().describe('Whether at most one tool may be called in an answer');
export const MessagesToolChoice = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('auto'), disable_parallel_tool_use: parallel }),
    z.object({ type: z.literal('any'), disable_parallel_tool_use: parallel }),
    z.object({
      type: z.literal('tool'),
      name: z.string().min(1).describe('Name of the tool'),
      disable_parallel_tool_use: parallel,
    }),
    z.object({ type: z.literal('none') }),
  ])
  .describe('Whether the model may (auto), must (any, or one tool) or must not (none) call a tool');

const display = z
  .enum(['summarized', 'full', 'omitted'])
  .nullish()
  .describe('omitted leaves the text of the thinking out, and its signature holds it sealed; else it is told whole');
export const ThinkingConfig = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('enabled'),
      budget_tokens: z
        .int()
        .min(MIN_THINKING_TOKENS)
        .describe('At least 1,024 and less than max_tokens; models here know levels, so it is low, medium or high'),
      display,
    }),
    z.object({ type: z.literal('adaptive'), display }),
    z.object({ type: z.literal('disabled') }),
  ])
  .describe('Whether and how the model thinks; when left out, as the model does by itself');

const JsonFormat = z
  .object({
    type: z.literal('json_schema'),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer'),
  })
  .describe('Form of the answer: JSON of a schema');

/** Fields that a request and a count of its tokens share. */
const promptFields = {
  model: z.string().min(1).describe('A model id, or an alias of the catalogue'),
  messages: z.array(MessageParam).min(1).max(100_000).describe('The conversation so far, at least one message'),
  system: z
    .union([z.string(), z.array(TextBlock)])
    .nullish()
    .describe('Role, rules and answer format for the model: a text, or texts'),
  tools: z.array(MessagesTool).max(128).nullish().describe('Tools that the model may call, up to 128'),
  tool_choice: MessagesToolChoice.nullish().describe('Whether the model may, must or must not call a tool'),
  thinking: ThinkingConfig.nullish().describe('Whether and how the model thinks'),
  output_config: described('How the answer is made', {
    effort: z
      .enum(['low', 'medium', 'high', 'xhigh', 'max'])
      .nullish()
      .describe('How much the model thinks, for the models that can be set'),
    format: JsonFormat.nullish().describe('Form of the answer: JSON of a schema'),
  })
    .nullish()
    .describe('How the answer is made'),
  output_format: JsonFormat.nullish().describe('The older place of output_config.format'),
  cache_control: z.unknown().optional().describe('Accepted; model servers keep what they have read by themselves'),
};

export const MessagesRequest = described('Body of POST /v1/messages; unknown fields are ignored', {
  ...promptFields,
  max_tokens: z
    .int()
    .min(1)
    .describe('Most tokens to generate, thinking and answer together; more than the model has room for is less'),
  stop_sequences: z
    .array(z.string().min(1))
    .max(16)
    .nullish()
    .describe('Up to 16 strings at which generation halts; the reply does not contain them'),
  stream: z.boolean().nullish().describe('Whether the reply comes as server-sent events'),
  temperature: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe('Randomness, 0 to 1; the default of the model when left out'),
  top_p: z.number().min(0).max(1).nullish().describe('Share of the likeliest tokens that tokens are drawn from'),
  top_k: z.int().min(0).nullish().describe('Number of the likeliest tokens that tokens are drawn from'),
  metadata: z
    .looseObject({ user_id: z.string().nullish().describe('Id of the end user, of the own choice of the caller') })
    .nullish()
    .describe('Of the caller'),
  service_tier: z.string().nullish().describe('Accepted; there is one tier'),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;

export const CountTokensRequest = described(
  'Body of POST /v1/messages/count_tokens: a request without the fields of its answer',
  promptFields,
);
export type CountTokensRequest = z.infer<typeof CountTokensRequest>;
