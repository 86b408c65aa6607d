import type { Block, Box, ListItem, Span, TableCell } from './document.ts';

/** Where a box of a page comes to lie. */
export type Placing = (box: Box, page: number) => Box;

const boxed = <One extends { readonly box?: Box }>(one: One, page: number | null, place: Placing): One =>
  one.box === undefined || page === null ? one : { ...one, box: place(one.box, page) };

const spansOf = (spans: readonly Span[], page: number | null, place: Placing): readonly Span[] =>
  spans.some(({ field }) => field?.box !== undefined)
    ? spans.map((span) => (span.field === undefined ? span : { ...span, field: boxed(span.field, page, place) }))
    : spans;

/** Blocks with every box of theirs (of cells, of fields, and of what lies within them) where `place` puts it. */
export function replaceBoxes(blocks: readonly Block[], place: Placing): Block[] {
  return blocks.map((given): Block => {
    const block = boxed(given, given.page, place);
    switch (block.type) {
      case 'heading':
      case 'paragraph':
        return { ...block, spans: spansOf(block.spans, block.page, place) };
      case 'list':
        return {
          ...block,
          items: block.items.map((item): ListItem => ({ ...item, spans: spansOf(item.spans, block.page, place) })),
        };
      case 'table':
        return {
          ...block,
          cells: block.cells.map((cell): TableCell => ({
            ...boxed(cell, cell.page ?? block.page, place),
            blocks: replaceBoxes(cell.blocks, place),
          })),
        };
      case 'footnote':
      case 'header':
      case 'footer':
        return { ...block, blocks: replaceBoxes(block.blocks, place) };
      default:
        return block;
    }
  });
}
