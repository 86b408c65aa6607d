import type { ExtractionDocument } from '@ai-studio/contract/retrieval/extraction.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../ports/database.ts';

type DocumentRow = Selectable<Tables['extraction_documents']>;
/** What was found in a document, as it is stored. */
export type Found = Pick<ExtractionDocument, 'fields' | 'missing' | 'warnings'>;

/** Characters of what is kept of a document, some thousand values: many documents are read, and answered, at once. */
const MAX_FOUND_LENGTH = 1_000_000;

/** What was found, as it is stored: as many values as there is room for. */
export function storedFound({ fields, missing, warnings }: Found): string {
  let length = 0;
  const end = fields.findIndex((field) => (length += JSON.stringify(field).length) > MAX_FOUND_LENGTH);
  if (end < 0) return JSON.stringify({ fields, missing, warnings });
  const message = `Only the first ${end} of ${fields.length} values are kept. Extract from this document alone.`;
  return JSON.stringify({
    fields: fields.slice(0, end),
    missing,
    warnings: [...warnings, { code: 'values_cut', message }],
  });
}

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
