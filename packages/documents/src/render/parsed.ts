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

function rendered(document: Document, { format, margins = false }: Wanted): Partial<ParsedDocument> {
  if (format === 'json') return { prediction: renderPrediction(document) };
  return { contents: renderers[format](document.blocks, { margins }) };
}

/** How a document is wanted. */
export interface Wanted {
  readonly name: string | null;
  readonly elapsedMs: number;
  readonly format: Format;
  /** Headers and footers of pages stand in the text too; JSON has them anyway. */
  readonly margins?: boolean;
  /** Further keys of the result. */
  readonly more?: Readonly<Record<string, string>>;
}

/** A document as the parser's endpoints give it. */
export const renderParsed = (document: Document, wanted: Wanted): ParsedDocument => ({
  model: PARSER_MODEL,
  status: 'SUCCESS',
  document_name: wanted.name,
  format: document.format,
  processing_time_ms: Math.round(wanted.elapsedMs),
  ...rendered(document, wanted),
  warnings: document.warnings.map((warning) => ({ ...warning })),
  ...wanted.more,
});
