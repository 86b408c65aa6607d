import type { DocumentParseFields, ParsedDocument } from '@ai-studio/contract/utilities/document.ts';
import type { Document } from '../document.ts';
import { renderHtml } from './html.ts';
import { renderPrediction } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

/** Name under which replies tell what read the document. */
export const PARSER_MODEL = 'studio-parser';

type Format = DocumentParseFields['response_format'];

const renderers = { html: renderHtml, markdown: renderMarkdown, text: renderText } as const;

function rendered(document: Document, format: Format): Partial<ParsedDocument> {
  if (format === 'json') return { prediction: renderPrediction(document) };
  return { contents: renderers[format](document.blocks) };
}

/** How a document is wanted. */
export interface Wanted {
  readonly name: string | null;
  readonly elapsedMs: number;
  readonly format: Format;
  /** Further keys of the result. */
  readonly more?: Readonly<Record<string, string>>;
}

/** A document as the parser's endpoints give it. */
export const renderParsed = (document: Document, { name, elapsedMs, format, more }: Wanted): ParsedDocument => ({
  model: PARSER_MODEL,
  status: 'SUCCESS',
  document_name: name,
  format: document.format,
  processing_time_ms: Math.round(elapsedMs),
  ...rendered(document, format),
  warnings: document.warnings.map((warning) => ({ ...warning })),
  ...more,
});
