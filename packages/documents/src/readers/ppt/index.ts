import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { readOfficeSummary } from '../doc/summary.ts';
import { readPptx } from '../pptx/index.ts';
import { openPresentation } from './presentation.ts';
import { pptxOf } from './pptx-parts.ts';

/**
 * PPT (PowerPoint 97 to 2003): what it says is written as the parts of a PPTX, whose reader puts it in the order of reading. Where an office
 * program saves older formats as newer ones, that is asked instead. Throws ParseError `ENCRYPTED`, `CORRUPTED`, `TOO_LARGE`. Source: MS-PPT,
 * MS-ODRAW.
 */
export const readPpt: Reader = async (bytes, options) => {
  if (options.hasOffice === true)
    throw new ParseError('UNSUPPORTED', 'An office program saves older PowerPoint files as PPTX.', { savedAs: 'pptx' });
  const presentation = openPresentation(bytes, options.limits);
  const { summary } = presentation;
  const document = await readPptx(pptxOf(presentation), options);
  return { ...document, format: 'ppt', meta: summary === null ? {} : readOfficeSummary(summary).meta };
};
