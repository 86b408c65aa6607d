import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { nonBlankText, listOf, Page, text } from './text.ts';

/** How a search finds passages. Source: decisions section 5. */
export const searchModes = ['vector', 'keyword', 'hybrid'] as const;
/** Source: decisions section 5. */
export const SearchMode = z.enum(searchModes).describe('How passages are found: by vectors, by keywords, or by both');
export type SearchMode = z.infer<typeof SearchMode>;

/** Source: decisions section 5. */
export const Alpha = z
  .number()
  .min(0)
  .max(1)
  .describe('Weight of the vector side, 0 (keywords alone) to 1 (vectors alone)');

/** Source: decisions section 5. */
export const Rerank = z
  .union([
    z.boolean(),
    z.strictObject({
      model: text(200).min(1).optional().describe('A rerank model; may be left out where there is only one'),
      top_n: z.int().min(1).max(100).optional().describe('Number of best passages that are kept, 1 to 100'),
    }),
  ])
  .describe('Whether a rerank model orders the passages anew, with which model, and how many are kept');
export type Rerank = z.infer<typeof Rerank>;

export const Fusion = z
  .enum(['weighted', 'rrf'])
  .describe(
    'How keyword and vector results of a hybrid search become one list: by weighted scores or by reciprocal ranks',
  );
export type Fusion = z.infer<typeof Fusion>;

const SYNONYM_SETS = 200;
const WORDS_OF_SET = 20;
/** Sets of words that mean the same. */
export const SynonymSets = z
  .array(
    z
      .array(text(100).trim().min(1).describe('A word, or several that are one name'))
      .min(2)
      .max(WORDS_OF_SET)
      .describe('Words that mean the same, 2 to 20'),
  )
  .max(SYNONYM_SETS)
  .describe('Sets of words that mean the same, at most 200: a query for one of a set finds the others');
export type SynonymSets = z.infer<typeof SynonymSets>;

const STARTER = 'Whether the sets and spellings of loan words that come with the service count as well';

export const FieldName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u, 'a name of 1 to 64 letters, digits, _, . and -')
  .describe('Name of a metadata field: 1 to 64 letters, digits, _, . and -');

/** Tokens of the larger passage that stands for a chunk. */
export const ParentSize = z
  .int()
  .min(128)
  .max(8_192)
  .describe(
    'Tokens of the larger passage that is given for each chunk that was found, 128 to 8,192: the chunk with what stands around it in its part of the document',
  );

/** How much less passages count the older they are. */
export const Decay = describedStrictly('How much less passages count the older they are', {
  half_life_days: z
    .number()
    .positive()
    .max(36_500)
    .describe('Age in days at which a passage counts half, at most 36,500'),
  field: FieldName.default('created_at').describe(
    'Where the time stands: created_at (of the upload), or an indexed metadata field with a time in ISO 8601; documents without it count whole',
  ),
  floor: z.number().min(0).max(1).default(0).describe('What the oldest still counts, 0 to 1'),
});
export type Decay = z.infer<typeof Decay>;

/** What makes passages of some documents count more, or less. */
export const Boost = describedStrictly('What makes passages of some documents count more, or less', {
  filters: z
    .record(z.string(), z.unknown())
    .describe('Which documents: conditions as those of filters, such as {"kind":"guideline"}'),
  factor: z.number().min(0.01).max(100).describe('By what their score is multiplied, 0.01 to 100'),
});
export type Boost = z.infer<typeof Boost>;
export const Boosts = z
  .array(Boost)
  .max(10)
  .describe('What makes passages of some documents count more, or less; at most 10');

/** What a chat model says beside the query, by which is searched as well. */
export const QueryExpansion = describedStrictly(
  'What a chat model says beside the query, by which is searched as well; the key needs the scope chat',
  {
    kind: z
      .enum(['rewrite', 'hyde'])
      .describe(
        'rewrite: the question in words that documents use; hyde: a passage that would answer it, near which others are looked for',
      ),
    model: nonBlankText(200)
      .optional()
      .describe('A chat model; when left out the one that the tenant chose, else the default model of the service'),
  },
);
export type QueryExpansion = z.infer<typeof QueryExpansion>;

const PARENT =
  'Tokens of the larger passage that is given for each chunk that was found, 128 to 8,192; null: the chunk alone';
const DECAY = 'How much less passages count the older they are; null: not at all';
const COLLAPSE = 'Whether passages that say (nearly) the same as a better one are left out and named at that one';

