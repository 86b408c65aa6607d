import type { Block } from '../../document.ts';
import type { OfficePackage } from '../../package/office.ts';
import { PROGRAM } from '../../write/options.ts';
import { childOf, innerText } from '../../package/xml.ts';

export interface PageCounter {
  /** Of what comes next, as far as breaks tell. */
  readonly current: () => number;
  /** A break that the author made: a new page, also where the one before is empty. */
  readonly breakPage: () => void;
  /** What comes next stands at the top of a page. */
  readonly beginPage: () => void;
  /** A page that began here when the file was last shown. */
  readonly sawPage: () => void;
  /** Something stands on the page. */
  readonly sawContent: () => void;
}

/** Counts by the breaks that the author made, and by those that the program remembered: both tell of the same page's beginning. */
export function createPageCounter(onPage: (page: number) => void): PageCounter {
  let page = 1;
  let fresh = true;
  const next = (): void => onPage(++page);
  return {
    current: () => page,
    breakPage: () => {
      next();
      fresh = true;
    },
    beginPage: () => {
      if (!fresh) next();
      fresh = true;
    },
    sawPage: () => {
      if (!fresh) next();
      fresh = false;
    },
    sawContent: () => {
      fresh = false;
    },
  };
}

/** What is known of how many pages a document has. */
export interface DeclaredPages {
  /** Word remembered where its pages began. */
  readonly remembered: boolean;
  /** The file says all its headings itself: it was written here. */
  readonly outlined: boolean;
  /** As the file says; null where it says nothing that can be believed. */
  readonly count: number | null;
}

const asText = (main: Uint8Array): string =>
  Buffer.from(main.buffer, main.byteOffset, main.byteLength).toString('latin1');

export async function declaredPages(office: OfficePackage, main: Uint8Array): Promise<DeclaredPages> {
  const root = (await office.tree('docProps/app.xml')) ?? undefined;
  const countOf = (name: string): number => Number(innerText(childOf(root, name)));
  // Programs that copy an empty document leave its one page standing there, and its count of letters.
  const count = countOf('ep:Pages') > 0 && countOf('ep:Characters') > 0 ? countOf('ep:Pages') : null;
  const outlined = innerText(childOf(root, 'ep:Application')) === PROGRAM;
  return { outlined, remembered: asText(main).includes('lastRenderedPageBreak'), count };
}

/** Letters of usual size that fill a page. */
const FULL_PAGE_LETTERS = 4_000;

/** How far counted pages can be believed: `guess` where the author's breaks alone tell them, and no more text stands between those than on pages. */
export function trustOf(
  { remembered, count }: Omit<DeclaredPages, 'outlined'>,
  counted: number,
  characters: number,
): 'known' | 'guess' | 'unknown' {
  if (remembered || count === counted) return 'known';
  return count === null && counted > 1 && characters <= counted * FULL_PAGE_LETTERS ? 'guess' : 'unknown';
}

/**
 * How many pages a document has whose pages are not known: what the file says, else at least those that breaks begin and those that its
 * letters fill. `limit` is what a document may have.
 */
export const countedAs = ({ count }: DeclaredPages, counted: number, characters: number, limit: number): number =>
  Math.min(limit, count ?? Math.max(counted, Math.ceil(characters / FULL_PAGE_LETTERS)));

const sectionParts =
  /<(?:\w+:)?(sectPr|sectPrChange)\b[^<>]{0,1000}?(\/?)>|<(\/)(?:\w+:)?(sectPr|sectPrChange)>|<(?:\w+:)?type\b[^<>]{0,200}?\bval="(\w+)"/g;

/** True when each section begins on a new page, in their order: what says so stands at the end of each. */
export function sectionStarts(main: Uint8Array): readonly boolean[] {
  const starts: boolean[] = [];
  let open = false;
  let changed = false;
  for (const [, name, empty, closing, closed, type] of asText(main).matchAll(sectionParts)) {
    if ((closing === '/' ? closed : name) === 'sectPrChange') changed = closing !== '/' && empty !== '/';
    else if (closing === '/') open = false;
    else if (name === 'sectPr' && !changed) {
      open = empty !== '/';
      starts.push(true);
    } else if (type !== undefined && open && !changed)
      starts[starts.length - 1] = !/^(?:continuous|nextColumn)$/.test(type);
  }
  return starts;
}

/** Blocks, and those within them, whose pages are not known. */
export function withoutPages(blocks: readonly Block[]): Block[] {
  return blocks.map((block): Block => {
    if (block.type === 'table') {
      const cells = block.cells.map((cell) => ({ ...cell, blocks: withoutPages(cell.blocks) }));
      return { ...block, page: null, cells };
    }
    if ('blocks' in block) return { ...block, page: null, blocks: withoutPages(block.blocks) };
    return { ...block, page: null };
  });
}
