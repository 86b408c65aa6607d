import type { Picture } from '../../document.ts';
import { append } from '../../package/append.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { fewWords } from '../hwp/object.ts';
import { pageOf, placeWithin, type Item, type Place } from '../hwp/session.ts';
import { withDescription, MAX_INLINE_FRAME_LETTERS, inReadingOrder, type Part } from '../hwp/shapes.ts';
import { noContent, type ControlContent } from '../hwp/control-content.ts';
import { paragraphsOf, readCaption, readFrame } from './frame.ts';
import { integerOf } from './header.ts';
import { shapeElements } from './inline.ts';
import type { Session } from './session.ts';

const pictureItem = (session: Session, place: Place, facts: Omit<Picture, 'type' | 'page'>): Item => ({
  kind: 'block',
  block: { type: 'image', page: pageOf(session, place), ...facts },
});

function chartItem(element: XmlElement, session: Session, place: Place): Item {
  const part = attributeOf(element, 'chartIDRef') ?? attributeOf(element, 'binaryItemIDRef') ?? '';
  const words = session.charts.get(part) ?? session.charts.get(`Contents/${part}`) ?? {};
  session.budget.text(words.text?.length ?? 0);
  return pictureItem(session, place, words);
}

/** The parts of a drawing, in the order that the file has them. */
function readParts(element: XmlElement, session: Session, place: Place): Part[] {
  if (!session.budget.mayNest(place.depth + 1)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    return [];
  }
  const offset = childOf(element, 'hp:offset');
  const size = childOf(element, 'hp:curSz');
  const height = integerOf(size, 'height') || integerOf(childOf(element, 'hp:orgSz'), 'height');
  // Offsets left of the group's own are written as numbers without a sign.
  const own = { x: integerOf(offset, 'x') | 0, y: integerOf(offset, 'y') | 0, height };
  const parts: Part[] = [];
  const inside = placeWithin(place, 'box', true);
  const words = paragraphsOf(childOf(element, 'hp:drawText'));
  if (words.length > 0) parts.push({ ...own, items: session.list(words, inside) });
  const { name } = element;
  if (name === 'hp:pic' || name === 'hp:video') parts.push({ ...own, items: [pictureItem(session, place, {})] });
  else if (name === 'hp:chart' || name === 'hp:ole')
    parts.push({ ...own, items: [chartItem(element, session, place)] });
  else if (name === 'hp:textart') {
    const text = (attributeOf(element, 'text') ?? '').trim();
    session.budget.text(text.length);
    const spans = [{ text }];
    if (text !== '')
      parts.push({
        ...own,
        items: [{ kind: 'block', block: { type: 'paragraph', page: pageOf(session, place), spans } }],
      });
  }
  for (const child of childrenOf(element))
    if (shapeElements.has(child.name)) append(parts, readParts(child, session, inside));
  return parts.filter(({ items }) => items.length > 0);
}

/** Reads a drawing: pictures, frames with text, groups of them, charts. */
export function readShape(element: XmlElement, session: Session, place: Place): ControlContent {
  const frame = readFrame(element, session);
  const caption = readCaption(element, session, place);
  const ordered = inReadingOrder(readParts(element, session, place)).flatMap(({ items }) => items);
  const pictured = ordered.some((item) => item.kind === 'block' && item.block.type === 'image');
  const said = caption.spans.length > 0 ? caption.spans : undefined;
  const items = withDescription(ordered, frame.description, said);
  // The caption of a drawing without a picture is a paragraph of its own.
  if (!pictured && said !== undefined)
    items.push({ kind: 'block', block: { type: 'paragraph', page: pageOf(session, place), spans: said } });
  append(
    items,
    caption.rest.map((block): Item => ({ kind: 'block', block })),
  );
  if (items.length === 0) return noContent;
  return {
    kind: 'objects',
    items,
    splits: frame.alone && !pictured && items.length > 1,
    words: frame.inline && said === undefined ? fewWords(items, MAX_INLINE_FRAME_LETTERS) : null,
    top: frame.top,
    place: frame.place,
  };
}
