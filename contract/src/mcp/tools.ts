import { z } from 'zod';
import { described } from '../described.ts';
import { PiiOperator, findingTypes, piiTypes } from '../utilities/privacy.ts';
import { DocumentParseFields } from '../utilities/document.ts';
import { Id, nonBlankText, text } from '../retrieval/text.ts';

// What the tools of the MCP server take and give. `search` and `fetch` are of the form that connectors of chat products ask for.
// Source: OpenAI platform docs, "Building MCP servers for ChatGPT and API integrations"; decisions section 3.

const DocumentUrl = z.string().describe('Page of the document in the console');

/** Source: as above. */
export const SearchInput = described('What search takes', {
  query: nonBlankText(4_096).describe('What to look for, in a few words or as a question'),
  collection_ids: z
    .array(Id)
    .min(1)
    .max(20)
    .optional()
    .describe('Collections to search, as list_collections gives them; all that are there when left out'),
  limit: z.int().min(1).max(50).default(10).describe('Documents, 1 to 50; 10 when left out'),
});
/** Source: as above. */
export const SearchOutput = described('What search gives', {
  results: z
    .array(
      z.object({
        id: z.string().describe('Give it to fetch for the text of the document'),
        title: z.string().describe('Name of the document'),
        url: DocumentUrl,
        text: z.string().describe('The passage of it that fits best'),
      }),
    )
    .describe('Documents, the best first'),
});

/** Source: as above. */
export const FetchInput = described('What fetch takes', {
  id: z.string().min(1).max(100).describe('Id of a document, as search gives it, or next_id of an earlier part'),
});
/** Source: as above. */
export const FetchOutput = described('What fetch gives', {
  id: z.string().describe('The id that was asked for'),
  title: z.string().describe('Name of the document'),
  text: z.string().describe('Its text; of a long one a part'),
  url: DocumentUrl,
  metadata: z
    .record(z.string(), z.unknown())
    .describe('Facts of the document: those that came with it, collection_id, format, updated_at, next_id'),
});

export const ListCollectionsInput = described('What list_collections takes', {
  name: text(200).min(1).optional().describe('Only collections whose name contains this'),
  size: z.int().min(1).max(100).default(50).describe('Collections, 1 to 100; 50 when left out'),
  from: z.int().min(0).max(1_000_000).default(0).describe('Collections to leave out before the first'),
});
export const ListCollectionsOutput = described('What list_collections gives', {
  collections: z
    .array(
      z.object({
        id: z.string().describe('Give it to search in collection_ids'),
        name: z.string().describe('Name of the collection'),
        description: z.string().nullable().describe('What the collection is for'),
        document_count: z.int().describe('Number of documents'),
        updated_at: z.string().describe('Time of the last change, ISO 8601 in UTC'),
        url: z.string().describe('Page of the collection in the console'),
      }),
    )
    .describe('Collections, the newest first'),
  total: z.int().describe('Number of all of them'),
});

export const ParseDocumentInput = described('What parse_document takes', {
  data: z.string().min(1).optional().describe('The file in base64; this or url is required'),
  url: z.string().min(1).max(2_000).optional().describe('Address of the file, http or https'),
  name: text(255).min(1).optional().describe('Name of the file'),
  pages: DocumentParseFields.shape.pages,
  format: z.enum(['markdown', 'text', 'html']).default('markdown').describe('Form of the text; markdown when left out'),
});
export const ParseDocumentOutput = described('What parse_document gives', {
  name: z.string().nullable().describe('Name of the file'),
  format: z.string().describe('Format of the file by its content, such as pdf'),
  pages: z.int().describe('Pages that were read'),
  text: z.string().describe('What the document says'),
  truncated: z.boolean().describe('Whether the text is the beginning of a longer one; ask for fewer pages then'),
  warnings: z.array(z.string()).describe('What could not be read'),
});

export const MaskInput = described('What mask_personal_values takes', {
  text: z.string().min(1).describe('A text with personal values'),
  types: z
    .array(z.enum([...piiTypes, 'ALL']))
    .min(1)
    .optional()
    .describe(
      'Types of values; numbers of identity, licences, passports, accounts and cards when left out; ["ALL"] for all',
    ),
  operator: PiiOperator.default('mask').describe('What becomes of a value; mask (asterisks) when left out'),
});
export const MaskOutput = described('What mask_personal_values gives', {
  masked_text: z.string().describe('The text without the values'),
  count: z.int().describe('Values that were found'),
  entities: z
    .array(
      z.object({
        type: z.enum(findingTypes).describe('Type of the value'),
        start: z.int().describe('Start in the text that came, in UTF-16 units'),
        end: z.int().describe('End there; not included'),
        score: z.number().describe('Certainty, 0 to 1'),
        replacement: z.string().describe('What stands in its place'),
      }),
    )
    .describe('Values that were found, in order, without the values themselves'),
});

/** A session is named by the number that the reply of its first message gave. */
export const AgentInput = described('What the tool of an agent takes', {
  message: nonBlankText(100_000).describe('What to ask the agent, or the reply to its question'),
  session_id: z
    .int()
    .min(1)
    .optional()
    .describe('Goes on with an earlier conversation, or answers its question; a new one when left out'),
});
export const AgentOutput = described('What the tool of an agent gives', {
  state: z
    .enum(['completed', 'input_required'])
    .describe('input_required: the agent asks; answer with the same tool and this session_id'),
  answer: z.string().describe('The answer, with the numbers of citations as [1]'),
  question: z.string().nullable().describe('What the agent asks'),
  session_id: z.int().describe('Goes on with this conversation'),
  citations: z
    .array(
      z.object({
        number: z.int().describe('Number in the answer'),
        id: z.string().describe('Id of the document, for fetch'),
        title: z.string().describe('Name of the document'),
        url: DocumentUrl,
        page: z.int().nullable().describe('Page of the passage'),
        text: z.string().describe('The passage'),
      }),
    )
    .describe('Passages that the answer cites'),
  data: z
    .array(z.object({ name: z.string().describe('What it is called'), data: z.unknown().describe('Any JSON') }))
    .describe('Data that the answer brings'),
  files: z
    .array(
      z.object({
        id: z.string().describe('Id of the file'),
        name: z.string().describe('Name of the file'),
        media_type: z.string().describe('Media type of the file'),
        size: z.int().describe('Bytes of the file'),
        uri: z.string().describe('Of the resource that it is; small ones stand in the result, too'),
      }),
    )
    .describe('Files that the answer brings'),
});
