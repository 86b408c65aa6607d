import { z } from 'zod';
import { described } from './described.ts';
import { Id, nonBlankText } from './retrieval/text.ts';
import { piiTypes } from './utilities/privacy.ts';

// What tool servers offer models: few fields, each a plain one, as models fill them in.

export const SearchDocumentsRequest = described('Body of POST /v1/tools/search_documents', {
  query: nonBlankText(4_096).describe('What to look for: a question or some words, 1 to 4,096 characters'),
  collection_ids: z
    .array(Id)
    .max(20)
    .optional()
    .describe('Ids of collections to search, as list_collections gives them; all when left out'),
  count: z.int().min(1).max(20).default(5).describe('Number of passages, 1 to 20'),
});

const FoundPassage = described('A passage', {
  text: z.string().describe('What it says'),
  title: z.string().describe('Heading of the passage; may be empty'),
  document: z.string().describe('Name of the document'),
  page: z.int().nullable().describe('Page of the document, from 1; null where it has no pages'),
  document_id: z.string().describe('Id of the document'),
  collection_id: z.string().describe('Id of the collection'),
});

export const SearchDocumentsReply = described('Reply of POST /v1/tools/search_documents', {
  passages: z.array(FoundPassage).describe('Passages that were found, the best first; empty where there are none'),
});

const ListedCollection = described('A collection of documents', {
  id: z.string().describe('Id of the collection, as search_documents takes it'),
  name: z.string().describe('Name of the collection'),
  description: z.string().describe('What is in it; may be empty'),
  documents: z.int().describe('Number of documents'),
});

export const ListCollectionsReply = described('Reply of GET /v1/tools/list_collections', {
  collections: z.array(ListedCollection).describe('Collections that can be searched, the newest first, 100 at most'),
});

export const ParseToolRequest = described('Body of POST /v1/tools/parse_document', {
  url: z.string().min(1).max(4_096).optional().describe('Address of the file, http or https; this or data is required'),
  data: z.string().min(1).optional().describe('The file in base64'),
  name: z.string().min(1).max(255).optional().describe('Name of the file'),
  pages: z
    .string()
    .max(2_000)
    .regex(/^\s*\d{1,6}(?:\s*-\s*\d{1,6})?(?:\s*,\s*\d{1,6}(?:\s*-\s*\d{1,6})?)*\s*$/, 'pages such as 1,3-5')
    .optional()
    .describe('Pages to read, such as 1,3-5; all when left out'),
});
export type ParseToolRequest = z.infer<typeof ParseToolRequest>;

export const ParseToolReply = described('Reply of POST /v1/tools/parse_document', {
  text: z.string().describe('The document in Markdown'),
  truncated: z.boolean().describe('Whether this is its beginning alone; ask for fewer pages to read on'),
  pages: z.int().describe('Number of pages that were read'),
});

export const MaskToolRequest = described('Body of POST /v1/tools/mask_personal_values', {
  text: z.string().min(1).describe('The text'),
  types: z
    .array(z.enum([...piiTypes, 'ALL']))
    .min(1)
    .max(piiTypes.length + 1)
    .optional()
    .describe('Types to mask, or ALL; numbers of identity, licences, passports, accounts and cards when left out'),
});

export const MaskToolReply = described('Reply of POST /v1/tools/mask_personal_values', {
  text: z.string().describe('The text without these values'),
  count: z.int().describe('Number of values that were found'),
});