/** Source: decisions section 5. */
export const SearchConfig = described('How the collection is searched where a search does not say otherwise', {
  mode: SearchMode,
  alpha: Alpha.nullable().describe('Weight of the vector side, 0 to 1; null: what suits the embedding model'),
  fusion: Fusion,
  rerank: Rerank,
  synonyms: SynonymSets.optional(),
  starter_synonyms: z.boolean().optional().describe(STARTER),
  parent_size: ParentSize.nullable().optional().describe(PARENT),
  decay: Decay.nullable().optional().describe(DECAY),
  boosts: Boosts.optional(),
  collapse_duplicates: z.boolean().optional().describe(COLLAPSE),
});
export type SearchConfig = z.infer<typeof SearchConfig>;

/** Source: decisions section 5. */
export const IndexedFields = z
  .array(FieldName)
  .max(10)
  .describe('Names of metadata fields that filters may use, at most 10');

/** What becomes of a document that says the same as another of its collection. */
export const Duplicates = z
  .enum(['keep', 'mark', 'skip'])
  .describe(
    'What becomes of a document that says (nearly) the same as an earlier one of the collection: it is taken in (keep), taken in and names the other (mark), or not taken in (skip)',
  );

/** Source: decisions section 5; interface section 8. */
export const IngestConfig = described('How documents of the collection are read, cut and embedded', {
  chunking_strategy: z
    .enum(['by_title', 'by_length'])
    .describe('Where chunks end: at headings (by_title) or at a length (by_length)'),
  chunk_size: z.int().describe('Tokens that a chunk aims at; 512 to 1,024 are recommended'),
  chunk_overlap: z.int().describe('Tokens at the begin of a chunk that repeat the end of the one before'),
  embedding_model: z.string().describe('An embedding model; lexical needs none'),
  embedding_dimension: z.int().nullable().describe('Length of its vectors; null until the first is made'),
  pii_mask: z.boolean().describe('Whether personal values are masked before text is stored'),
  parser_model: z.string().describe('Who reads pages: studio-parser, layout, or a vision model'),
  indexed_fields: IndexedFields,
  external_id_field: FieldName.nullable().describe("Metadata field that holds the caller's own id of a document"),
  duplicates: Duplicates.optional(),
  context_model: z
    .string()
    .nullable()
    .optional()
    .describe('The chat model that says where each passage stands in its document; null: none'),
});
export type IngestConfig = z.infer<typeof IngestConfig>;

const SearchConfigFields = z
  .strictObject({
    mode: SearchMode.optional(),
    alpha: Alpha.nullable()
      .optional()
      .describe('Weight of the vector side, 0 to 1; null: what suits the embedding model'),
    fusion: Fusion.optional(),
    rerank: Rerank.optional(),
    synonyms: SynonymSets.optional(),
    starter_synonyms: z.boolean().optional().describe(STARTER),
    parent_size: ParentSize.nullable().optional().describe(PARENT),
    decay: Decay.nullable().optional().describe(DECAY),
    boosts: Boosts.optional(),
    collapse_duplicates: z.boolean().optional().describe(COLLAPSE),
  })
  .describe('How the collection is searched where a search does not say otherwise');

/** Source: interface section 8. */
export const IngestConfigFields = z
  .strictObject({
    chunking_strategy: IngestConfig.shape.chunking_strategy
      .optional()
      .describe('Where chunks end: at headings (by_title) or at a length (by_length)'),
    chunk_size: z
      .int()
      .min(64)
      .max(4_096)
      .optional()
      .describe('Tokens that a chunk aims at, 64 to 4,096; 512 to 1,024 are recommended'),
    chunk_overlap: z
      .int()
      .min(0)
      .max(2_048)
      .optional()
      .describe('Tokens at the begin of a chunk that repeat the end of the one before; at most half of chunk_size'),
    embedding_model: text(200)
      .min(1)
      .optional()
      .describe(
        'An embedding model; when left out the one that the tenant chose, else the default embedder of the service, else the only one that there is; where there are several, lexical, which calls no model. The reply names it',
      ),
    embedding_dimension: z
      .int()
      .min(1)
      .max(8_192)
      .nullable()
      .optional()
      .describe('Length of the vectors, for models that can shorten them'),
    pii_mask: z.boolean().optional().describe('Whether personal values are masked before text is stored'),
    parser_model: text(200)
      .min(1)
      .optional()
      .describe(
        'Who reads pages of PDF files and pictures: studio-parser, layout (the configured reader), or a vision model',
      ),
    indexed_fields: IndexedFields.optional(),
    external_id_field: FieldName.nullable()
      .optional()
      .describe("Metadata field that holds the caller's own id of a document"),
    duplicates: Duplicates.optional(),
    context_model: text(200)
      .min(1)
      .nullable()
      .optional()
      .describe(
        'A chat model that says in a sentence where each passage stands in its document, by which it is found as well; asked for whoever uploads; null: none',
      ),
  })
  .describe('How documents of the collection are read, cut and embedded');
