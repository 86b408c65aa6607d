import { z } from 'zod';
import { described, queryInt } from '../described.ts';
import { MAX_OUTPUT_TOKENS } from '../chat/sampling.ts';
import { InputItem } from './items.ts';

// Source: OpenAI API reference, "Responses", "Create a model response".

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const FunctionTool = described('A function that the model may call', {
  type: z.literal('function'),
  name: z
    .string()
    .regex(TOOL_NAME, 'a tool name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -')
    .describe('1 to 64 letters, digits, _ and -; unique in the request'),
  description: z.string().nullish().describe('What the function does'),
  parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of the arguments, of type object'),
  strict: z.boolean().nullish().describe('Whether arguments must follow the schema exactly'),
});
export type FunctionTool = z.infer<typeof FunctionTool>;

export const NamespaceTool = described('Functions under one name, which the calls of them repeat', {
  type: z.literal('namespace'),
  name: z.string().regex(TOOL_NAME).describe('1 to 64 letters, digits, _ and -'),
  description: z.string().nullish().describe('What the functions are for'),
  tools: z.array(FunctionTool).min(1).max(128).describe('The functions'),
});
const webSearchNames = [
  'web_search',
  'web_search_preview',
  'web_search_2025_08_26',
  'web_search_preview_2025_03_11',
] as const;
export const WebSearchTool = described(
  'A search of the web by the service, where its operator has one; else the model is not told of it, and a header of the reply says so',
  {
    type: z.enum(webSearchNames).describe('Any of its names'),
    filters: z
      .object({
        allowed_domains: z.array(z.string().max(253)).max(100).nullish().describe('Domains whose pages are looked at'),
      })
      .nullish()
      .describe('Which pages are looked at'),
    search_context_size: z.enum(['low', 'medium', 'high']).nullish().describe('How many pages the model is told of'),
    user_location: z.looseObject({}).nullish().describe('Accepted; searches are the same everywhere'),
  },
);
export type WebSearchTool = z.infer<typeof WebSearchTool>;

export const FileSearchTool = described('A search of collections by the service', {
  type: z.literal('file_search'),
  vector_store_ids: z.array(z.string().min(1).max(64)).min(1).max(20).describe('Ids of the collections, 1 to 20'),
  max_num_results: z.int().min(1).max(50).nullish().describe('Most passages of a search, 1 to 50; 10 when left out'),
  filters: z
    .looseObject({ type: z.string().describe('eq, ne, gt, gte, lt, lte, in, nin, and, or') })
    .nullish()
    .describe('Conditions on metadata: {type, key, value}, or {type: "and" or "or", filters}'),
  ranking_options: described('How passages are ordered', {
    ranker: z
      .string()
      .max(100)
      .nullish()
      .describe('none: no rerank model; auto, or the names of others: as the collection says; a model id: that one'),
    score_threshold: z.number().min(0).max(1).nullish().describe('Leaves out passages with a lower score'),
    hybrid_search: z
      .object({
        embedding_weight: z.number().min(0).describe('Weight of the vectors'),
        text_weight: z.number().min(0).describe('Weight of the words'),
      })
      .nullish()
      .describe('Weights of the two sides of a hybrid search'),
  })
    .nullish()
    .describe('How passages are ordered'),
});
export type FileSearchTool = z.infer<typeof FileSearchTool>;

