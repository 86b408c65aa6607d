import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { FieldName, IndexedFields, IngestConfig } from './collection.ts';
import { nonBlankText, Id, listOf, Page, text } from './text.ts';
import { ParseWarning } from '../utilities/document.ts';

/** States of a document, in their order. Source: decisions section 5. */
export const documentStates = ['queued', 'parsing', 'chunking', 'embedding', 'indexing', 'ready', 'failed'] as const;
/** Source: decisions section 5. */
export const DocumentState = z.enum(documentStates).describe('How far a document is on its way into the index');
export type DocumentState = z.infer<typeof DocumentState>;

export const Metadata = z.record(z.string(), z.unknown()).meta({
  description: 'Facts of a document, by name: any JSON. Filters may use strings, numbers, booleans and lists of them',
  propertyNames: { type: 'string', minLength: 1, maxLength: 200 },
});
export type Metadata = z.infer<typeof Metadata>;

export const ExternalId = nonBlankText(500).describe("Id of the caller's own, 1 to 500 characters");

/** Source: decisions section 5. */
export const UploadFields = describedStrictly('Fields of the upload form beside its file; fields of a form are texts', {
  collection_id: Id.optional().describe('The collection, for POST /v1/rag42/documents'),
  metadata: z.string().optional().describe('Metadata of the document, as a JSON object'),
  indexed_fields: z
    .string()
    .optional()
    .describe('Metadata fields that filters may use, at most 10: a JSON array, or names with commas between'),
  external_id: ExternalId.optional().describe(
    "Id of the caller's own; the document replaces an older one with the same id once it is ready",
  ),
  external_id_field: FieldName.optional().describe("Metadata field that holds the caller's own id"),
});
export type UploadFields = z.infer<typeof UploadFields>;
export { IndexedFields };

const Reason = z.object({
  code: z.string().describe('Stable code of the failure'),
  message: z.string().describe('What went wrong, in a sentence'),
});

/** Source: decisions section 5. */
export const Document = described('A document of a collection', {
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  document_name: z.string().describe('Name of the document, by default that of its file'),
  external_id: z.string().nullable().describe("Id of the caller's own"),
  file_size: z.int().describe('Size of the file in bytes'),
  format: z.string().nullable().describe('Format by content, such as pdf; null until the document was read'),
  state: DocumentState,
  progress: z.number().min(0).max(1).describe('Share that is done, 0 to 1'),
  error: Reason.nullable().describe('Why the document failed, or what it waits for'),
  failures: z
    .array(
      Reason.extend({
        at: z.iso.datetime().describe('Time of the failure, ISO 8601 in UTC'),
        stage: z.string().describe('Step that failed, such as parsing'),
      }),
    )
    .describe('Attempts that failed'),
  warnings: z.array(ParseWarning).describe('What could not be read of it, the first 20'),
  duplicate_of: z
    .string()
    .optional()
    .describe('Id of an earlier document that says (nearly) the same, where the collection marks those'),
  restricted: z
    .literal(true)
    .optional()
    .describe('That of those who see the collection only some may read it, as its source says; left out where all may'),
  searchable: z.boolean().describe('Whether a search finds the document; stays true while a new version is made'),
  page_count: z.int().nullable().describe('Number of pages; null until the document was read'),
  chunk_count: z.int().describe('Number of chunks'),
  metadata: Metadata,
  indexed_fields: IndexedFields,
  uploaded_at: z.iso.datetime().describe('Time of the upload, ISO 8601 in UTC'),
  updated_at: z.iso.datetime().describe('Time of the last change, ISO 8601 in UTC'),
  ingest_config: IngestConfig,
});
export type Document = z.infer<typeof Document>;

/** Source: decisions section 5. */
export const DocumentUploaded = described('Result of an upload', {
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  document_name: z.string().describe('Name of the document, by default that of its file'),
  file_size: z.int().describe('Size of the file in bytes'),
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  external_id: z.string().nullable().describe("Id of the caller's own"),
  uploaded_at: z.iso.datetime().describe('Time of the upload, ISO 8601 in UTC'),
  operation: z.literal('upload_document'),
  state: DocumentState,
  ingest_config: IngestConfig,
});
export type DocumentUploaded = z.infer<typeof DocumentUploaded>;

/** Source: decisions section 5. */
export const DocumentQuery = Page.extend({
  state: DocumentState.optional().describe('Only documents in this state'),
  external_id: text(500).optional().describe("Only the document with this id of the caller's own"),
  name: text(200).optional().describe('Only documents whose name contains this'),
}).describe('Which documents are wanted, and which part of the list');
export type DocumentQuery = z.infer<typeof DocumentQuery>;
/** Source: decisions section 5. */
export const DocumentList = listOf(Document).describe('Documents of a collection, the newest first');

/** Source: decisions section 5. */
export const DocumentChange = z
  .strictObject({
    document_name: nonBlankText(255).optional().describe('Name of the document, 1 to 255 characters'),
    name: nonBlankText(255).optional().describe('The same as document_name'),
    metadata: Metadata.optional().describe('Replaces the metadata as a whole'),
  })
  .refine((change) => Object.keys(change).length > 0, { message: 'needs at least one of document_name, metadata' })
  .meta({ description: 'Body of PATCH of a document: at least one of its fields', minProperties: 1 });
export type DocumentChange = z.infer<typeof DocumentChange>;

/** Source: decisions section 5. */
export const DocumentUpdated = Document.extend({ operation: z.literal('update_document') }).describe(
  'Result of changing a document',
);
/** Source: decisions section 5. */
export const DocumentReindexed = Document.extend({ operation: z.literal('reindex_document') }).describe(
  'Result of reading a document again',
);
/** Source: decisions section 5. */
export const DocumentDeleted = described('Result of deleting a document', {
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  deleted_at: z.iso.datetime().describe('Time of the deletion, ISO 8601 in UTC'),
  operation: z.literal('delete_document'),
});
