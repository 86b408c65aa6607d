import { z } from 'zod';
import { described } from '../described.ts';
import { hostedFields, itemStatus } from './items.ts';
import { ResponseTool, ResponseToolChoice, TextFormat } from './request.ts';

// Source: OpenAI API reference, "Responses", "The response object" and "Streaming events".

/** What every item of an answer has. */
const itemId = { id: z.string().describe('Id of the item') } as const;

/** Where a part of the text comes from: a document of a collection, or a page of the web. */
export const Annotation = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('file_citation'),
      file_id: z.string().describe('Id of the document'),
      filename: z.string().describe('Name of the document'),
      index: z.int().describe('Where its mark stands in the text, in UTF-16 units'),
    }),
    z.object({
      type: z.literal('url_citation'),
      url: z.string().describe('Address of the page'),
      title: z.string().describe('Title of the page'),
      start_index: z.int().describe('Where its mark begins in the text, in UTF-16 units'),
      end_index: z.int().describe('Where its mark ends'),
    }),
  ])
  .describe('A source of the text');
export type Annotation = z.infer<typeof Annotation>;

const OutputTextPart = described('Text of the answer', {
  type: z.literal('output_text'),
  text: z.string().describe('The text'),
  annotations: z.array(Annotation).describe('Sources of the text'),
  logprobs: z.array(z.unknown()).describe('Log probabilities of its tokens, where they were asked for'),
});
const OutputMessage = described('What the model says', {
  ...itemId,
  type: z.literal('message'),
  status: itemStatus,
  role: z.literal('assistant'),
  content: z.array(OutputTextPart).describe('Pieces of the text'),
});
const OutputFunctionCall = described('A function that the model calls', {
  ...itemId,
  type: z.literal('function_call'),
  status: itemStatus,
  call_id: z.string().describe('Id of the call; the output that answers it repeats it'),
  name: z.string().describe('Name of the function'),
  namespace: z.string().optional().describe('Name under which the function was given, where it was'),
  arguments: z.string().describe('JSON object of arguments, as text'),
});
const OutputReasoning = described('What the model thought', {
  ...itemId,
  type: z.literal('reasoning'),
  status: itemStatus.optional(),
  summary: z
    .array(z.object({ type: z.literal('summary_text'), text: z.string().describe('The text') }))
    .describe('The thinking, where a summary was asked for'),
  content: z
    .array(z.object({ type: z.literal('reasoning_text'), text: z.string().describe('The text') }))
    .optional()
    .describe('The thinking, where no summary was asked for'),
  encrypted_content: z.string().optional().describe('The thinking, sealed, where it was asked for'),
});

const OutputFileSearch = described('A search of collections', { ...itemId, ...hostedFields.file_search_call });
const OutputWebSearch = described('A search of the web', { ...itemId, ...hostedFields.web_search_call });
const OutputMcpTools = described('Tools of a server', { ...itemId, ...hostedFields.mcp_list_tools });
const OutputMcpCall = described('A call of a tool of a server', { ...itemId, ...hostedFields.mcp_call });
const OutputMcpApproval = described('A call that asks for approval: it is answered by an item mcp_approval_response', {
  ...itemId,
  ...hostedFields.mcp_approval_request,
});

export const OutputItem = z
  .discriminatedUnion('type', [
    OutputMessage,
    OutputFunctionCall,
    OutputReasoning,
    OutputFileSearch,
    OutputWebSearch,
    OutputMcpTools,
    OutputMcpCall,
    OutputMcpApproval,
  ])
  .describe('An item of the answer');
export type OutputItem = z.infer<typeof OutputItem>;

export const ResponseUsage = described('Tokens of the call', {
  input_tokens: z.int().describe('Tokens of the prompt'),
  input_tokens_details: described('Of the prompt', {
    cached_tokens: z.int().describe('Tokens that the engine had in its cache'),
  }),
  output_tokens: z.int().describe('Tokens of thinking and answer'),
  output_tokens_details: described('Of the answer', { reasoning_tokens: z.int().describe('Tokens of thinking') }),
  total_tokens: z.int().describe('Both together'),
});