const ToolNames = z.object({
  tool_names: z.array(z.string().max(200)).max(500).nullish().describe('Names of tools'),
  read_only: z.boolean().nullish().describe('Refused: servers are not asked which of their tools only read'),
});
export const McpTool = described('Tools of a server that was connected in the console', {
  type: z.literal('mcp'),
  server_label: z.string().min(1).max(100).describe('Name of the server in the answer; that of the connected server'),
  connector_id: z.string().max(100).nullish().describe('Id of the connected server, where the label is not its name'),
  server_url: z.string().max(2_000).nullish().describe('Address of the server; it must be one that is connected'),
  server_description: z.string().max(4_000).nullish().describe('What the server is for'),
  allowed_tools: z
    .union([z.array(z.string().max(200)).max(500), ToolNames])
    .nullish()
    .describe('Tools that may be called; all when left out'),
  require_approval: z
    .union([
      z.enum(['always', 'never']),
      z.object({
        always: ToolNames.nullish().describe('Tools whose calls ask for approval'),
        never: ToolNames.nullish().describe('Tools whose calls do not'),
      }),
    ])
    .nullish()
    .describe('Which calls ask for approval; always when left out'),
  authorization: z.string().nullish().describe('Refused: the secrets of a server are those that it was connected with'),
  headers: z
    .record(z.string(), z.string())
    .nullish()
    .describe('Refused: the headers of a server are those that it was connected with'),
});
export type McpTool = z.infer<typeof McpTool>;

export const ResponseTool = z
  .discriminatedUnion('type', [FunctionTool, NamespaceTool, WebSearchTool, FileSearchTool, McpTool])
  .describe('A function that the caller runs, several under one name, or a tool that the service runs');
export type ResponseTool = z.infer<typeof ResponseTool>;
/** Types of tools that a request may have. */
export const responseToolTypes: ReadonlySet<string> = new Set([
  'function',
  'namespace',
  'file_search',
  'mcp',
  ...webSearchNames,
]);

const NamedFunction = z.object({
  type: z.literal('function'),
  name: z.string().regex(TOOL_NAME).describe('Name of the function'),
});
const NamedHosted = z.object({
  type: z.enum(['file_search', ...webSearchNames]).describe('The tool of this type'),
});
const NamedMcp = z.object({
  type: z.literal('mcp'),
  server_label: z.string().max(100).describe('The server'),
  name: z.string().max(200).nullish().describe('One of its tools; any when left out'),
});

export const ResponseToolChoice = z
  .union([
    z.enum(['auto', 'none', 'required']),
    NamedFunction,
    NamedHosted,
    NamedMcp,
    z.object({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']).describe('Whether one of them must be called'),
      tools: z
        .array(z.union([NamedFunction, NamedHosted, NamedMcp]))
        .min(1)
        .max(128)
        .describe('The tools that may be called'),
    }),
  ])
  .describe('Whether the model may, must or must not call a tool, or which ones');
export type ResponseToolChoice = z.infer<typeof ResponseToolChoice>;

export const TextFormat = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({
      type: z.literal('json_schema'),
      name: z.string().min(1).describe('Name of the schema'),
      description: z.string().nullish().describe('What the answer is for'),
      schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer'),
      strict: z.boolean().nullish().describe('Whether the answer must follow the schema exactly'),
    }),
  ])
  .describe('Form of the answer: text, any JSON object, or JSON of a schema');
export type TextFormat = z.infer<typeof TextFormat>;

/** What a request may ask to be included. Others are known to the interface, and have nothing to include here. */
export const includable = [
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
] as const;

