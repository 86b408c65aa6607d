import type { Block, Document } from '../document.ts';
import { blocksByPage } from './json.ts';
import { renderMarkdown } from './markdown.ts';

/** A document, or a page of one, as loaders of LangChain have it. */
export interface LoaderPage {
  /** Markdown. */
  readonly page_content: string;
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** What is said of the whole document beside each page. */
function metadataOf(
  { format, meta, pages, pageCount = 0 }: Document,
  name: string | null,
): Record<string, string | number> {
  const count = pages.length === 0 ? pageCount : pages.length;
  return {
    ...(name === null ? {} : { source: name }),
    format,
    ...(meta.title === undefined ? {} : { title: meta.title }),
    ...(meta.author === undefined ? {} : { author: meta.author }),
    ...(count > 0 ? { total_pages: count } : {}),
  };
}

/** Text of the running blocks; empty where a page shows none. */
const contentOf = (blocks: readonly Block[]) => renderMarkdown(blocks).trim();

/**
 * Pages that have text, numbered from 0 (`page`); one entry without a number where the format has no pages. Empty where nothing of the
 * document is text. Source: Open WebUI 0.6, retrieval/loaders/external_document.py; LangChain, PyPDFLoader.
 */
export function renderLoaderPages(document: Document, name: string | null): readonly LoaderPage[] {
  const common = metadataOf(document, name);
  const named = new Map(document.pages.map((page) => [page.number, page.name]));
  if (document.pages.length === 0) {
    const content = contentOf(document.blocks);
    return content === '' ? [] : [{ page_content: content, metadata: common }];
  }
  return [...blocksByPage(document)].flatMap(([number, blocks]) => {
    const content = contentOf(blocks);
    if (content === '') return [];
    const label = named.get(number);
    const page = { page: number - 1, page_label: label ?? String(number) };
    return [{ page_content: content, metadata: { ...common, ...page } }];
  });
}
