import type { Document } from '../document.ts';
import { withOfficialMarks } from './marks.ts';
import type { WriteOptions, WrittenFormat } from './options.ts';

/** What was written. */
export interface WrittenFile {
  readonly bytes: Uint8Array;
  /** Letters of the text that the typeface of a PDF file does not have. */
  readonly missing: readonly string[];
}

/** Writes a document as a file of Word, Hancom Office or PDF: headings, lists, tables with merged cells, notes, pictures. */
export async function writeDocument(
  document: Pick<Document, 'blocks' | 'meta'>,
  format: WrittenFormat,
  options: WriteOptions,
): Promise<WrittenFile> {
  const blocks = options.numbering === 'official' ? withOfficialMarks(document.blocks) : document.blocks;
  const given = { ...document, blocks };
  switch (format) {
    case 'docx':
      return { bytes: (await import('./docx/index.ts')).writeDocx(given, options), missing: [] };
    case 'hwpx':
      return { bytes: (await import('./hwpx/index.ts')).writeHwpx(given, options), missing: [] };
    case 'pdf':
      return (await import('./pdf/index.ts')).writePdf(given, options);
  }
}