export const ResponseRequest = described('Body of POST /v1/responses; unknown fields are ignored', {
  model: z.string().min(1).nullish().describe('A model id; the default model when left out'),
  input: z
    .union([z.string(), z.array(InputItem)])
    .nullish()
    .describe('The text, or items of the conversation; may be left out where a stored response is gone on from'),
  instructions: z.string().nullish().describe('Rules for the model in this answer alone'),
  previous_response_id: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe('Id of the stored response that this goes on from'),
  conversation: z
    .union([
      z.string().min(1).max(200),
      z.object({ id: z.string().min(1).max(200).describe('Id of the conversation') }),
    ])
    .nullish()
    .describe('The conversation that this goes on with, and is added to; an id, or an object with it'),
  tools: z.array(ResponseTool).max(128).nullish().describe('Tools that the model may call, up to 128'),
  tool_choice: ResponseToolChoice.nullish().describe(
    'Whether the model may, must or must not call a tool, or which ones',
  ),
  parallel_tool_calls: z.boolean().nullish().describe('Whether one answer may hold several calls'),
  reasoning: described('How the model thinks', {
    effort: z
      .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
      .nullish()
      .describe('How much, for the models that can be set; max is xhigh here'),
    summary: z
      .enum(['auto', 'concise', 'detailed'])
      .nullish()
      .describe('Where it is given, the thinking is told in `summary` in place of `content`'),
    generate_summary: z.enum(['auto', 'concise', 'detailed']).nullish().describe('The older name of summary'),
  })
    .nullish()
    .describe('How the model thinks'),
  text: described('Form of the answer', {
    format: TextFormat.nullish().describe('Text, any JSON object, or JSON of a schema'),
    verbosity: z.enum(['low', 'medium', 'high']).nullish().describe('Accepted; models here have no such switch'),
  })
    .nullish()
    .describe('Form of the answer'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullish()
    .describe('Randomness, 0 to 2; the default of the model when left out'),
  top_p: z.number().gt(0).max(1).nullish().describe('Share of the likeliest tokens that tokens are drawn from'),
  max_output_tokens: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_TOKENS)
    .nullish()
    .describe('Maximum number of tokens to generate, thinking and answer together'),
  max_tool_calls: z.int().min(1).nullish().describe('Most calls of tools that the service runs, over all turns'),
  top_logprobs: z.int().min(0).max(20).nullish().describe('Alternatives of each token, 0 to 20'),
  include: z
    .array(z.enum(includable))
    .nullish()
    .describe('What the answer has beyond the usual: sealed thinking, log probabilities'),
  truncation: z
    .enum(['auto', 'disabled'])
    .nullish()
    .describe('auto leaves out the oldest items where all are longer than the context of the model; disabled refuses'),
  store: z.boolean().nullish().describe('Whether the answer can be read and gone on from later; true when left out'),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .nullish()
    .describe('Up to 16 texts of the caller, kept with the answer'),
  stream: z.boolean().nullish().describe('Whether the answer comes as server-sent events'),
  stream_options: described('Of streams', {
    include_obfuscation: z.boolean().nullish().describe('Accepted; events have no padding here'),
  })
    .nullish()
    .describe('Of streams'),
  background: z
    .boolean()
    .nullish()
    .describe(
      'Whether it is made in the background: the answer comes at once, and GET /v1/responses/{id} tells how far it is',
    ),
  service_tier: z.string().nullish().describe('Accepted; there is one tier'),
  user: z.string().nullish().describe('Id of the end user; not interpreted'),
  safety_identifier: z.string().nullish().describe('Id of the end user; not interpreted'),
  prompt_cache_key: z.string().nullish().describe('Accepted; not interpreted'),
  prompt_cache_retention: z.string().nullish().describe('Accepted; not interpreted'),
});
export type ResponseRequest = z.infer<typeof ResponseRequest>;

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const oneOrMany = <T extends z.ZodType>(one: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(one).optional());
/** Clients write lists in an address as `include[]=…`. */
export const includeQuery = {
  include: oneOrMany(z.enum(includable)).describe('What items have beyond the usual; may stand several times'),
  'include[]': oneOrMany(z.enum(includable)).describe('The same, as OpenAI clients write it'),
} as const;

export const ResponseQuery = described('Parameters of GET /v1/responses/{id}', {
  stream: flag
    .optional()
    .describe(
      'Whether its events are told, as server-sent events; for one that was begun in the background as a stream',
    ),
  starting_after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('With stream: sequence number of the last event that is known; those behind it are told'),
  ...includeQuery,
  include_obfuscation: flag.optional().describe('Accepted; events have no padding here'),
});

export const InputItemsQuery = described('Parameters of GET /v1/responses/{id}/input_items', {
  limit: queryInt(1, 100).default(20).describe('Items of a page, 1 to 100'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Order by age; the newest first when left out'),
  after: z.string().min(1).optional().describe('Id of the item behind which the page begins'),
  ...includeQuery,
});
