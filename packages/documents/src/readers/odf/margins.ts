import { type Margin, textOf } from '../../document.ts';
import { assembleFlow } from '../../package/flow.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement, type XmlNode } from '../../package/xml.ts';
import { countBlocks } from '../lost-letters.ts';
import { type Reading, deeper } from './reading.ts';
import { blocksWithin, readShape } from './text.ts';

const mastersOf = (styles: XmlElement | null): Generator<XmlElement> =>
  childrenOf(childOf(styles ?? undefined, 'office:master-styles'), 'style:master-page');

/** Margins, each that says something else once. */
const distinct = (margins: readonly Margin[]): Margin[] => [
  ...new Map(margins.map((margin) => [JSON.stringify(margin), margin])).values(),
];

/** Headers or footers of the pages of a text. */
export function marginBlocks(styles: XmlElement | null, type: Margin['type'], reading: Reading): Margin[] {
  const found: Margin[] = [];
  for (const master of mastersOf(styles)) {
    for (const name of [`style:${type}`, `style:${type}-left`, `style:${type}-first`]) {
      const element = childOf(master, name);
      const blocks = element === undefined ? [] : deeper(reading, () => blocksWithin(element, reading), []);
      // Counted here, as pages that share one have it once.
      countBlocks(reading.letters, blocks);
      if (blocks.length > 0) found.push({ type, page: null, blocks });
    }
  }
  return distinct(found);
}

const field =
  /^text:(?:sheet-name|page-number|page-count|page-continuation|title|file-name|date|time|subject|author-name)$/;

/** What stands in the place of fields is written when the sheet is printed. */
const withoutFields = (element: XmlElement): XmlElement => ({
  ...element,
  children: element.children.flatMap((child): XmlNode[] =>
    typeof child === 'string' ? [child] : field.test(child.name) ? [] : [withoutFields(child)],
  ),
});

const holdsField = (element: XmlElement): boolean =>
  [...childrenOf(element)].some((child) => field.test(child.name) || holdsField(child));

/** Paragraphs of a header or footer, those of its left, middle and right. */
function* paragraphsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    if (child.name === 'text:p') yield child;
    else yield* paragraphsOf(child);
  }
}

/** Headers or footers of the sheets that are printed; none that says nothing but a number, a name or a date, with one word at most. */
export function sheetMargins(
  styles: XmlElement | null,
  type: Margin['type'],
  used: ReadonlySet<string>,
  reading: Reading,
): Margin[] {
  const found: Margin[] = [];
  for (const master of mastersOf(styles)) {
    if (!used.has(attributeOf(master, 'style:name') ?? '')) continue;
    for (const name of [`style:${type}`, `style:${type}-left`, `style:${type}-first`]) {
      const element = childOf(master, name);
      if (element === undefined || attributeOf(element, 'style:display') === 'false') continue;
      const paragraphs = [...paragraphsOf(element)].filter((paragraph) => {
        const words = innerText(withoutFields(paragraph)).match(/\p{L}+/gu)?.length ?? 0;
        return words > (holdsField(paragraph) ? 1 : 0);
      });
      const children = paragraphs.map(withoutFields);
      const blocks = deeper(reading, () => blocksWithin({ ...element, children }, reading), []);
      if (blocks.length > 0) found.push({ type, page: null, blocks });
    }
  }
  return distinct(found);
}

/** Frames of a master page that each slide fills for itself. */
const filled = new Set(['title', 'subtitle', 'outline', 'notes', 'date-time', 'page-number', 'page', 'handout']);

/** What slides show beside their own text: the words of their headers and footers, and those of the master pages that they use. */
export function slideMargins(styles: XmlElement | null, presentation: XmlElement, reading: Reading): Margin[] {
  const slides = [...childrenOf(presentation, 'draw:page')];
  const used = (name: string) => new Set(slides.map((slide) => attributeOf(slide, name) ?? ''));
  const found: Margin[] = [];
  for (const type of ['header', 'footer'] as const) {
    const names = used(`presentation:use-${type}-name`);
    for (const words of childrenOf(presentation, `presentation:${type}-decl`)) {
      const text = innerText(words).trim();
      if (text === '' || !names.has(attributeOf(words, 'presentation:name') ?? '')) continue;
      reading.budget.text(text.length);
      found.push({ type, page: null, blocks: [{ type: 'paragraph', page: null, spans: [{ text }] }] });
    }
  }
  const masters = used('draw:master-page-name');
  for (const master of mastersOf(styles)) {
    if (!masters.has(attributeOf(master, 'style:name') ?? '')) continue;
    const shapes = [...childrenOf(master)].filter(
      (shape) =>
        attributeOf(shape, 'presentation:placeholder') !== 'true' &&
        !filled.has(attributeOf(shape, 'presentation:class') ?? ''),
    );
    const blocks = assembleFlow(shapes.flatMap((shape) => readShape(shape, reading))).filter(
      (block) => block.type === 'paragraph' && textOf(block.spans).trim() !== '',
    );
    if (blocks.length > 0) found.push({ type: 'footer', page: null, blocks });
  }
  return distinct(found);
}
