import { z } from 'zod';
import { FieldName, IndexedFields, IngestConfig } from './collection.ts';
import { filledText, Id, listOf, Page, text } from './text.ts';

export const documentStates = ['queued', 'parsing', 'chunking', 'embedding', 'indexing', 'ready', 'failed'] as const;
export const DocumentState = z.enum(documentStates);
export type DocumentState = z.infer<typeof DocumentState>;

/** What people note of a document: names and any JSON. Filters may use texts, numbers, true and false, and lists of them. */
export const Metadata = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof Metadata>;

const ExternalId = filledText(500);

/** A form's fields beside its file, each as text. */
export const UploadFields = z.object({
  collection_id: Id.optional().describe('For POST /rag42/documents'),
  metadata: z.string().optional().describe('A JSON object'),
  indexed_fields: z.string().optional().describe('At most 10 names: a JSON array, or with commas between'),
  external_id: ExternalId.optional().describe('Your own id; a document with the same one is replaced'),
  external_id_field: FieldName.optional().describe('The metadata field that holds it'),
});
export type UploadFields = z.infer<typeof UploadFields>;
export { IndexedFields };

const Reason = z.object({ code: z.string(), message: z.string() });

export const Document = z.object({
  document_id: z.string(),
  collection_id: z.string(),
  document_name: z.string(),
  external_id: z.string().nullable(),
  file_size: z.int(),
  format: z.string().nullable(),
  state: DocumentState,
  progress: z.number().min(0).max(1),
  error: Reason.nullable().describe('Why it failed, or what is being waited for'),
  failures: z
    .array(Reason.extend({ at: z.iso.datetime(), stage: z.string() }))
    .describe('Attempts that did not succeed'),
  searchable: z.boolean().describe('Whether a search finds it: also while it is made anew'),
  page_count: z.int().nullable(),
  chunk_count: z.int(),
  metadata: Metadata,
  indexed_fields: IndexedFields,
  uploaded_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  ingest_config: IngestConfig,
});
export type Document = z.infer<typeof Document>;

/** Result of an upload. Source: decisions section 5. */
export const DocumentUploaded = z.object({
  document_id: z.string(),
  document_name: z.string(),
  file_size: z.int(),
  collection_id: z.string(),
  external_id: z.string().nullable(),
  uploaded_at: z.iso.datetime(),
  operation: z.literal('upload_document'),
  state: DocumentState,
  ingest_config: IngestConfig,
});
export type DocumentUploaded = z.infer<typeof DocumentUploaded>;

export const DocumentQuery = Page.extend({
  state: DocumentState.optional(),
  external_id: text(500).optional(),
  name: text(200).optional().describe('Found in the name'),
});
export type DocumentQuery = z.infer<typeof DocumentQuery>;
export const DocumentList = listOf(Document);

/** Body of PATCH of a document. */
export const DocumentChange = z
  .object({
    document_name: filledText(255).optional(),
    name: filledText(255).optional().describe('The same as document_name'),
    metadata: Metadata.optional().describe('Takes the place of the whole'),
  })
  .refine((change) => Object.keys(change).length > 0, { message: 'needs at least one of document_name, metadata' });
export type DocumentChange = z.infer<typeof DocumentChange>;

export const DocumentUpdated = Document.extend({ operation: z.literal('update_document') });
export const DocumentReindexed = Document.extend({ operation: z.literal('reindex_document') });
export const DocumentDeleted = z.object({
  document_id: z.string(),
  deleted_at: z.iso.datetime(),
  operation: z.literal('delete_document'),
});
