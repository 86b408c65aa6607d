import { type Block, type Table, textOf } from '../document.ts';
import { blockMarkdown, listItemTexts } from '../render/markdown.ts';
import { labelNotes } from '../render/note-labels.ts';
import { isRunning } from '../render/text.ts';
import { type PageRange, pagesOf } from './pages.ts';

/** A piece that is not cut while it fits. */
export interface Unit {
  readonly text: string;
  readonly pages: PageRange | null;
  /** Titles above it, the highest first, its own included. */
  readonly headings: readonly string[];
  /** Pieces of different sections never share a chunk. */
  readonly section: number;
  readonly kind: 'text' | 'heading' | 'table';
  /** For tables that are too long: the piece of these rows, with caption and headings before them. */
  readonly table?: Table;
}

/** Titles down to this level begin a section. */
const SECTION_LEVEL = 2;

/** The pieces of a document in their order, each with what stands above it. */
export function unitsOf(blocks: readonly Block[]): Unit[] {
  const units: Unit[] = [];
  const path: { readonly level: number; readonly title: string }[] = [];
  let section = 0;
  for (const block of labelNotes(blocks).filter(isRunning)) {
    if (block.type === 'heading') {
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, title: textOf(block.spans).replaceAll(/\s+/g, ' ').trim() });
      if (block.level <= SECTION_LEVEL) section++;
    }
    const text = blockMarkdown(block);
    if (text.trim() === '') continue;
    const kind = block.type === 'heading' || block.type === 'table' ? block.type : 'text';
    const base = { pages: pagesOf(block), headings: path.map(({ title }) => title), section };
    if (block.type === 'list') for (const item of listItemTexts(block)) units.push({ ...base, kind, text: item });
    else units.push({ ...base, kind, text, ...(block.type === 'table' ? { table: block } : {}) });
  }
  return units;
}
