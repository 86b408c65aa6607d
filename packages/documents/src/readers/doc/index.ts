import type { DocumentMeta } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { readDocx } from '../docx/index.ts';
import { docxOf } from './docx-parts.ts';
import { DocFile } from './file.ts';
import { readOfficeSummary } from './summary.ts';

/**
 * DOC (Word 97 to 2003): what it says is written as the parts of a DOCX, whose reader makes headings, lists, tables, notes and fields of them.
 * Where an office program saves older formats as newer ones, that is asked instead. Throws ParseError `ENCRYPTED`, `UNSUPPORTED` (Word 6 and 95),
 * `CORRUPTED`, `TOO_LARGE`. Source: MS-DOC.
 */
export const readDoc: Reader = async (bytes, options) => {
  if (options.hasOffice === true)
    throw new ParseError('UNSUPPORTED', 'An office program saves older Word files as DOCX.', { savedAs: 'docx' });
  const file = new DocFile(bytes, options.limits);
  const { meta, pages, characters } = file.summary === null ? noSummary : readOfficeSummary(file.summary);
  const document = await readDocx(docxOf(file, { pages, characters }), options);
  return { ...document, format: 'doc', meta };
};

const noSummary: { readonly meta: DocumentMeta; readonly pages: number; readonly characters: number } = {
  meta: {},
  pages: 0,
  characters: 0,
};
