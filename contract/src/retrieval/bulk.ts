import { z } from 'zod';
import { described } from '../described.ts';
import { FieldName } from './collection.ts';
import { ExternalId, Metadata } from './document.ts';
import { nonBlankText, text } from './text.ts';

/** Longest text of a line: longer ones are files. */
export const MAX_LINE_TEXT = 1_000_000;

const Text = text(MAX_LINE_TEXT)
  .refine((value) => value.trim() !== '', 'must not be blank')
  .describe('Text of the document, at most 1,000,000 characters');

/** Source: decisions section 5. */
export const BulkLine = z
  .strictObject({
    text: Text.optional(),
    content: Text.optional().describe('The same as text'),
    name: nonBlankText(255)
      .optional()
      .describe(
        'Name of the document, 1 to 255 characters; by its ending .md it is read as Markdown, else as plain text',
      ),
    external_id: ExternalId.optional().describe(
      "Id of the caller's own; the document replaces an older one with the same id once it is ready",
    ),
    external_id_field: FieldName.optional().describe("Metadata field that holds the caller's own id"),
    metadata: Metadata.optional(),
  })
  .refine(({ text: one, content }) => one !== undefined || content !== undefined, {
    path: ['text'],
    message: 'is required',
  })
  .refine(({ text: one, content }) => one === undefined || content === undefined, {
    path: ['content'],
    message: 'is the same as text: give one of them',
  })
  .describe('A line of POST /v1/rag42/collections/{collection_id}/documents/bulk');
export type BulkLine = z.infer<typeof BulkLine>;

/** Source: decisions section 5. */
export const BulkResult = described('What became of one line, or of one file', {
  line: z.int().describe('Number of the line, or of the file in the order of the form or the archive, from 1'),
  state: z
    .enum(['queued', 'refused'])
    .describe('queued: it is being taken in; refused: error says why, nothing was kept'),
  document_id: z
    .string()
    .nullable()
    .describe('Id of the document, 32 lower-case hexadecimal digits; null where it was refused'),
  document_name: z.string().nullable().describe('Name of the document; of a file that was refused its own'),
  external_id: z.string().nullable().describe("Id of the caller's own"),
  error: z
    .object({
      code: z.string().describe('Code as an upload of this alone would have it, such as 40001'),
      message: z.string().describe('What is wrong, in a sentence'),
    })
    .nullable()
    .describe('Why it was refused'),
});
export type BulkResult = z.infer<typeof BulkResult>;

/** Source: decisions section 5. */
export const BulkUploaded = described('Result of a bulk upload', {
  items: z.array(BulkResult).describe('One for each line or file, in their order'),
  queued: z.int().describe('Number of documents that are being taken in'),
  refused: z.int().describe('Number of lines or files that were refused'),
  operation: z.literal('bulk_upload'),
});
export type BulkUploaded = z.infer<typeof BulkUploaded>;
