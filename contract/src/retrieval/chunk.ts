import { z } from 'zod';
import { filledText, listOf, Page, text } from './text.ts';

const Title = text(1_000);
const Content = filledText(50_000);

export const Chunk = z.object({
  chunk_id: z.string(),
  document_id: z.string(),
  collection_id: z.string(),
  title: z.string(),
  content: z.string(),
  order: z.int().describe('Place in the document, from 0'),
  metadata: z.object({
    start_page: z.int().nullable(),
    end_page: z.int().nullable(),
    headings: z.array(z.string()).describe('Titles above it, the highest first'),
    tokens: z.int(),
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Chunk = z.infer<typeof Chunk>;

export const ChunkQuery = Page;
export const ChunkList = listOf(Chunk);

/** Body of POST of a chunk. */
export const NewChunk = z.object({
  title: Title.optional(),
  content: Content,
  order: z.int().min(0).max(1_000_000).optional().describe('Its place; at the end when left out'),
  metadata: z
    .strictObject({
      start_page: z.int().min(1).max(1_000_000).nullable().optional(),
      end_page: z.int().min(1).max(1_000_000).nullable().optional(),
      headings: z.array(text(1_000)).max(20).optional(),
    })
    .optional(),
});
export type NewChunk = z.infer<typeof NewChunk>;

/** Body of PATCH of a chunk. Source: decisions section 5. */
export const ChunkChange = z
  .object({ title: Title.optional(), content: Content.optional() })
  .refine(({ title, content }) => title !== undefined || content !== undefined, {
    message: 'needs at least one of title, content',
  });
export type ChunkChange = z.infer<typeof ChunkChange>;

export const ChunkCreated = Chunk.extend({ operation: z.literal('create_chunk') });
export const ChunkUpdated = Chunk.extend({ operation: z.literal('update_chunk') });
export const ChunkDeleted = z.object({
  chunk_id: z.string(),
  deleted_at: z.iso.datetime(),
  operation: z.literal('delete_chunk'),
});
