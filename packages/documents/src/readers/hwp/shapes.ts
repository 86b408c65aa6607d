import type { Picture } from '../../document.ts';
import { createCursor, i32At, u16At } from './bytes.ts';
import { readChart } from './chart.ts';
import type { ControlContent } from './control-content.ts';
import { fewWords, paragraphLists, readCaption, readFrame, topInBody } from './object.ts';
import type { Control } from './paragraph.ts';
import { recordTags } from './records.ts';
import type { TreeRecord } from './records.ts';
import { pageOf, placeWithin } from './session.ts';
import type { Item, Place, Session } from './session.ts';
import { append } from '../../package/append.ts';

/** What one part of a drawing holds, and where it stands within the drawing. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly items: readonly Item[];
}

/** A frame of so few letters in a line is read as a part of the line. */
export const MAX_INLINE_FRAME_LETTERS = 40;
const WORD_ART_TEXT_OFFSET = 32;

const pictureItem = (session: Session, place: Place, facts: Omit<Picture, 'type' | 'page'>): Item => ({
  kind: 'block',
  block: { type: 'image', page: pageOf(session, place), ...facts },
});

const readArt = (record: TreeRecord, session: Session, place: Place): Item[] => {
  const text = createCursor(record.data, WORD_ART_TEXT_OFFSET).text().trim();
  session.budget.text(text.length);
  return text === ''
    ? []
    : [{ kind: 'block', block: { type: 'paragraph', page: pageOf(session, place), spans: [{ text }] } }];
};

const readEmbedded = (record: TreeRecord, session: Session, place: Place): Item[] => {
  const item = session.info.binItems[u16At(record.data, 12) - 1];
  const words = item === undefined ? {} : readChart(session.container, item.name);
  session.budget.text(words.text?.length ?? 0);
  return [pictureItem(session, place, words)];
};

/** The parts of a drawing, in the order that the file has them. */
const readParts = (component: TreeRecord, session: Session, place: Place, outermost: boolean): Part[] => {
  if (!session.budget.mayNest(place.depth + 1)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    return [];
  }
  // The outermost component bears its kind twice.
  const at = outermost ? 8 : 4;
  const own = {
    x: i32At(component.data, at),
    y: i32At(component.data, at + 4),
    height: i32At(component.data, at + 24),
  };
  const parts: Part[] = [];
  const inside = placeWithin(place, 'box', true);
  for (const list of paragraphLists(component.children))
    parts.push({ ...own, items: session.list(list.records, inside) });
  for (const child of component.children) {
    if (child.tag === recordTags.picture) parts.push({ ...own, items: [pictureItem(session, place, {})] });
    else if (child.tag === recordTags.ole) parts.push({ ...own, items: readEmbedded(child, session, place) });
    else if (child.tag === recordTags.textArt) parts.push({ ...own, items: readArt(child, session, place) });
    else if (child.tag === recordTags.shapeComponent) append(parts, readParts(child, session, inside, false));
  }
  return parts.filter(({ items }) => items.length > 0);
};

/** From top to bottom; parts that begin at about the same height go from left to right. */
export const inReadingOrder = (parts: readonly Part[]): Part[] => {
  const byTop = parts.toSorted((a, b) => a.y - b.y);
  const rows: Part[][] = [];
  for (const part of byTop) {
    const row = rows.at(-1);
    if (row !== undefined && part.y < row[0]!.y + Math.max(0, row[0]!.height) / 2) row.push(part);
    else rows.push([part]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.x - b.x));
};

/** Puts the author's words and the caption to the picture that they are about. */
export const withDescription = (items: readonly Item[], description: string, caption: Picture['caption']): Item[] => {
  const index = items.findIndex((item) => item.kind === 'block' && item.block.type === 'image');
  return items.map((item, at): Item => {
    if (at !== index || item.kind !== 'block' || item.block.type !== 'image') return item;
    const block: Picture = {
      ...item.block,
      ...(description === '' ? {} : { alt: description }),
      ...(caption === undefined ? {} : { caption }),
    };
    return { kind: 'block', block };
  });
};

/** Reads a drawing: pictures, frames with text, groups of them, embedded objects. */
export const readShape = (control: Control, session: Session, place: Place): ControlContent => {
  const frame = readFrame(control.data);
  const begin = control.children.findIndex(({ tag }) => tag === recordTags.shapeComponent);
  const component = control.children[begin];
  if (component === undefined) return { kind: 'nothing' };
  const parts = readParts(component, session, place, true);
  const [captionList] = begin > 0 ? paragraphLists(control.children.slice(0, begin)) : [];
  const caption = readCaption(captionList, session, place);
  const ordered = inReadingOrder(parts).flatMap(({ items }) => items);
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
  if (items.length === 0) return { kind: 'nothing' };
  return {
    kind: 'objects',
    items,
    splits: frame.alone && !pictured && items.length > 1,
    words: frame.inline && said === undefined ? fewWords(items, MAX_INLINE_FRAME_LETTERS) : null,
    top: topInBody(frame, session),
    place: frame.place,
  };
};
