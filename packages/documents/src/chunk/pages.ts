import type { Block } from '../document.ts';

/** The first and the last page of something. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** From the first page of all to the last; null where none has any. */
export function mergePageRanges(all: readonly (PageRange | null)[]): PageRange | null {
  let joined: PageRange | null = null;
  for (const pages of all)
    if (pages !== null)
      joined =
        joined === null
          ? pages
          : { first: Math.min(joined.first, pages.first), last: Math.max(joined.last, pages.last) };
  return joined;
}

/** The pages that a block stands on, with all that is within it; null where it has none. */
export function pagesOf(block: Block): PageRange | null {
  const own = block.page === null ? null : { first: block.page, last: block.page };
  const inner =
    block.type === 'table' ? block.cells.flatMap(({ blocks }) => blocks) : 'blocks' in block ? block.blocks : [];
  return inner.length === 0 ? own : mergePageRanges([own, ...inner.map(pagesOf)]);
}
