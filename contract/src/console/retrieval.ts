import { z } from 'zod';
import { Chunk } from '../retrieval/chunk.ts';
import { Collection, IngestConfig } from '../retrieval/collection.ts';
import { Document } from '../retrieval/document.ts';
import { SearchResult, SearchUsage } from '../retrieval/search.ts';
import { listOf, Page, text } from '../retrieval/text.ts';

// Collections in the console: those that a person may see, their documents and passages, and trying out searches. Bodies that are
// not here are those of the public interface.

/** A collection, with what the person may do with it. */
export const ConsoleCollection = Collection.extend({
  /** Whether the person may change it and what is in it. */
  may_change: z.boolean(),
  /** Who it belongs to: a person, or the key that made it; null when that is gone. */
  owner: z.object({ kind: z.enum(['user', 'key']), name: z.string() }).nullable(),
  /** Names that filters may use: metadata fields that are indexed. */
  filter_fields: z.array(z.string()),
});
export type ConsoleCollection = z.infer<typeof ConsoleCollection>;

/** Body of PUT of the owner, by administrators. */
export const NewCollectionOwner = z.object({ user_id: z.string().max(64) });

export const ConsoleCollectionsQuery = Page.extend({ name: text(200).optional().describe('Found in the name') });
export const ConsoleCollections = listOf(ConsoleCollection);
export type ConsoleCollections = z.infer<typeof ConsoleCollections>;

/** What forms of collections offer. */
export const CollectionOptions = z.object({
  /** The default comes first. `lexical` asks no model. */
  embedding_models: z.array(z.object({ id: z.string(), lexical: z.boolean() })),
  rerank_models: z.array(z.string()),
  /** What a new collection has where nothing is chosen. */
  defaults: IngestConfig.pick({ chunking_strategy: true, chunk_size: true, chunk_overlap: true }),
  /** Largest file, in bytes. */
  max_bytes: z.int(),
});
export type CollectionOptions = z.infer<typeof CollectionOptions>;

/** Which documents a list is of: those at work, those that can be found, those that failed. */
export const documentGroups = ['open', 'ready', 'failed'] as const;
export type DocumentGroup = (typeof documentGroups)[number];

export const ConsoleDocumentsQuery = Page.extend({
  group: z.enum(documentGroups).optional(),
  name: text(200).optional().describe('Found in the name'),
});
/** Documents, the newest first, and how many of the whole collection are in each group. */
export const ConsoleDocuments = listOf(Document).extend({
  counts: z.object({ open: z.int(), ready: z.int(), failed: z.int() }),
});
export type ConsoleDocuments = z.infer<typeof ConsoleDocuments>;

/** Query of POST of a document; the body is the file. */
export const ConsoleDocumentUpload = z.object({
  name: z.string().min(1).max(255),
  size: z.coerce.number().int().min(0),
  /** The folder that it came in, with slashes; becomes the metadata field `folder`. */
  folder: text(1_000).optional(),
});
export type ConsoleDocumentUpload = z.infer<typeof ConsoleDocumentUpload>;

/** What a document is made of, for the view of the original. */
export const ConsoleOriginal = z.object({
  /** Numbers of its pages, sheets or slides, with their names. */
  pages: z.array(z.object({ number: z.int(), name: z.string().optional() })),
  /** Whether pages can be had as pictures. */
  pictures: z.boolean(),
});
export type ConsoleOriginal = z.infer<typeof ConsoleOriginal>;

/** A page as Markdown. */
export const ConsolePageText = z.object({ text: z.string(), cut: z.boolean() });

/** Query of a page as a picture. */
export const ConsolePictureQuery = z.object({ width: z.coerce.number().int().min(100).max(2_400).default(1_200) });

/** Chunks in their order; `page` begins the list at the first chunk of that page or after. */
export const ConsoleChunksQuery = Page.extend({
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
});
export const ConsoleChunks = listOf(Chunk);
export type ConsoleChunks = z.infer<typeof ConsoleChunks>;

/** What a search found, what it took, and how long. */
export const ConsoleSearched = z.object({ result: SearchResult, usage: SearchUsage, took_ms: z.number() });
export type ConsoleSearched = z.infer<typeof ConsoleSearched>;
