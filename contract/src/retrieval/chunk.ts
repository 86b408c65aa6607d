import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { nonBlankText, listOf, Page, text } from './text.ts';

const Title = text(1_000).describe('Heading of the passage, at most 1,000 characters');
const Content = nonBlankText(50_000).describe('Text of the passage, 1 to 50,000 characters');

/** Source: decisions section 5. */
export const Chunk = described('A chunk: a passage of a document', {
  chunk_id: z.string().describe('Id of the chunk, 32 lower-case hexadecimal digits'),
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  title: z.string().describe('Heading of the passage'),
  content: z.string().describe('Text of the passage'),
  order: z.int().describe('Place in the document, from 1'),
  metadata: described('Where the passage stands in the document', {
    start_page: z.int().nullable().describe('First page, from 1; null where the document has no pages'),
    end_page: z.int().nullable().describe('Last page, from 1; null where the document has no pages'),
    headings: z.array(z.string()).describe('Headings above the passage, the highest first'),
    tokens: z.int().describe('Length of the passage in tokens'),
    context: z
      .string()
      .optional()
      .describe('What a model says of where the passage stands, where the collection has one say it'),
  }),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  updated_at: z.iso.datetime().describe('Time of the last change, ISO 8601 in UTC'),
});
export type Chunk = z.infer<typeof Chunk>;

/** Source: decisions section 5. */
export const ChunkQuery = Page.describe('Which part of the list of chunks is wanted');
/** Source: decisions section 5. */
export const ChunkList = listOf(Chunk)
  .extend({
    chunks: z.array(Chunk).describe('The same as items, under the name that programs of the original interface read'),
    total_count: z.int().describe('The same as total, under the name that programs of the original interface read'),
  })
  .describe('Chunks of a document, in their order');

/** Source: decisions section 5. */
export const NewChunk = describedStrictly('Body of POST of a chunk', {
  title: Title.optional(),
  content: Content,
  order: z.int().min(1).max(1_000_000).optional().describe('Its place, from 1; the end when left out'),
  metadata: z
    .strictObject({
      start_page: z.int().min(1).max(1_000_000).nullable().optional().describe('First page, from 1'),
      end_page: z.int().min(1).max(1_000_000).nullable().optional().describe('Last page, from 1'),
      headings: z.array(text(1_000)).max(20).optional().describe('Headings above the passage, the highest first'),
    })
    .optional()
    .describe('Where the passage stands in the document'),
});
export type NewChunk = z.infer<typeof NewChunk>;

/** Source: decisions section 5. */
export const ChunkChange = z
  .strictObject({ title: Title.optional(), content: Content.optional() })
  .refine(({ title, content }) => title !== undefined || content !== undefined, {
    message: 'needs at least one of title, content',
  })
  .meta({ description: 'Body of PATCH of a chunk: at least one of its fields', minProperties: 1 });
export type ChunkChange = z.infer<typeof ChunkChange>;

/** Source: decisions section 5. */
export const ChunkCreated = Chunk.extend({ operation: z.literal('create_chunk') }).describe('Result of adding a chunk');
/** Source: decisions section 5. */
export const ChunkUpdated = Chunk.extend({ operation: z.literal('update_chunk') }).describe(
  'Result of changing a chunk',
);
/** Source: decisions section 5. */
export const ChunkDeleted = described('Result of deleting a chunk', {
  chunk_id: z.string().describe('Id of the chunk, 32 lower-case hexadecimal digits'),
  deleted_at: z.iso.datetime().describe('Time of the deletion, ISO 8601 in UTC'),
  operation: z.literal('delete_chunk'),
});
