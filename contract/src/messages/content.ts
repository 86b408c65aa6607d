import { z } from 'zod';
import { described } from '../described.ts';

// Blocks of a conversation. Source: Anthropic API reference, "Messages", "Create a Message".

const cacheControl = z
  .looseObject({ type: z.string().describe('Kind of the mark') })
  .nullish()
  .describe('Accepted; model servers keep what they have read by themselves');
const cited = { cache_control: cacheControl };

export const TextBlock = described('Text', {
  type: z.literal('text'),
  text: z.string().describe('The text'),
  citations: z.array(z.unknown()).nullish().describe('Sources of the text; not given to the model'),
  ...cited,
});

const ImageSource = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('base64'),
      media_type: z.string().min(1).describe('Such as image/png'),
      data: z.string().min(1).describe('The image in base64'),
    }),
    z.object({
      type: z.literal('url'),
      url: z.string().min(1).describe('An https URL, where the operator allows images by address'),
    }),
    z.object({
      type: z.literal('file'),
      file_id: z.string().describe('Id of an uploaded file; refused, as images are given themselves'),
    }),
  ])
  .describe('Where the image is');
export const ImageBlock = described('An image, for models that take images', {
  type: z.literal('image'),
  source: ImageSource,
  ...cited,
});

const DocumentSource = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('base64'),
      media_type: z.string().min(1).describe('Such as application/pdf; the format is told by the content'),
      data: z.string().min(1).describe('The document in base64, of any format that the service reads'),
    }),
    z.object({
      type: z.literal('text'),
      media_type: z.string().nullish().describe('text/plain'),
      data: z.string().describe('The text itself'),
    }),
    z.object({
      type: z.literal('content'),
      content: z
        .union([z.string(), z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock]))])
        .describe('A text, or texts and images'),
    }),
    z.object({
      type: z.literal('url'),
      url: z.string().describe('Address of a document; refused, as documents are not fetched'),
    }),
    z.object({
      type: z.literal('file'),
      file_id: z.string().describe('Id of a file that was uploaded by POST /v1/files'),
    }),
  ])
  .describe('The document itself');
export const DocumentBlock = described('A document, which is read by the service and given to the model as text', {
  type: z.literal('document'),
  source: DocumentSource,
  title: z.string().max(500).nullish().describe('Its name; the ending helps to tell the format'),
  context: z.string().nullish().describe('What it is about; given to the model before its text'),
  citations: z.unknown().optional().describe('Accepted; answers have no citations'),
  ...cited,
});

export const SearchResultBlock = described('A passage that a search of the caller found', {
  type: z.literal('search_result'),
  title: z.string().describe('Its title'),
  source: z.string().describe('Where it is from'),
  content: z.array(TextBlock).describe('The passage'),
  citations: z.unknown().optional().describe('Accepted; answers have no citations'),
  ...cited,
});

export const ThinkingBlock = described('Thinking of an earlier answer; it is accepted, and not given to the model', {
  type: z.literal('thinking'),
  thinking: z.string().describe('The thinking'),
  signature: z.string().nullish().describe('The thinking, sealed by whoever answered'),
});
export const RedactedThinkingBlock = described(
  'Sealed thinking of an earlier answer; accepted, not given to the model',
  {
    type: z.literal('redacted_thinking'),
    data: z.string().describe('The thinking, sealed'),
  },
);

const toolUseId = z.string().min(1).max(200);
export const ToolUseBlock = described('A tool that the model called', {
  type: z.literal('tool_use'),
  id: toolUseId.describe('Id of the call; its result repeats it'),
  name: z.string().min(1).max(128).describe('Name of the tool'),
  input: z.record(z.string(), z.unknown()).describe('Arguments of the call'),
  ...cited,
});

export const ToolResultPart = z
  .discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock, SearchResultBlock])
  .describe('A piece of a result');
export const ToolResultBlock = described('Result of a tool that the model called', {
  type: z.literal('tool_result'),
  tool_use_id: toolUseId.describe('Id of the call that this answers'),
  content: z
    .union([z.string(), z.array(ToolResultPart)])
    .nullish()
    .describe('The result: a text, or text, images and documents'),
  is_error: z.boolean().nullish().describe('Whether the tool failed; the model is told'),
  ...cited,
});

export const ContentBlock = z
  .discriminatedUnion('type', [
    TextBlock,
    ImageBlock,
    DocumentBlock,
    SearchResultBlock,
    ThinkingBlock,
    RedactedThinkingBlock,
    ToolUseBlock,
    ToolResultBlock,
  ])
  .describe('A piece of a message');
export type ContentBlock = z.infer<typeof ContentBlock>;
/** What a block or a result is made of once its documents were read. */
export type PlainBlock = z.infer<typeof TextBlock> | z.infer<typeof ImageBlock>;
export type DocumentBlock = z.infer<typeof DocumentBlock>;
export type ImageBlock = z.infer<typeof ImageBlock>;
export type ToolResultPart = z.infer<typeof ToolResultPart>;
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

/** Types of blocks that a request may have. */
export const contentBlockTypes = [
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
] as const satisfies readonly ContentBlock['type'][];
/** And of pieces of a result. */
export const toolResultPartTypes = [
  'text',
  'image',
  'document',
  'search_result',
] as const satisfies readonly ToolResultPart['type'][];
