import type { Document } from '../document.ts';
import { withOfficialMarks } from './marks.ts';
import type { WriteOptions, WrittenFormat } from './options.ts';

/** Writes a document as a file of Word or of Hancom Office: headings, lists, tables with merged cells, notes, pictures. */
export async function writeDocument(
  document: Pick<Document, 'blocks' | 'meta'>,
  format: WrittenFormat,
  options: WriteOptions,
): Promise<Uint8Array> {
  const blocks = options.numbering === 'official' ? withOfficialMarks(document.blocks) : document.blocks;
  const given = { ...document, blocks };
  if (format === 'docx') return (await import('./docx/index.ts')).writeDocx(given, options);
  return (await import('./hwpx/index.ts')).writeHwpx(given, options);
}
