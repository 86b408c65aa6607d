import type { Document } from '../document.ts';
import { type ExtractWanted, type QuotesWanted, renderExtract, renderQuotes } from '../extract/index.ts';
import { type DoclingWanted, renderDocling } from './docling.ts';
import { renderLoaderPages } from './loader-pages.ts';
import { renderMarkdown } from './markdown.ts';
import { renderParsed, type Wanted } from './parsed.ts';
import { renderTika, type TikaWanted } from './tika.ts';

/** How a document is wanted: in the form of our own endpoints, or in those that programs know. */
export type WantedForm =
  | Wanted
  | { readonly form: 'loader_pages'; readonly name: string | null }
  /** The text itself. */
  | { readonly form: 'markdown' }
  | ExtractWanted
  | QuotesWanted
  | DoclingWanted
  | TikaWanted;

/** The answer as it is sent: JSON, or where only a text is wanted the text itself. `plain`: the text of our own formats that are one. */
export function renderWanted(document: Document, wanted: WantedForm, plain: boolean): string {
  if (!('form' in wanted)) {
    const parsed = renderParsed(document, wanted);
    return plain && parsed.contents !== undefined ? parsed.contents : JSON.stringify(parsed);
  }
  if (wanted.form === 'markdown') return renderMarkdown(document.blocks);
  if (wanted.form === 'extract') return JSON.stringify(renderExtract(document, wanted));
  if (wanted.form === 'quotes') return JSON.stringify(renderQuotes(document, wanted));
  if (wanted.form === 'loader_pages') return JSON.stringify(renderLoaderPages(document, wanted.name));
  if (wanted.form === 'docling') return JSON.stringify(renderDocling(document, wanted));
  const answer = renderTika(document, wanted);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
