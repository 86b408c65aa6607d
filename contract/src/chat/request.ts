import { z } from 'zod';
import { described } from '../described.ts';
import { reasoningFields } from './reasoning-keys.ts';
import { MAX_OUTPUT_TOKENS, samplingFields } from './sampling.ts';

// Source of every range and default here: interface 2.2 and 8; decisions section 2 for what goes beyond them.

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const TextPart = described('Text within a message', {
  type: z.literal('text'),
  text: z.string().describe('The text'),
});
export const ImagePart = described('An image within a message, for models that take images', {
  type: z.literal('image_url'),
  image_url: described('Where the image is', {
    url: z.string().min(1).describe('A data: URL, or an https URL where the operator allows it'),
    detail: z.enum(['auto', 'low', 'high']).optional().describe('Resolution at which the model reads the image'),
  }),
});
export const AudioPart = described('Sound within a message, for models that take sound', {
  type: z.literal('input_audio'),
  input_audio: described('The sound', {
    data: z.string().min(1).describe('The sound in base64'),
    format: z
      .string()
      .regex(/^[a-z0-9]{2,10}$/)
      .describe('Its format, such as wav or mp3'),
  }),
});
export const FilePart = described('A file within a message, for models that take files', {
  type: z.literal('file'),
  file: described('The file', {
    file_data: z.string().min(1).describe('A data: URL'),
    filename: z.string().max(500).optional().describe('Name of the file'),
  }),
});
export const VideoPart = described('A video within a message, for models that take videos', {
  type: z.literal('video_url'),
  video_url: described('Where the video is', { url: z.string().min(1).describe('A data: URL') }),
});
/** Source: decisions section 2; platform.openai.com/docs/api-reference/chat and docs.vllm.ai, "Multimodal Inputs", for sound, files and videos. */
export const ContentPart = z
  .discriminatedUnion('type', [TextPart, ImagePart, AudioPart, FilePart, VideoPart])
  .describe('A piece of a message: text, or an image, sound, a file or a video for the models that take them');
export type ContentPart = z.infer<typeof ContentPart>;

const textContent = z.union([z.string(), z.array(TextPart).min(1)]).describe('The text, whole or in parts');

/** Source: interface section 2.3. */
export const ToolCall = described('A function that the model calls', {
  id: z.string().min(1).describe('Id of the call; the tool message that answers it repeats it'),
  type: z.literal('function').default('function'),
  function: described('What is called', {
    name: z.string().regex(TOOL_NAME).describe('Name of the function'),
    arguments: z.string().describe('JSON object of arguments, as text'),
  }),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** Source: interface section 2.2. */
export const SystemMessage = described('Role, rules and answer format for the model; developer is the same as system', {
  role: z.enum(['system', 'developer']).describe('Who speaks'),
  content: textContent,
  name: z.string().optional().describe('Name of the speaker'),
});
/** Source: interface section 2.2. */
export const UserMessage = described('Question or instruction', {
  role: z.literal('user'),
  content: z
    .union([z.string(), z.array(ContentPart).min(1)])
    .describe('The text, or text, images and the like in parts'),
  name: z.string().optional().describe('Name of the speaker'),
});
/** Source: interface section 2.2. */
export const AssistantMessage = described('Earlier reply of the model', {
  role: z.literal('assistant'),
  content: textContent.nullish().describe('The text, whole or in parts; null with tool calls alone'),
  name: z.string().optional().describe('Name of the speaker'),
  tool_calls: z.array(ToolCall).nullish().describe('Functions that the model called'),
  ...reasoningFields(z.string().nullish().describe('Accepted and dropped before the model sees it')),
});
/** Source: decisions section 2. */
export const ToolMessage = described('Result of a tool call', {
  role: z.literal('tool'),
  tool_call_id: z.string().min(1).describe('Id of the call that this answers'),
  content: textContent,
  name: z.string().optional().describe('Name of the function'),
});
/** Source: interface section 2.2; decisions section 2. */
export const Message = z
  .discriminatedUnion('role', [SystemMessage, UserMessage, AssistantMessage, ToolMessage])
  .describe('A message of a conversation');
export type Message = z.infer<typeof Message>;

/** Source: interface section 2.2. */
export const Tool = described('A function that the model may call', {
  type: z.literal('function'),
  function: described('The function', {
    name: z
      .string()
      .regex(TOOL_NAME, 'a tool name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -')
      .describe('1 to 64 letters, digits, _ and -; unique in the request'),
    description: z.string().optional().describe('What the function does'),
    parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of the arguments, of type object'),
    strict: z.boolean().nullish().describe('Whether arguments must follow the schema exactly'),
  }),
});
export type Tool = z.infer<typeof Tool>;

/** Source: interface section 2.2; decisions section 2. */
export const ToolChoice = z
  .union([
    z.enum(['auto', 'none', 'required']),
    z.object({
      type: z.literal('function'),
      function: described('The function', { name: z.string().regex(TOOL_NAME).describe('Name of the function') }),
    }),
    z.object({
      type: z.literal('allowed_tools'),
      allowed_tools: described('Those of the tools that may be called', {
        mode: z.enum(['auto', 'required']).describe('Whether one of them must be called'),
        tools: z
          .array(
            z.object({
              type: z.literal('function'),
              function: described('The function', {
                name: z.string().regex(TOOL_NAME).describe('Name of one of the tools'),
              }),
            }),
          )
          .min(1)
          .describe('Names of the functions'),
      }),
    }),
  ])
  .describe('Whether the model may, must or must not call a function, or which one');
export type ToolChoice = z.infer<typeof ToolChoice>;

/** Source: decisions section 2. */
export const ResponseFormat = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({
      type: z.literal('json_schema'),
      json_schema: described('The schema and its name', {
        name: z.string().min(1).describe('Name of the schema'),
        description: z.string().optional().describe('What the answer is for'),
        schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the answer'),
        strict: z.boolean().nullish().describe('Whether the answer must follow the schema exactly'),
      }),
    }),
  ])
  .describe('Form of the answer: text, any JSON object, or JSON of a schema');
