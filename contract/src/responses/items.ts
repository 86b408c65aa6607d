import { z } from 'zod';
import { described } from '../described.ts';

// Items of a conversation, as the Responses interface has them. Source: OpenAI API reference, "Responses", objects "input items" and
// "output items".

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']).describe('How far the item is');
const itemId = z
  .string()
  .max(200)
  .regex(/^[!-~]*$/, 'has visible ASCII characters alone')
  .describe('Id of the item');
/** What every item that is given again may have, as it was answered. */
const answeredId = { id: itemId.nullish().describe('Id of the item') } as const;
const answered = { ...answeredId, status: itemStatus.nullish().describe('How far the item is') } as const;

const InputText = described('Text that the model is given', {
  type: z.literal('input_text'),
  text: z.string().describe('The text'),
});
const InputImage = described('An image, for models that take images', {
  type: z.literal('input_image'),
  image_url: z.string().min(1).nullish().describe('A data: URL, or an https URL where the operator allows it'),
  file_id: z.string().nullish().describe('Id of an uploaded file; such files are not kept here, so it is refused'),
  detail: z
    .enum(['auto', 'low', 'high', 'original'])
    .nullish()
    .describe('Resolution at which the model reads the image'),
});
const InputFile = described(
  'A document, which is read by the service and given to the model as text; an agent that takes files is given the file',
  {
    type: z.literal('input_file'),
    file_data: z.string().min(1).nullish().describe('The file as a data: URL in base64, or as base64 alone'),
    filename: z.string().min(1).max(255).nullish().describe('Name of the file; its ending helps to tell the format'),
    file_id: z.string().nullish().describe('Id of an uploaded file (POST /files)'),
    file_url: z.string().nullish().describe('Address of a file; refused, as documents are not fetched'),
  },
);
const OutputText = described('Text of an earlier answer', {
  type: z.literal('output_text'),
  text: z.string().describe('The text'),
  annotations: z.array(z.unknown()).nullish().describe('Sources of the text; not given to the model'),
  logprobs: z.array(z.unknown()).nullish().describe('Log probabilities; not given to the model'),
});
const Refusal = described('What an earlier answer refused with', {
  type: z.literal('refusal'),
  refusal: z.string().describe('The text'),
});

export const InputPart = z
  .discriminatedUnion('type', [InputText, InputImage, InputFile, OutputText, Refusal])
  .describe('A piece of a message');
export type InputPart = z.infer<typeof InputPart>;

/** Marks forms whose `type` a request may leave out. */
export const TYPE_MAY_BE_LEFT_OUT = 'typeMayBeLeftOut';

export const MessageItem = described('A message of the conversation', {
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']).describe('Who speaks'),
  content: z.union([z.string(), z.array(InputPart)]).describe('The text, or pieces'),
  ...answered,
}).meta({ description: 'A message of the conversation', [TYPE_MAY_BE_LEFT_OUT]: true });
export const FunctionCallItem = described('A function that the model called', {
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(200).describe('Id of the call; the output that answers it repeats it'),
  name: z.string().regex(TOOL_NAME).describe('Name of the function'),
  namespace: z.string().regex(TOOL_NAME).nullish().describe('Name under which the function was given, where it was'),
  arguments: z.string().describe('JSON object of arguments, as text'),
  ...answered,
});
export const FunctionOutputItem = described('Result of a function that the model called', {
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(200).describe('Id of the call that this answers'),
  output: z.union([z.string(), z.array(InputPart)]).describe('The result: a text, or pieces of text'),
  ...answered,
});
export const ReasoningItem = described('Thinking of an earlier answer; it is accepted, and not given to the model', {
  type: z.literal('reasoning'),
  summary: z.array(z.unknown()).nullish().describe('Pieces of the summary'),
  content: z.array(z.unknown()).nullish().describe('Pieces of the thinking'),
  encrypted_content: z.string().nullish().describe('The thinking, sealed'),
  ...answered,
});
export const ReferenceItem = described('An item of the stored responses that this one goes on from', {
  type: z.literal('item_reference'),
  id: itemId,
});

const callStatus = z
  .enum(['in_progress', 'searching', 'calling', 'completed', 'incomplete', 'failed'])
  .describe('How far the call is');

