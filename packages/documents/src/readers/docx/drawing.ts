import { type ListItem, type Picture, textOf } from '../../document.ts';
import { append } from '../../package/append.ts';
import type { DiagramWords } from '../../package/diagram.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import { countInnerBlocks } from '../lost-letters.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { connectedShapes } from './connections.ts';
import type { Story } from './reading.ts';

/** Newer drawings that are read in their older form only: charts of 2016, ink, models in space. */
const unread = /^(?:cx\d*|aink|am3d)$/;

/** Of several forms of the same thing the newest that is read. */
export function chosenOf(alternate: XmlElement): XmlElement | undefined {
  for (const choice of childrenOf(alternate, 'mc:Choice')) {
    if (!unread.test(attributeOf(choice, 'Requires') ?? '')) return choice;
  }
  return childOf(alternate, 'mc:Fallback');
}

type ReadBox = (content: XmlElement, story: Story) => readonly FlowItem[];

/** Pictures, charts and boxes of text within a drawing, in their order. */
export function readDrawing(drawing: XmlElement, story: Story, readBox: ReadBox): readonly FlowItem[] {
  const items: FlowItem[] = [];
  const page = story.isBody ? story.reading.pages.current() : null;
  /** Words that stand in the file once, as a list of who stands below whom. */
  const again = (list: readonly ListItem[]): void => {
    for (const { marker, spans } of list) story.reading.letters.held(`${marker} ${textOf(spans)}`);
    items.push({ type: 'list', page, source: story.part, items: list });
  };
  const picture = (alt: string | undefined, { outline, ...words }: DiagramWords = {}): void => {
    if (story.isBody) story.reading.pages.sawContent();
    const given = alt?.trim();
    const image: Picture = {
      type: 'image',
      page,
      source: story.part,
      ...(given ? { alt: given } : {}),
      ...words,
    };
    items.push(image);
    if (outline !== undefined) again(outline);
  };
  const graphic = (id: string | undefined, alt: string | undefined): void => {
    const target = story.relations.get(id ?? '')?.target;
    picture(alt, target === undefined ? undefined : story.reading.graphic(target));
  };
  /** A document that the frame shows; shown again it is the picture before it alone. */
  const embedded = (id: string | undefined): void => {
    const target = story.relations.get(id ?? '')?.target ?? '';
    const blocks = story.reading.embedded(target);
    countInnerBlocks(story.reading.letters, blocks);
    for (const block of blocks) items.push({ ...block, page });
  };
  const walk = (element: XmlElement, alt: string | undefined): void => {
    for (const child of childrenOf(element)) {
      const { name, attributes } = child;
      if (name === 'mc:AlternateContent') {
        const chosen = chosenOf(child);
        if (chosen !== undefined) walk(chosen, alt);
      } else if (name === 'w:txbxContent') append(items, readBox(child, story));
      else if (name === 'a:blip' || name === 'v:imagedata') picture(alt ?? attributes['o:title']);
      else if (name === 'o:OLEObject') embedded(attributes['r:id']);
      else if (name === 'c:chart') graphic(attributes['r:id'], alt);
      else if (name === 'dgm:relIds') graphic(attributes['r:dm'], alt);
      else if (name === 'v:textpath') {
        const text = attributes['string'] ?? '';
        if (text !== '') items.push({ type: 'line', spans: [{ text }], page, source: story.part });
      } else walk(child, attributes['alt'] ?? alt);
    }
  };
  for (const frame of childrenOf(drawing)) {
    // The frame of DrawingML names its picture beside it.
    const properties = childOf(frame, 'wp:docPr');
    const alt = attributeOf(properties, 'descr') || attributeOf(properties, 'title');
    if (properties === undefined) walk({ name: '', attributes: {}, children: [frame] }, alt);
    else walk(frame, alt);
    for (const list of connectedShapes(frame)) again(list);
  }
  return items;
}
