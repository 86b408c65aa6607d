import { type Block, type Document, plain } from '../document.ts';
import type { Reader } from '../reader.ts';
import { decodeText } from '../text/charset.ts';
import { headingLevels, isContentsLine, isContentsTitle, markerOf } from '../text/korean-headings.ts';
import { listedLines } from '../text/list-runs.ts';
import { createBudget } from './budget.ts';

/** Paragraphs are parted by empty lines; a line that begins with a mark or stands between short ones is one of its own. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) paragraphs.push(open.join('\n'));
    open = [];
  };
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (line.trim() === '') {
      close();
      continue;
    }
    if (markerOf(line) !== null || isContentsLine(line) || isContentsTitle(line)) close();
    open.push(open.length === 0 ? line.trim() : line);
    if (isContentsLine(line) || isContentsTitle(line)) close();
  }
  close();
  return paragraphs;
}

function blockOf(text: string, level: number | null): Block {
  if (level !== null) {
    const marker = markerOf(text)?.text;
    return { type: 'heading', level, page: null, spans: plain(text), ...(marker === undefined ? {} : { marker }) };
  }
  const contents = isContentsLine(text) || isContentsTitle(text);
  return { type: 'paragraph', page: null, spans: plain(text), ...(contents ? { role: 'contents' } : {}) };
}

/** Plain text, with the headings that its numbering tells. */
export const readText: Reader = (bytes, { limits, onPage }) => {
  const { text, damaged, charset } = decodeText(bytes);
  createBudget(limits).text(text.length);
  const paragraphs = paragraphsOf(text);
  // A heading stands on a line of its own.
  const levels = headingLevels(paragraphs.map((one) => ({ text: one.includes('\n') ? `${one}.` : one })));
  const items = listedLines(paragraphs.map((one) => ({ text: one, standsOut: false })));
  const document: Document = {
    format: 'text',
    meta: {},
    pages: [],
    blocks: paragraphs.map((one, at) =>
      blockOf(one, one.includes('\n') || items[at] === true ? null : (levels[at] ?? null)),
    ),
    warnings: damaged
      ? [{ code: 'text_damaged', message: `Some letters could not be read as ${charset.toUpperCase()}.` }]
      : [],
  };
  onPage(1, 1);
  return document;
};