/** Settings of how documents are taken in, as requests name them. */
export type IngestConfigFields = z.infer<typeof IngestConfigFields>;

const Visibility = z
  .enum(['private', 'tenant'])
  .describe('Who may search the collection: its owner (private) or everybody of the tenant');
const Name = nonBlankText(200).describe('Name of the collection, 1 to 200 characters');
const Description = text(2_000).describe('What the collection is for, at most 2,000 characters');

/** Source: decisions section 5. */
export const NewCollection = z
  .strictObject({
    collection_name: Name.optional(),
    name: Name.optional().describe('The same as collection_name'),
    description: Description.nullable().optional().describe('What the collection is for, at most 2,000 characters'),
    visibility: Visibility.optional().describe(
      'Who may search the collection: its owner (private) or everybody of the tenant',
    ),
    search_config: SearchConfigFields.optional(),
    ingest_config: IngestConfigFields.optional(),
  })
  .refine(({ collection_name: long, name }) => long !== undefined || name !== undefined, {
    path: ['collection_name'],
    message: 'is required',
  })
  .describe('Body of POST /v1/rag42/collections');
export type NewCollection = z.infer<typeof NewCollection>;

/** Source: decisions section 5. */
export const CollectionChange = z
  .strictObject({
    collection_name: Name.optional(),
    name: Name.optional().describe('The same as collection_name'),
    description: Description.nullable().optional().describe('What the collection is for, at most 2,000 characters'),
    visibility: Visibility.optional(),
    search_config: SearchConfigFields.optional(),
    ingest_config: IngestConfigFields.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, {
    message: 'needs at least one of collection_name, description, visibility, search_config, ingest_config',
  })
  .meta({
    description: 'Body of PATCH /v1/rag42/collections/{collection_id}: what is left out stays',
    minProperties: 1,
  });
export type CollectionChange = z.infer<typeof CollectionChange>;

const Reindex = described('How far a change of the whole collection is', {
  state: z.enum(['running', 'failed']).describe('running, or failed where it cannot go on'),
  progress: z.number().min(0).max(1).describe('Share that is done, 0 to 1'),
  reason: z
    .string()
    .nullable()
    .describe('Why it failed, or what it waits for while it is running; null while nothing is in its way'),
  embedding_model: z.string().describe('Embedding model of the collection once it is done'),
});

/** Source: decisions section 5. */
export const Collection = described('A collection of documents', {
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  collection_name: z.string().describe('Name of the collection'),
  description: z.string().nullable().describe('What the collection is for'),
  visibility: Visibility,
  is_owner: z.boolean().describe('Whether the caller owns the collection'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  updated_at: z.iso.datetime().describe('Time of the last change, ISO 8601 in UTC'),
  search_config: SearchConfig,
  ingest_config: IngestConfig,
  embedding_prefixes: described('What stands before texts when they are embedded, as the embedding model wants it', {
    query: z.string().describe('Text before each query; empty for none'),
    passage: z.string().describe('Text before each passage; empty for none'),
  }),
  document_count: z.int().describe('Number of documents'),
  chunk_count: z.int().describe('Number of chunks of documents that a search finds'),
  index_state: z
    .enum(['ready', 'rebuilding'])
    .describe('rebuilding: the search index was lost and is built again from the database'),
  reindex: Reindex.nullable().describe(
    'A change of the whole collection that is under way or failed; null where there is none',
  ),
});
export type Collection = z.infer<typeof Collection>;

/** Source: decisions section 5. */
export const CollectionQuery = Page.describe('Which part of the list of collections is wanted');
/** Source: decisions section 5. */
export const CollectionList = listOf(Collection).describe('Collections, the newest first');

/** Source: decisions section 5. */
export const CollectionDeleted = described('Result of deleting a collection', {
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  deleted_at: z.iso.datetime().describe('Time of the deletion, ISO 8601 in UTC'),
  operation: z.literal('delete_collection'),
});
