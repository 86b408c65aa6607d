import type { ExtractionDocument } from '@ai-studio/contract/retrieval/extraction.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../ports/database.ts';

type DocumentRow = Selectable<Tables['extraction_documents']>;
/** What was found in a document, as it is stored. */
export type Found = Pick<ExtractionDocument, 'fields' | 'missing' | 'warnings'>;

const nothing: Found = { fields: [], missing: [], warnings: [] };

/** A document of an extraction, as callers are told. */
export const documentRecord = (row: Omit<DocumentRow, 'run_id'>): ExtractionDocument => ({
  document_id: row.document_id,
  document_name: row.name,
  state: row.state,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  ...(row.found === null ? nothing : (JSON.parse(row.found) as Found)),
});

/** The columns that {@link documentRecord} needs. */
export const documentColumns = ['ord', 'document_id', 'name', 'state', 'found', 'error_code', 'error_message'] as const;
