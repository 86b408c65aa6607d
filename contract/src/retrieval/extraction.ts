import { z } from 'zod';
import { described, describedStrictly, queryInt } from '../described.ts';
import { ExtractedDocument } from '../utilities/document.ts';
import { Id, listOf, nonBlankText, text } from './text.ts';

// Values that a schema asks for, looked for in the documents of a collection.

/** Most documents of one extraction. */
export const maxExtractedDocuments = 10_000;

const ExtractionFilter = describedStrictly('Which documents of the collection; all of them when left out', {
  name: text(200).optional().describe('Part of the name'),
  document_ids: z.array(Id).min(1).max(1_000).optional().describe('Ids of documents, 1 to 1,000'),
  metadata: z
    .record(text(100), z.union([text(1_000), z.number(), z.boolean()]))
    .optional()
    .describe('Metadata that documents have, each field with this value'),
});
/** Which documents an extraction looks through: all that each of its fields lets pass. */
export type ExtractionFilter = z.infer<typeof ExtractionFilter>;

export const NewExtraction = describedStrictly('Body of POST /v1/rag42/collections/{collection_id}/extractions', {
  schema: z
    .record(z.string(), z.unknown())
    .describe(
      'JSON Schema of an object, as of POST /v1/document/extract: properties are values (string, number, integer, boolean), objects, or lists of objects (rows of a table). `title` and `x-labels` say what documents call a value',
    ),
  model: nonBlankText(200)
    .optional()
    .describe('Chat model that is asked for what rules do not find; rules alone when left out'),
  instructions: text(4_000).optional().describe('What the model is told beside the schema'),
  filter: ExtractionFilter.optional(),
});
export type NewExtraction = z.infer<typeof NewExtraction>;

export const Extraction = described('An extraction from the documents of a collection', {
  extraction_id: z.string().describe('Id of the extraction, 32 lower-case hexadecimal digits'),
  collection_id: z.string().describe('Id of the collection'),
  state: z.enum(['running', 'done', 'cancelled', 'failed']).describe('State; running also while it waits for its turn'),
  total: z.int().describe('Number of documents in all; those that were deleted meanwhile count until the end'),
  done: z.int().describe('Number of documents that were looked through'),
  failed: z.int().describe('Number of documents that could not be looked through'),
  columns: z
    .array(z.string())
    .describe('Names of what is looked for, such as applicant.name or, of lists, items[].price'),
  schema: z.record(z.string(), z.unknown()).describe('The schema that was given'),
  model: z.string().nullable().describe('Model that is asked; null for rules alone'),
  failure: z.string().nullable().describe('Why it failed as a whole; null where it did not'),
  by: z.string().describe('Name of the person or the API key that started it'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  ended_at: z.iso.datetime().nullable().describe('Time of the end, ISO 8601 in UTC; null while it is running'),
});
export type Extraction = z.infer<typeof Extraction>;

export const ExtractionList = described('Extractions of a collection, the newest first', {
  items: z.array(Extraction).describe('The last extractions of the collection, at most 20 that have ended'),
});

export const ExtractionDocument = described('What was found in a document', {
  document_id: z.string().describe('Id of the document'),
  document_name: z.string().describe('Name of the document when the extraction began'),
  state: z.enum(['waiting', 'done', 'failed']).describe('Whether it was looked through'),
  error: z
    .object({
      code: z.string().describe('Kind of the error'),
      message: z.string().describe('What went wrong'),
    })
    .nullable()
    .describe('Why it could not be looked through; null where it could'),
  fields: ExtractedDocument.shape.fields,
  missing: ExtractedDocument.shape.missing,
  warnings: ExtractedDocument.shape.warnings,
});
export type ExtractionDocument = z.infer<typeof ExtractionDocument>;

export const ExtractionDocuments = listOf(ExtractionDocument).describe('A part of the documents of an extraction');
export type ExtractionDocuments = z.infer<typeof ExtractionDocuments>;

export const ExtractionDocumentsQuery = describedStrictly('Which part of the documents is wanted', {
  size: queryInt(1, 100).default(20).describe('Number of documents, 1 to 100'),
  from: queryInt(0, 1_000_000).default(0).describe('Number of documents that are skipped'),
});

export const ExtractionFileQuery = describedStrictly('What stands in the file', {
  places: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether the page and the confidence of each value stand in columns beside it'),
});

export const ExtractionDeleted = described('Result of the removal of an extraction', {
  extraction_id: z.string().describe('Id of the extraction'),
  operation: z.literal('delete_extraction').describe('Always delete_extraction'),
});
