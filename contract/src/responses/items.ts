import { z } from 'zod';
import { described } from '../described.ts';

// Items of a conversation, as the Responses interface has them. Source: OpenAI API reference, "Responses", objects "input items" and
// "output items".

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']).describe('How far the item is');
const itemId = z.string().max(200).describe('Id of the item');

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
const InputFile = described('A document, which is read by the service and given to the model as text', {
  type: z.literal('input_file'),
  file_data: z.string().min(1).nullish().describe('The file as a data: URL in base64, or as base64 alone'),
  filename: z.string().min(1).max(255).nullish().describe('Name of the file; its ending helps to tell the format'),
  file_id: z.string().nullish().describe('Id of an uploaded file; such files are not kept here, so it is refused'),
  file_url: z.string().nullish().describe('Address of a file; refused, as documents are not fetched'),
});
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

export const MessageItem = described('A message of the conversation', {
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']).describe('Who speaks'),
  content: z.union([z.string(), z.array(InputPart)]).describe('The text, or pieces'),
  id: itemId.nullish().describe('Id of the item'),
  status: itemStatus.nullish().describe('How far the item is'),
});
export const FunctionCallItem = described('A function that the model called', {
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(200).describe('Id of the call; the output that answers it repeats it'),
  name: z.string().regex(TOOL_NAME).describe('Name of the function'),
  namespace: z.string().regex(TOOL_NAME).nullish().describe('Name under which the function was given, where it was'),
  arguments: z.string().describe('JSON object of arguments, as text'),
  id: itemId.nullish().describe('Id of the item'),
  status: itemStatus.nullish().describe('How far the item is'),
});
export const FunctionOutputItem = described('Result of a function that the model called', {
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(200).describe('Id of the call that this answers'),
  output: z.union([z.string(), z.array(InputPart)]).describe('The result: a text, or pieces of text'),
  id: itemId.nullish().describe('Id of the item'),
  status: itemStatus.nullish().describe('How far the item is'),
});
export const ReasoningItem = described('Thinking of an earlier answer; it is accepted, and not given to the model', {
  type: z.literal('reasoning'),
  id: itemId.nullish().describe('Id of the item'),
  summary: z.array(z.unknown()).nullish().describe('Pieces of the summary'),
  content: z.array(z.unknown()).nullish().describe('Pieces of the thinking'),
  encrypted_content: z.string().nullish().describe('The thinking, sealed'),
  status: itemStatus.nullish().describe('How far the item is'),
});
export const ReferenceItem = described('An item of the stored responses that this one goes on from', {
  type: z.literal('item_reference'),
  id: itemId,
});

export const InputItem = z
  .discriminatedUnion('type', [MessageItem, FunctionCallItem, FunctionOutputItem, ReasoningItem, ReferenceItem])
  .describe('An item of the conversation; a message may leave out its type');
export type InputItem = z.infer<typeof InputItem>;

/** Types of items that a request may have. */
export const inputItemTypes = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
] as const satisfies readonly InputItem['type'][];
