import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { MAX_LINE_TEXT } from './bulk.ts';
import { IngestConfig, IngestConfigFields } from './collection.ts';
import { nonBlankText, Id, listOf, Page, text } from './text.ts';
import { ParseWarning } from '../utilities/document.ts';

// Chunks as they would be, of settings that are tried; nothing is kept.

const IngestTrial = IngestConfigFields.describe(
  'Settings to try, such as {"chunk_size": 256}; what is left out is as the collection\'s',
);

/** Chunks to preview, of a text or of a document that is there. */
export const ChunkPreviewRequest = z
  .strictObject({
    text: text(MAX_LINE_TEXT)
      .refine((value) => value.trim() !== '', 'must not be blank')
      .optional()
      .describe('A text to cut, at most 1,000,000 characters; this or document_id is required'),
    name: nonBlankText(255)
      .optional()
      .describe('Name of the text; by its ending .md it is read as Markdown, else as plain text'),
    document_id: Id.optional().describe('A document of the collection that was read'),
    ingest_config: IngestTrial.optional(),
    size: z.int().min(1).max(100).default(20).describe('Number of chunks, 1 to 100'),
    from: z.int().min(0).max(1_000_000).default(0).describe('Number of chunks that are skipped'),
  })
  .refine(({ text: given, document_id: id }) => given !== undefined || id !== undefined, {
    path: ['text'],
    message: 'is required',
  })
  .refine(({ text: given, document_id: id }) => given === undefined || id === undefined, {
    path: ['document_id'],
    message: 'goes without text: give one of them',
  })
  .describe('Body of POST /v1/rag42/collections/{collection_id}/preview');
export type ChunkPreviewRequest = z.infer<typeof ChunkPreviewRequest>;

/** The same for a file. */
export const ChunkPreviewFields = describedStrictly('Fields of the form beside its file; fields of a form are texts', {
  ingest_config: z.string().optional().describe('Settings to try, as a JSON object such as {"chunk_size": 256}'),
  ...Page.shape,
});
export type ChunkPreviewFields = z.infer<typeof ChunkPreviewFields>;

const PreviewedChunk = described('A chunk as it would be', {
  order: z.int().describe('Place in the document, from 1'),
  title: z.string().describe('Heading of the passage'),
  content: z.string().describe('Text of the passage'),
  tokens: z.int().describe('Length of the passage in tokens'),
  start_page: z.int().nullable().describe('First page, from 1; null where the document has no pages'),
  end_page: z.int().nullable().describe('Last page, from 1; null where the document has no pages'),
  headings: z.array(z.string()).describe('Headings above the passage, the highest first'),
});

/** What a preview answers. */
export const ChunkPreview = listOf(PreviewedChunk)
  .extend({
    document_name: z.string().describe('Name of the file, the text or the document'),
    format: z.string().describe('Format by content, such as pdf'),
    tokens: described('Lengths of all chunks in tokens', {
      least: z.int().describe('Of the shortest'),
      mean: z.int().describe('In the mean, rounded'),
      most: z.int().describe('Of the longest'),
    }),
    warnings: z.array(ParseWarning).describe('What could not be read of it, the first 20'),
    ingest_config: IngestConfig.describe('The settings that were tried'),
  })
  .describe('Chunks as they would be; nothing of it is kept');
export type ChunkPreview = z.infer<typeof ChunkPreview>;