export const Response = described('Reply of POST /v1/responses', {
  id: z.string().describe('Id of the response'),
  object: z.literal('response'),
  created_at: z.int().describe('Unix time in seconds'),
  completed_at: z.int().nullable().describe('Unix time in seconds; null while it goes on'),
  status: z
    .enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'])
    .describe('How far the answer is'),
  background: z.boolean().describe('As in the request'),
  conversation: z
    .object({ id: z.string().describe('Id of the conversation') })
    .nullable()
    .describe('The conversation that it is part of'),
  error: z
    .object({
      code: z
        .string()
        .describe(
          'Class of the failure: server_error, rate_limit_exceeded, invalid_prompt, or context_length_exceeded where all of it does not fit into the context of the model',
        ),
      message: z.string().describe('What was wrong'),
    })
    .nullable()
    .describe('Why it failed'),
  incomplete_details: z
    .object({ reason: z.enum(['max_output_tokens', 'content_filter']).describe('Why') })
    .nullable()
    .describe('Why it ended early'),
  instructions: z.string().nullable().describe('As in the request'),
  max_output_tokens: z.int().nullable().describe('As in the request'),
  max_tool_calls: z.int().nullable().describe('As in the request'),
  model: z.string().describe('The model that answered'),
  output: z.array(OutputItem).describe('What the model made, in order'),
  parallel_tool_calls: z.boolean().describe('As in the request'),
  previous_response_id: z.string().nullable().describe('As in the request'),
  prompt_cache_key: z.string().nullable().describe('As in the request'),
  reasoning: described('As in the request', {
    effort: z.string().nullable().describe('How much the model thinks'),
    summary: z.string().nullable().describe('Whether the thinking is told as a summary'),
  }),
  safety_identifier: z.string().nullable().describe('As in the request'),
  service_tier: z.literal('default').describe('Always default'),
  store: z.boolean().describe('Whether it can be read later'),
  temperature: z.number().nullable().describe('As in the request'),
  text: described('Form of the answer', { format: TextFormat }),
  tool_choice: ResponseToolChoice,
  tools: z.array(ResponseTool).describe('As in the request'),
  top_logprobs: z.int().describe('As in the request'),
  top_p: z.number().nullable().describe('As in the request'),
  truncation: z.enum(['auto', 'disabled']).describe('As in the request'),
  usage: ResponseUsage.nullable().describe('Tokens of the call; null while it goes on'),
  user: z.string().nullable().describe('As in the request'),
  metadata: z.record(z.string(), z.string()).describe('As in the request'),
});
export type Response = z.infer<typeof Response>;

/** Events of streams, in the order in which they first come. */
export const responseEventTypes = [
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.output_item.added',
  'response.content_part.added',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.reasoning_summary_part.done',
  'response.output_text.delta',
  'response.output_text.annotation.added',
  'response.output_text.done',
  'response.content_part.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.file_search_call.in_progress',
  'response.file_search_call.searching',
  'response.file_search_call.completed',
  'response.web_search_call.in_progress',
  'response.web_search_call.searching',
  'response.web_search_call.completed',
  'response.mcp_list_tools.in_progress',
  'response.mcp_list_tools.completed',
  'response.mcp_call.in_progress',
  'response.mcp_call_arguments.delta',
  'response.mcp_call_arguments.done',
  'response.mcp_call.completed',
  'response.mcp_call.failed',
  'response.output_item.done',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
] as const;
/** One of them. */
export type ResponseEventType = (typeof responseEventTypes)[number];

export const ResponseEvent = z
  .looseObject({
    type: z.enum(responseEventTypes).describe('Name of the event, also in the line `event:`'),
    sequence_number: z.int().describe('Place in the stream, from 0'),
  })
  .describe(
    'An event of a stream: response.created, response.queued (in the background), response.in_progress, response.output_item.added, response.content_part.added, response.output_text.delta, …, and at the end response.completed, response.incomplete or response.failed',
  );

export const DeletedResponse = described('Reply of DELETE /v1/responses/{id}', {
  id: z.string().describe('Id of the response'),
  object: z.literal('response'),
  deleted: z.literal(true),
});

export const InputItemList = described('Items that a response was made from', {
  object: z.literal('list'),
  data: z.array(z.looseObject({ type: z.string().describe('Type of the item') })).describe('The items'),
  first_id: z.string().nullable().describe('Id of the first'),
  last_id: z.string().nullable().describe('Id of the last'),
  has_more: z.boolean().describe('Whether there are more'),
});
