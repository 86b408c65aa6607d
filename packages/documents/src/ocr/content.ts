import { replaceBoxes } from '../boxes.ts';
import type { Block } from '../document.ts';
import type { PageContent } from '../readers/pdf/content.ts';
import { type Rect, boxOf } from '../readers/pdf/geometry.ts';
import { type PageContext, partsOf } from '../readers/pdf/page.ts';
import type { Recognised, RecognisedPage } from './page.ts';
import { placeAsGiven } from './place.ts';

/** A recognised page as the pages of a PDF are read: columns, paragraphs, tables, what stands at the edges. */
export function recognisedContent(page: RecognisedPage, number: number, context: PageContext): PageContent {
  const { width, height, sheet, lie, glyphs, graphics } = page;
  context.countText(glyphs.length);
  const parts = partsOf(
    glyphs,
    graphics,
    { width, height, place: (x, y) => [x, y] },
    {
      joiner: context.joiner,
      linkOf: () => undefined,
      page: number,
      fills: [],
      levelOf: () => undefined,
      countCells: context.countCells,
      mayNest: context.mayNest,
      recognised: true,
    },
  );
  return {
    number,
    width: Math.round(sheet.width * 100) / 100,
    height: Math.round(sheet.height * 100) / 100,
    ...(lie === undefined ? {} : { lie }),
    letters: glyphs.filter(({ text }) => text !== ' ').length,
    recognised: true,
    damaged: false,
    ...parts,
  };
}

/** Mean confidence of the text within a rectangle, weighted by letters; undefined where there is none. */
function confidenceIn(rect: Rect, stretches: readonly Recognised[]): number | undefined {
  let [sum, letters] = [0, 0];
  for (const one of stretches) {
    const [x, y] = [(one.x0 + one.x1) / 2, (one.y0 + one.y1) / 2];
    if (x < rect.x0 - 1 || x > rect.x1 + 1 || y < rect.y0 - 1 || y > rect.y1 + 1) continue;
    sum += one.confidence * one.letters;
    letters += one.letters;
  }
  return letters === 0 ? undefined : Math.round((sum / letters) * 100) / 100;
}

/** The blocks with the confidence of their text, on pages that were recognised. */
export function withConfidence(
  blocks: readonly Block[],
  pages: ReadonlyMap<number, readonly Recognised[]>,
): readonly Block[] {
  if (pages.size === 0) return blocks;
  const inner = <One extends { readonly blocks: readonly Block[] }>(one: One): One => ({
    ...one,
    blocks: withConfidence(one.blocks, pages),
  });
  return blocks.map((block) => {
    const stretches = block.page === null ? undefined : pages.get(block.page);
    const { box } = block;
    const found =
      stretches === undefined || box === undefined
        ? undefined
        : confidenceIn({ x0: box.x, y0: box.y, x1: box.x + box.width, y1: box.y + box.height }, stretches);
    const known: Block = found === undefined ? block : { ...block, confidence: found };
    if (known.type === 'table') return { ...known, cells: known.cells.map(inner) };
    return known.type === 'footnote' || known.type === 'header' || known.type === 'footer' ? inner(known) : known;
  });
}

/** The blocks with their boxes where they lie on the pages as these are shown; `scaleOf` enlarges those of a page. */
export function onShownPages(
  blocks: readonly Block[],
  contents: readonly PageContent[],
  scaleOf: (page: number) => number = () => 1,
): readonly Block[] {
  const pages = new Map(contents.map((content) => [content.number, content]));
  return replaceBoxes(blocks, ({ x, y, width, height }, page) => {
    const rect = { x0: x, y0: y, x1: x + width, y1: y + height };
    const lie = pages.get(page)?.lie;
    const { x0, y0, x1, y1 } = lie === undefined ? rect : placeAsGiven(rect, lie);
    const scale = scaleOf(page);
    return boxOf({ x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale });
  });
}