export type ResponseFormat = z.infer<typeof ResponseFormat>;

/** Source: interface sections 2.2 and 8; decisions section 2. */
export const ChatRequest = described(
  'Body of POST /v1/chat/completions; fields beyond these go on to model servers that take them, and X-Ignored-Fields names those that were left out',
  {
    model: z.string().min(1).nullish().describe('A model id; the default model when left out'),
    messages: z.array(Message).min(1).describe('The conversation so far, at least one message'),
    ...samplingFields,
    max_tokens: z
      .int()
      .min(1)
      .max(MAX_OUTPUT_TOKENS)
      .nullish()
      .describe(
        'Maximum number of tokens to generate, 1 to 32768, reasoning and answer together; what is left of the context when left out',
      ),
    max_completion_tokens: z.int().min(1).max(MAX_OUTPUT_TOKENS).nullish().describe('Alias of max_tokens'),
    repetition_penalty: z
      .number()
      .gt(0)
      .max(2)
      .nullish()
      .describe('Factor against repetition as vLLM has it, up to 2; 1 is none'),
    tools: z.array(Tool).min(1).max(128).nullish().describe('Functions that the model may call, 1 to 128'),
    tool_choice: ToolChoice.nullish().describe(
      'auto, none, required, one function, or allowed_tools: some of them; only with tools',
    ),
    parallel_tool_calls: z.boolean().nullish().describe('Whether one reply may hold several tool calls'),
    skip_special_tokens: z
      .boolean()
      .nullish()
      .describe('Whether special tokens are left out of the output; false when left out'),
    chat_template_kwargs: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe(
        "Switches of the model's template: for the CORE-GOV family force_reasoning and skip_reasoning; other models have their own",
      ),
    logprobs: z.boolean().nullish().describe('Whether log probabilities of the tokens are wanted'),
    top_logprobs: z.int().min(0).max(20).nullish().describe('Alternatives of each token, 0 to 20; only with logprobs'),
    response_format: ResponseFormat.nullish().describe(
      'Form of the answer: text, any JSON object, or JSON of a schema',
    ),
    reasoning_effort: z
      .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
      .nullish()
      .describe('How much the model reasons, for the models that can be set'),
    logit_bias: z
      .record(z.string(), z.number().min(-100).max(100))
      .meta({ propertyNames: { type: 'string', pattern: '^[0-9]+$' } })
      .nullish()
      .describe('Bias of tokens by their id, -100 to 100'),
    metadata: z.record(z.string(), z.unknown()).nullish().describe('Metadata of the caller; not interpreted'),
    service_tier: z.string().nullish().describe('Service tier, for engines that have tiers'),
    ignore_eos: z.boolean().nullish().describe('Whether generation goes on past the end marker, for load tests'),
    min_tokens: z
      .int()
      .min(0)
      .max(MAX_OUTPUT_TOKENS)
      .nullish()
      .describe('Minimum number of tokens to generate, 0 to 32768'),
    top_k: z.int().min(-1).nullish().describe('Number of most likely tokens that tokens are drawn from; -1 for all'),
    min_p: z
      .number()
      .min(0)
      .max(1)
      .nullish()
      .describe('Minimum probability of a token, as a share of the most likely one, 0 to 1'),
  },
);
export type ChatRequest = z.infer<typeof ChatRequest>;
