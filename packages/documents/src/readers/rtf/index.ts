import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { escapeHtml } from '../../render/html.ts';
import { createBudget } from '../budget.ts';
import { readHtmlText, utf8Page } from '../html/index.ts';
import { readRtf } from './rtf.ts';

/** RTF (Rich Text Format 1.9.1): paragraphs, headings by their outline level, tables. Throws ParseError `CORRUPTED`. */
export const readRichText: Reader = async (bytes, options) => {
  const said = readRtf(bytes);
  if (said === null) throw new ParseError('CORRUPTED', 'The RTF file is damaged and cannot be read.');
  createBudget(options.limits).text(said.text.length);
  const page = said.kind === 'html' ? said.text : `<pre>${escapeHtml(said.text)}</pre>`;
  const document = await readHtmlText(utf8Page(page), options);
  return { ...document, format: 'rtf' };
};
