import type { Document, DocumentFormat } from '../document.ts';
import { escapeHtml, renderHtml } from './html.ts';
import { blocksByPage } from './json.ts';
import { renderText } from './text.ts';

/** What a reading is to give: metadata and content as JSON, one record or a list of it, or the content alone. */
export interface TikaWanted {
  readonly form: 'tika';
  readonly name: string | null;
  readonly content: 'text' | 'html';
  readonly as: 'record' | 'list' | 'content';
}

/** Media types by format. Source: IANA, media types; Apache Tika, tika-mimetypes.xml (Hancom). */
const mediaTypes: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  hwp: 'application/x-hwp-v5',
  hwpx: 'application/hwp+zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  rtf: 'application/rtf',
  html: 'text/html',
  markdown: 'text/x-web-markdown',
  csv: 'text/csv',
  text: 'text/plain',
  image: 'image/*',
};

/** XHTML with an element for each page, which clients take pages from. */
function pagesHtml(document: Document): string {
  const title = `<title>${escapeHtml(document.meta.title ?? '')}</title>`;
  const pages =
    document.pages.length === 0
      ? renderHtml(document.blocks)
      : [...blocksByPage(document).values()]
          .map((blocks) => `<div class="page">${renderHtml(blocks)}</div>`)
          .join('\n');
  return `<html xmlns="http://www.w3.org/1999/xhtml"><head>${title}</head><body>${pages}</body></html>`;
}

function metadataOf(
  { format, meta, pages, pageCount = 0 }: Document,
  name: string | null,
): Readonly<Record<string, unknown>> {
  const count = pages.length === 0 ? pageCount : pages.length;
  return {
    'Content-Type': mediaTypes[format],
    'X-TIKA:Parsed-By': ['studio-parser'],
    ...(name === null ? {} : { resourceName: name }),
    ...(meta.title === undefined ? {} : { 'dc:title': meta.title }),
    ...(meta.author === undefined ? {} : { 'dc:creator': meta.author }),
    ...(meta.created === undefined ? {} : { 'dcterms:created': meta.created }),
    ...(meta.modified === undefined ? {} : { 'dcterms:modified': meta.modified }),
    ...(meta.language === undefined ? {} : { 'dc:language': meta.language }),
    ...(count === 0 ? {} : { 'xmpTPg:NPages': String(count) }),
  };
}

/** The answer of a reading; a text where only the content is wanted. Source: Apache Tika 3, TikaResource and RecursiveMetadataResource. */
export function renderTika(document: Document, { name, content, as }: TikaWanted): object | string {
  const text = content === 'html' ? pagesHtml(document) : renderText(document.blocks);
  if (as === 'content') return text;
  const record = { ...metadataOf(document, name), 'X-TIKA:content': text };
  return as === 'list' ? [record] : record;
}
