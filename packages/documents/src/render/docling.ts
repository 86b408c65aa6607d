import type { Document } from '../document.ts';
import { renderDoclingDocument } from './docling-document.ts';
import { renderHtml } from './html.ts';
import { blocksByPage } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

/** Forms of a conversion, by the names of Docling. */
export const doclingFormats = ['md', 'json', 'html', 'text'] as const;
export type DoclingFormat = (typeof doclingFormats)[number];

/** What a conversion is to give. */
export interface DoclingWanted {
  readonly form: 'docling';
  readonly name: string | null;
  readonly elapsedMs: number;
  readonly formats: readonly DoclingFormat[];
  /** Stands between the pages of Markdown; empty for nothing. */
  readonly pageBreak: string;
}

function markdownOf(document: Document, pageBreak: string): string {
  if (pageBreak === '') return renderMarkdown(document.blocks);
  return [...blocksByPage(document).values()].map((blocks) => renderMarkdown(blocks)).join(`\n\n${pageBreak}\n\n`);
}

/** Without its suffix, as Docling names documents. */
const stemOf = (name: string) => name.replace(/\.[^.]+$/, '');

/** The answer of a conversion. Source: docling-serve 1.31, POST /v1/convert/file; docling, ConvertDocumentResponse. */
export function renderDocling(document: Document, { name, elapsedMs, formats, pageBreak }: DoclingWanted): object {
  const filename = name ?? 'file';
  const has = (format: DoclingFormat) => formats.includes(format);
  return {
    document: {
      filename,
      md_content: has('md') ? markdownOf(document, pageBreak) : null,
      json_content: has('json') ? renderDoclingDocument(document, stemOf(filename)) : null,
      html_content: has('html') ? renderHtml(document.blocks) : null,
      text_content: has('text') ? renderText(document.blocks) : null,
      doctags_content: null,
    },
    status: document.warnings.length === 0 ? 'success' : 'partial_success',
    errors: document.warnings.map(({ message, page }) => ({
      component_type: 'document_backend',
      module_name: 'studio-parser',
      error_message: page === undefined ? message : `Page ${page}: ${message}`,
    })),
    processing_time: Math.round(elapsedMs) / 1000,
    timings: {},
  };
}