export const FileSearchResult = described('A passage that a search of collections found', {
  file_id: z.string().describe('Id of the document'),
  filename: z.string().describe('Name of the document'),
  score: z.number().describe('Score that orders the passages; higher is better'),
  text: z.string().describe('Text of the passage'),
  attributes: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .nullable()
    .describe('Metadata of the document'),
  vector_store_id: z.string().describe('Id of the collection'),
});
export type FileSearchResult = z.infer<typeof FileSearchResult>;

/** Fields of calls of tools that the service runs, beside their ids. */
export const hostedFields = {
  file_search_call: {
    type: z.literal('file_search_call'),
    status: callStatus,
    queries: z.array(z.string()).describe('What was looked for'),
    results: z.array(FileSearchResult).nullish().describe('The passages, where they were asked for'),
  },
  web_search_call: {
    type: z.literal('web_search_call'),
    status: callStatus,
    action: z
      .looseObject({ type: z.string().describe('What was done, such as search') })
      .describe('What was looked for, and where it was found'),
  },
  mcp_list_tools: {
    type: z.literal('mcp_list_tools'),
    server_label: z.string().describe('Name of the server in the request'),
    tools: z
      .array(
        z.looseObject({
          name: z.string().describe('Name of the tool'),
          input_schema: z.unknown().describe('JSON Schema of its arguments'),
        }),
      )
      .describe('Its tools'),
    error: z.string().nullish().describe('Why they could not be listed'),
  },
  mcp_call: {
    type: z.literal('mcp_call'),
    server_label: z.string().describe('Name of the server in the request'),
    name: z.string().describe('Name of the tool'),
    arguments: z.string().describe('JSON object of arguments, as text'),
    output: z.string().nullish().describe('What the tool answered'),
    error: z.unknown().describe('Why it failed; null where it did not'),
    approval_request_id: z.string().nullish().describe('Id of the request that was approved'),
    status: callStatus.nullish().describe('How far the call is'),
  },
  mcp_approval_request: {
    type: z.literal('mcp_approval_request'),
    server_label: z.string().describe('Name of the server in the request'),
    name: z.string().describe('Name of the tool'),
    arguments: z.string().describe('JSON object of arguments, as text'),
  },
} as const;

export const FileSearchItem = described('A search of collections in an earlier answer', {
  ...hostedFields.file_search_call,
  ...answeredId,
});
export const WebSearchItem = described('A search of the web in an earlier answer; not given to the model again', {
  ...hostedFields.web_search_call,
  ...answeredId,
});
export const McpToolsItem = described('Tools of a server, as an earlier answer listed them', {
  ...hostedFields.mcp_list_tools,
  ...answeredId,
});
export const McpCallItem = described('A tool of a server that the model called', {
  ...hostedFields.mcp_call,
  ...answeredId,
});
export const McpApprovalItem = described('A call of a tool that asks for approval', {
  ...hostedFields.mcp_approval_request,
  ...answeredId,
});
export const McpApprovalAnswerItem = described('The decision on a call of a tool', {
  type: z.literal('mcp_approval_response'),
  approval_request_id: z.string().max(200).describe('Id of the item that asked'),
  approve: z.boolean().describe('Whether the tool may be called'),
  reason: z.string().max(4_000).nullish().describe('Why not; told to the model'),
  ...answeredId,
});

export const InputItem = z
  .discriminatedUnion('type', [
    MessageItem,
    FunctionCallItem,
    FunctionOutputItem,
    ReasoningItem,
    ReferenceItem,
    FileSearchItem,
    WebSearchItem,
    McpToolsItem,
    McpCallItem,
    McpApprovalItem,
    McpApprovalAnswerItem,
  ])
  .describe('An item of the conversation; a message may leave out its type');
export type InputItem = z.infer<typeof InputItem>;

/** Types of items that a request may have. */
export const inputItemTypes = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
  'file_search_call',
  'web_search_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
] as const satisfies readonly InputItem['type'][];

/** An item may leave out that it is a message. */
export const withType = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && !('type' in item) && 'role' in item
    ? { type: 'message', ...item }
    : item;

/** Items as callers give them. */
export const givenItems = z
  .preprocess((given) => (Array.isArray(given) ? given.map(withType) : given), z.array(InputItem))
  .describe('Items as callers give them');
