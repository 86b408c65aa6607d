import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { consoleReasons } from './errors.ts';
import { Chunk } from '../retrieval/chunk.ts';
import { Collection, IngestConfig } from '../retrieval/collection.ts';
import { Document } from '../retrieval/document.ts';
import { SearchResult, SearchUsage } from '../retrieval/search.ts';
import { listOf, Page, text } from '../retrieval/text.ts';

// Collections in the console: those that a person may see, their documents and passages, and trying out searches. Bodies that are
// not here are those of the public interface.

export const ConsoleCollection = Collection.extend({
  may_change: z.boolean().describe('Whether the person may change the collection and its documents'),
  owner: z
    .object({
      kind: z.enum(['user', 'key']).describe('Whether that is a person (user) or an API key'),
      name: z.string().describe('Name of the person or the key'),
    })
    .nullable()
    .describe('The person who owns it, or the key that made it; null when that is gone'),
  filter_fields: z.array(z.string()).describe('Names that filters may use: the indexed metadata fields'),
}).describe('A collection, with the rights of the person');
export type ConsoleCollection = z.infer<typeof ConsoleCollection>;

export const NewCollectionOwner = describedStrictly('Body of PUT of the owner, by administrators', {
  user_id: z
    .string()
    .max(64)
    .describe('Id of the new owner, an active developer or administrator of the tenant; at most 64 characters'),
});

/** What collections of a list are ordered by; with a minus before it downwards. */
export const collectionOrders = ['name', '-name', 'documents', '-documents', 'updated', '-updated'] as const;
/** One of them. */
export type CollectionOrder = (typeof collectionOrders)[number];

export const ConsoleCollectionsQuery = Page.extend({
  sort: z
    .enum(collectionOrders)
    .optional()
    .describe('Order of the list; a minus before it: downwards; left out: the newest first'),
  name: text(200).optional().describe('Only collections whose name contains this'),
}).describe('Query of the list of collections');
export const ConsoleCollections = listOf(ConsoleCollection).describe('A part of the list of collections');
export type ConsoleCollections = z.infer<typeof ConsoleCollections>;

export const CollectionOptions = described('Choices of the form for collections', {
  embedding_models: z
    .array(
      z.object({
        id: z.string().describe('Id of the model'),
        lexical: z.boolean().describe('Whether it calls no model'),
      }),
    )
    .describe('Embedding models, the default one first; lexical ones call no model'),
  chat_models: z.array(z.string()).describe('Chat models that may say where passages stand'),
  default_embedding_model: z
    .string()
    .nullable()
    .describe(
      'Embedding model of a collection that names none; null where several could be meant, so that a person chooses',
    ),
  rerank_models: z.array(z.string()).describe('Ids of the rerank models that the person may use'),
  page_readers: z
    .array(z.string())
    .describe('Values of `ingest_config.parser_model`: the parser of the service, layout, then vision models'),
  defaults: IngestConfig.pick({ chunking_strategy: true, chunk_size: true, chunk_overlap: true }).describe(
    'Settings of a new collection when nothing is chosen',
  ),
  max_bytes: z.int().describe('Largest file in bytes'),
});
export type CollectionOptions = z.infer<typeof CollectionOptions>;

/** Which documents a list is of: those at work, those that can be found, those that failed. */
export const documentGroups = ['open', 'ready', 'failed'] as const;
/** A group of documents by their state. */
export type DocumentGroup = (typeof documentGroups)[number];

/** What documents of a list are ordered by; with a minus before it downwards. */
export const documentOrders = ['name', '-name', 'size', '-size', 'pages', '-pages', 'uploaded', '-uploaded'] as const;
/** One of them. */
export type DocumentOrder = (typeof documentOrders)[number];

export const ConsoleDocumentsQuery = Page.extend({
  sort: z.enum(documentOrders).default('-uploaded').describe('Order of the list; a minus before it: downwards'),
  group: z
    .enum(documentGroups)
    .optional()
    .describe('Only documents that are at work (open), that are ready, or that failed; all when left out'),
  name: text(200).optional().describe('Only documents whose name contains this'),
}).describe('Query of the list of documents');
export const ConsoleDocuments = listOf(Document)
  .extend({
    counts: described('Number of documents of the whole collection in each group', {
      open: z.int().describe('Number of documents that are at work'),
      ready: z.int().describe('Number of documents that are ready'),
      failed: z.int().describe('Number of documents that failed'),
    }),
  })
  .describe('A part of the list of documents, in the order that was asked for');
export type ConsoleDocuments = z.infer<typeof ConsoleDocuments>;

/** Documents that are removed by one call. */
export const MAX_REMOVED_DOCUMENTS = 100;
export const DocumentRemoval = describedStrictly('Body of POST of the removal of many documents', {
  document_ids: z
    .array(text(64))
    .min(1)
    .max(MAX_REMOVED_DOCUMENTS)
    .describe('Ids of documents of the collection, 1 to 100; those that are gone already are left out'),
});
export const RemovedDocuments = described('What was removed', {
  removed: z.int().describe('Number of documents that were there'),
});

