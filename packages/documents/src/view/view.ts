import type {
  ParserBlock,
  ParserBlocks,
  ParserOutline,
  ParserTable,
  ParserText,
} from '@ai-studio/contract/console/parser.ts';
import type { Block, Document } from '../document.ts';
import { renderHtml } from '../render/html.ts';
import { blockId, blocksByPage, classOf, renderPrediction } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderText } from '../render/text.ts';
import { Allowance, contentOf, tableRows } from './content.ts';

/** Blocks of one answer, and about as many characters. */
const MAX_BLOCKS = 200;
const MAX_CHARACTERS = 300_000;
/** Of a page that is shown as text. */
const MAX_TEXT = 200_000;
const MAX_WARNINGS = 100;

type TextFormat = 'markdown' | 'html' | 'text' | 'json';

/** A request of the console for a part of a document. */
export type ViewRequest =
  | { readonly kind: 'outline' }
  | { readonly kind: 'blocks'; readonly page: number; readonly from: number }
  | { readonly kind: 'rows'; readonly page: number; readonly at: number; readonly fromRow: number }
  | { readonly kind: 'text'; readonly page: number; readonly format: TextFormat };

/** Responses by kind of request; null where there is no such page or table. */
export interface ViewResponses {
  readonly outline: Omit<ParserOutline, 'pictures'>;
  readonly blocks: ParserBlocks | null;
  readonly rows: ParserTable | null;
  readonly text: ParserText | null;
}

/** A document that was unpacked, with its blocks by page. */
export interface OpenedDocument {
  readonly document: Document;
  readonly byPage: ReadonlyMap<number, readonly Block[]>;
}

/** Indexes the blocks of a document by page. */
export function openView(document: Document): OpenedDocument {
  const byPage = blocksByPage(document);
  // A document without a word has one page too.
  return { document, byPage: byPage.size === 0 ? new Map([[1, []]]) : byPage };
}

function outlineOf({ document, byPage }: OpenedDocument): ViewResponses['outline'] {
  const { format, meta, warnings } = document;
  const known = new Map(document.pages.map((page) => [page.number, page]));
  return {
    format,
    title: meta.title ?? null,
    author: meta.author ?? null,
    pages: [...byPage].map(([number, blocks]) => ({ ...known.get(number), number, blocks: blocks.length })),
    warnings: warnings
      .slice(0, MAX_WARNINGS)
      .map(({ code, message, page = null }) => ({ code, message: message.slice(0, 500), page })),
    more_warnings: Math.max(0, warnings.length - MAX_WARNINGS),
  };
}

function blockOf(block: Block, id: string): ParserBlock & { readonly length: number } {
  const left = new Allowance();
  const before = left.characters;
  const content = contentOf(block, left);
  const { box, confidence, hidden } = block;
  return {
    id,
    class: classOf(block),
    ...(block.type === 'heading' ? { level: block.level } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(box === undefined ? {} : { box: [box.x, box.y, box.x + box.width, box.y + box.height] }),
    content,
    ...(left.cut ? { cut: true } : {}),
    length: before - left.characters,
  };
}

function blocksOf({ byPage }: OpenedDocument, page: number, from: number): ParserBlocks | null {
  const blocks = byPage.get(page);
  if (blocks === undefined) return null;
  const items: ParserBlock[] = [];
  let characters = 0;
  for (let at = from; at < blocks.length && items.length < MAX_BLOCKS && characters < MAX_CHARACTERS; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    const { length, ...item } = blockOf(block, blockId(page, at));
    items.push(item);
    characters += length;
  }
  const end = from + items.length;
  return { page, from, total: blocks.length, next: end < blocks.length ? end : null, items };
}

function rowsOf({ byPage }: OpenedDocument, page: number, at: number, fromRow: number): ParserTable | null {
  const block = byPage.get(page)?.[at];
  return block?.type === 'table' && fromRow < block.rows ? tableRows(block, fromRow, new Allowance()) : null;
}

const writers = { markdown: renderMarkdown, html: renderHtml, text: renderText } as const;

function textOf({ document, byPage }: OpenedDocument, page: number, format: TextFormat): ParserText | null {
  const blocks = byPage.get(page);
  if (blocks === undefined) return null;
  const alone: Document = { ...document, pages: document.pages.filter(({ number }) => number === page), blocks };
  const text = format === 'json' ? JSON.stringify(renderPrediction(alone), null, 2) : writers[format](blocks);
  return { text: text.slice(0, MAX_TEXT).toWellFormed(), cut: text.length > MAX_TEXT };
}

/** Handles a request for a part of a document. */
export function handleViewRequest(opened: OpenedDocument, ask: ViewRequest): ViewResponses[ViewRequest['kind']] {
  switch (ask.kind) {
    case 'outline':
      return outlineOf(opened);
    case 'blocks':
      return blocksOf(opened, ask.page, ask.from);
    case 'rows':
      return rowsOf(opened, ask.page, ask.at, ask.fromRow);
    case 'text':
      return textOf(opened, ask.page, ask.format);
  }
}
