import { z } from 'zod';
import { reasoningFields } from './reasoning-keys.ts';

/** Source of every range and default here: interface 2.2 and 8; decisions section 2 for what goes beyond them. */
export const MAX_OUTPUT_TOKENS = 32_768;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: z.string().min(1).describe('A data: URL, or an https URL where the operator allows it'),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
});
export const ContentPart = z.discriminatedUnion('type', [TextPart, ImagePart]);
export type ContentPart = z.infer<typeof ContentPart>;

const textContent = z.union([z.string(), z.array(TextPart).min(1)]);

export const ToolCall = z.object({
  id: z.string().min(1),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().regex(TOOL_NAME), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const SystemMessage = z.object({
  role: z.enum(['system', 'developer']),
  content: textContent,
  name: z.string().optional(),
});
export const UserMessage = z.object({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(ContentPart).min(1)]),
  name: z.string().optional(),
});
export const AssistantMessage = z.object({
  role: z.literal('assistant'),
  content: textContent.nullish(),
  name: z.string().optional(),
  tool_calls: z.array(ToolCall).nullish(),
  ...reasoningFields(z.string().nullish().describe('Accepted and dropped before the model sees it')),
});
export const ToolMessage = z.object({
  role: z.literal('tool'),
  tool_call_id: z.string().min(1),
  content: textContent,
  name: z.string().optional(),
});
export const Message = z.discriminatedUnion('role', [SystemMessage, UserMessage, AssistantMessage, ToolMessage]);
export type Message = z.infer<typeof Message>;

export const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(TOOL_NAME, 'a tool name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -'),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of type object'),
    strict: z.boolean().nullish(),
  }),
});
export type Tool = z.infer<typeof Tool>;

export const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string().regex(TOOL_NAME) }) }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;

export const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().min(1),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);
export type ResponseFormat = z.infer<typeof ResponseFormat>;

const stopStrings = z.union([z.string().min(1), z.array(z.string().min(1)).max(16)]);

/** Body of POST /v1/chat/completions. Unknown fields are accepted and ignored. */
export const ChatRequest = z.object({
  model: z.string().min(1).nullish().describe('A model id; the default model when left out'),
  messages: z.array(Message).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).max(MAX_OUTPUT_TOKENS).nullish().describe('Counts reasoning and answer tokens'),
  max_completion_tokens: z.int().min(1).max(MAX_OUTPUT_TOKENS).nullish().describe('Alias of max_tokens'),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  stop: stopStrings.nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().gt(0).max(2).nullish(),
  tools: z.array(Tool).min(1).max(128).nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  skip_special_tokens: z.boolean().nullish(),
  user: z.string().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  n: z.int().min(1).max(16).nullish(),
  seed: z.int().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  response_format: ResponseFormat.nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  service_tier: z.string().nullish(),
  ignore_eos: z.boolean().nullish(),
  min_tokens: z.int().min(0).max(MAX_OUTPUT_TOKENS).nullish(),
  top_k: z.int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;