export const ConsoleDocumentUpload = describedStrictly('Query of POST of a document; the body is the file', {
  name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters'),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
  folder: text(1_000).optional().describe('Folder of the file, with slashes; becomes the metadata field folder'),
});
export type ConsoleDocumentUpload = z.infer<typeof ConsoleDocumentUpload>;

export const ConsolePreviewUpload = ConsoleDocumentUpload.omit({ folder: true })
  .extend({
    ingest_config: text(20_000).optional().describe('Settings to try, as a JSON object'),
    count: z.coerce.number().int().min(1).max(100).default(20).describe('Number of chunks, 1 to 100'),
    from: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('Number of chunks that are skipped'),
  })
  .describe('Query of POST of a file whose chunks are previewed; the body is the file');

/** Files and bytes of one batch: what is larger is sent alone. */
export const MAX_BATCH_FILES = 50;
/** Of all files of a batch together. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;

export const ConsoleDocumentBatch = describedStrictly(
  'Query of POST of a batch of documents; the body is a line of JSON (see the list of files), then the files one after the other',
  { size: z.coerce.number().int().min(1).describe('Size of the whole body in bytes') },
);
export const ConsoleBatchFiles = describedStrictly('First line of the body of a batch of documents', {
  files: z
    .array(ConsoleDocumentUpload)
    .min(1)
    .max(MAX_BATCH_FILES)
    .describe('The files, in the order in which they follow, 1 to 50'),
});
export const ConsoleBatchUploaded = described('What became of each file of a batch', {
  items: z
    .array(
      z.object({
        document_id: z
          .string()
          .nullable()
          .describe('Id of the document that is being taken in; null where it was refused'),
        error: z
          .object({
            status: z.int().describe('HTTP status that the file would have been answered with by itself'),
            code: z.string().describe('Class of the failure, such as unprocessable'),
            reason: z.enum(consoleReasons).nullable().describe('Why, where the class does not say it all'),
            message: z.string().describe('In English, for logs'),
          })
          .nullable()
          .describe('Why it was refused; null where it is being taken in'),
      }),
    )
    .describe('One entry for each file, in their order'),
});

export const NamedDocumentsQuery = describedStrictly(
  'Query of GET /documents: documents of all collections by their names',
  {
    name: text(200).describe('Found in the name of the document'),
  },
);
export const NamedDocuments = described('Documents that were found by their names, the newest first', {
  items: z
    .array(
      z.object({
        document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
        document_name: z.string().describe('Name of the document'),
        collection_id: z.string().describe('Id of its collection, 32 lower-case hexadecimal digits'),
        collection_name: z.string().describe('Name of its collection'),
      }),
    )
    .describe('At most five documents'),
});

/** How a file that is to be uploaded is known. */
export const KnownFilesQuery = describedStrictly('Body of POST /collections/{id}/documents/known', {
  files: z
    .array(
      z
        .object({
          name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters'),
          folder: text(1_000).optional().describe('Folder of the file; names are compared within one'),
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .optional()
            .describe('SHA-256 of its content, in hex; only names are compared where it is left out'),
        })
        .strict(),
    )
    .min(1)
    .max(1_000)
    .describe('Files that are to be uploaded, at most 1,000'),
});
export const KnownFiles = described('Files that the collection has already', {
  items: z
    .array(
      z.object({
        index: z.int().describe('Place of the file in the question, from 0'),
        by: z.enum(['content', 'name']).describe('Whether its content is there already, or another one under its name'),
        document_id: z.string().describe('Id of the document that is there'),
        document_name: z.string().describe('Name of the document that is there'),
      }),
    )
    .describe('Only those that are there'),
});
export type KnownFiles = z.infer<typeof KnownFiles>;

export const ConsoleOriginal = described('Pages of a document, for the view of the original', {
  pages: z
    .array(
      z.object({
        number: z.int().describe('Number, from 1'),
        name: z.string().optional().describe('Name of the page, sheet or slide; left out where it has none'),
      }),
    )
    .describe('Numbers and names of its pages, sheets or slides'),
  pictures: z.boolean().describe('Whether pages are available as pictures'),
});
export type ConsoleOriginal = z.infer<typeof ConsoleOriginal>;

export const ConsolePageText = described('A page as Markdown', {
  text: z.string().describe('Text of the page as Markdown, from its start'),
  cut: z.boolean().describe('Whether the text is longer than this'),
});

export const ConsolePictureQuery = describedStrictly('Query of a page as a picture', {
  width: z.coerce.number().int().min(100).max(2_400).default(1_200).describe('Width in pixels'),
});

export const ConsoleChunksQuery = Page.extend({
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Begins the list at the first chunk of this page or a later one'),
}).describe('Query of the list of chunks');
export const ConsoleChunks = listOf(Chunk).describe('Chunks, in their order');
export type ConsoleChunks = z.infer<typeof ConsoleChunks>;

export const ConsoleSearched = described('Result of a search, its tokens and its duration', {
  result: SearchResult,
  usage: SearchUsage,
  took_ms: z.number().describe('Duration in milliseconds'),
});
export type ConsoleSearched = z.infer<typeof ConsoleSearched>;
