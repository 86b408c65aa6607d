import type { Block, Document, Span, Warning } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import { beginUse, type ParseLimits, type ReadOptions } from '../reader.ts';
import { sniffFormat } from '../sniff.ts';
import { readDocument } from './index.ts';
import { readMarkdown } from './markdown/index.ts';

/** Pages of a document that others have read from their pictures, such as a vision model. */
export interface SeenPages {
  /** What each of them says, in Markdown. */
  readonly read: readonly { readonly page: number; readonly markdown: string }[];
  /** Pages that are read here, as they were not read there. */
  readonly missed: readonly number[];
  /** Why they were not, in words for people; empty where none is missing. */
  readonly why: string;
}

/** Numbers of pages that a warning names. */
const MAX_NAMED_PAGES = 20;

function missedWarning({ missed, why }: SeenPages): readonly Warning[] {
  const [first] = missed;
  if (first === undefined) return [];
  const named = missed.slice(0, MAX_NAMED_PAGES).join(', ');
  const more = missed.length > MAX_NAMED_PAGES ? ` and ${missed.length - MAX_NAMED_PAGES} more` : '';
  const which = missed.length === 1 ? `Page ${named} was` : `Pages ${named}${more} were`;
  return [
    {
      code: 'layout_not_read',
      message: `${which} read by the service itself, as the layout reader did not read ${missed.length === 1 ? 'it' : 'them'}: ${why}`,
      page: first,
    },
  ];
}

/** A fence around the whole text, as models like to put there, and marks of thinking before it. */
const unfenced = (markdown: string): string =>
  /^\s*```(?:markdown|md|html)?[^\S\n]*\n(.*?)\n?```\s*$/s.exec(markdown)?.[1] ?? markdown;

/** Blocks as those of a page: notes of several pages may have the same mark. */
function onPage(blocks: readonly Block[], page: number): Block[] {
  const noteId = (id: string) => `page-${page}-${id}`;
  const spansOn = (spans: readonly Span[]) =>
    spans.map((span) => (span.note === undefined ? span : { ...span, note: noteId(span.note) }));
  return blocks.map((block): Block => {
    switch (block.type) {
      case 'heading':
      case 'paragraph':
        return { ...block, page, spans: spansOn(block.spans) };
      case 'list':
        return { ...block, page, items: block.items.map((item) => ({ ...item, spans: spansOn(item.spans) })) };
      case 'table':
        return { ...block, page, cells: block.cells.map((cell) => ({ ...cell, blocks: onPage(cell.blocks, page) })) };
      case 'footnote':
        return {
          ...block,
          page,
          id: noteId(block.id),
          marker: block.marker ?? block.id,
          blocks: onPage(block.blocks, page),
        };
      case 'header':
      case 'footer':
        return { ...block, page, blocks: onPage(block.blocks, page) };
      default:
        return { ...block, page };
    }
  });
}

async function readPage(markdown: string, page: number, limits: ParseLimits) {
  const options = { limits, pages: null, onPage: () => undefined };
  const { blocks, warnings } = await readMarkdown(Buffer.from(unfenced(markdown)), options);
  return { blocks: onPage(blocks, page), warnings: warnings.map((warning) => ({ ...warning, page })) };
}

/** The pages that others have not read; null where there are none, or nothing comes of them and there are others. */
async function readMissed(
  bytes: Uint8Array,
  name: string | null,
  { read, missed }: SeenPages,
  options: ReadOptions,
): Promise<Document | null> {
  if (missed.length === 0) return null;
  try {
    return await readDocument(bytes, name, { ...options, pages: new Set(missed) });
  } catch (error) {
    if (read.length === 0 || !(error instanceof ParseError)) throw error;
    return null;
  }
}

/** A document of pages that others have read, and of those that they have not. Throws ParseError. */
export async function readSeen(
  bytes: Uint8Array,
  name: string | null,
  seen: SeenPages,
  options: ReadOptions,
): Promise<Document> {
  const shared = beginUse();
  const own = await readMissed(bytes, name, seen, { ...options, limits: { ...options.limits, shared } });
  const blocks = new Map<number, Block[]>();
  const warnings: Warning[] = [...missedWarning(seen), ...(own?.warnings ?? [])];
  for (const { page, markdown } of seen.read) {
    const found = await readPage(markdown, page, { ...options.limits, shared: beginUse(shared) });
    blocks.set(page, found.blocks);
    warnings.push(...found.warnings);
  }
  let last = 1;
  for (const block of own?.blocks ?? []) {
    last = block.page ?? last;
    const there = blocks.get(last);
    if (there === undefined) blocks.set(last, [block]);
    else there.push(block);
  }
  const pages = [...(own?.pages ?? []), ...seen.read.map(({ page }) => ({ number: page, recognised: true }))];
  return {
    format: own?.format ?? sniffFormat(bytes, name ?? undefined),
    meta: own?.meta ?? {},
    pages: pages.toSorted((a, b) => a.number - b.number),
    blocks: [...blocks].toSorted(([a], [b]) => a - b).flatMap(([, some]) => some),
    warnings,
  };
}
