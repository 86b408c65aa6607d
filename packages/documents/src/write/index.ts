import type { Document } from '../document.ts';
import { withOfficialMarks } from './marks.ts';
import type { WriteOptions, WrittenFile, WrittenFormat } from './options.ts';

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
      return { ...(await import('./docx/index.ts')).writeDocx(given, options), missing: [] };
    case 'hwpx':
      return { ...(await import('./hwpx/index.ts')).writeHwpx(given, options), missing: [] };
    case 'pdf':
      return (await import('./pdf/index.ts')).writePdf(given, options);
  }
}
