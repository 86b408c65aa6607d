import { z } from 'zod';
import { Alpha, Fusion, Rerank, SearchMode } from './collection.ts';
import { Metadata } from './document.ts';
import { filledText, Id } from './text.ts';

/** Body of POST /rag42/search. Source: decisions section 5. */
export const SearchRequest = z
  .object({
    query: filledText(4_096),
    collection_id: Id.optional(),
    collection_ids: z.array(Id).min(1).max(20).optional(),
    search_type: SearchMode.optional().describe("The collection's mode when left out"),
    top_k: z.int().min(1).max(100).default(5),
    alpha: Alpha.optional().describe('Weight of the vector side: 0 keywords alone, 1 vectors alone'),
    fusion: Fusion.optional(),
    rerank: Rerank.optional(),
    score_threshold: z.number().optional().describe('Passages of a lower score are left out'),
    filters: z.record(z.string(), z.unknown()).optional().describe('Such as {"department":"HR","year":{"$gte":2024}}'),
    highlight: z.boolean().default(false),
  })
  .refine(({ collection_id: one, collection_ids: many }) => one !== undefined || many !== undefined, {
    path: ['collection_id'],
    message: 'is required',
  });
export type SearchRequest = z.infer<typeof SearchRequest>;

export const SearchHit = z.object({
  chunk_id: z.string(),
  document_id: z.string(),
  document_name: z.string(),
  collection_id: z.string(),
  title: z.string(),
  content: z.string(),
  score: z.number(),
  scores: z.object({
    vector: z.number().optional().describe('Cosine'),
    keyword: z.number().optional().describe('BM25'),
    rerank: z.number().optional(),
  }),
  page: z.int().nullable(),
  metadata: Metadata,
  highlights: z
    .array(z.object({ field: z.enum(['title', 'content']), start: z.int(), end: z.int(), text: z.string() }))
    .optional()
    .describe('Places of words of the query, in UTF-16 units'),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchResult = z.object({
  query: z.string(),
  search_type: SearchMode,
  embedding_model: z.string().nullable().describe('lexical: no model was asked; null for keywords alone'),
  hits: z.array(SearchHit),
  total: z.int(),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchUsage = z.object({
  embedding_tokens: z.int(),
  rerank_tokens: z.int().optional(),
  total_tokens: z.int(),
});
export type SearchUsage = z.infer<typeof SearchUsage>;
