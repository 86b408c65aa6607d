import { i32At, u16At, u32At } from '../hwp/bytes.ts';
import { type Frame, type TextShape, frameXml } from './frames.ts';
import { tableXml } from './tables.ts';
import { type PptRecord, findRecord, recordsIn, types } from './records.ts';
import { type SlideText, paragraphsXml, textKinds, textsOf } from './text.ts';

const PICTURE_FRAME = 75;
const TABLE_PROPERTIES = 0x039f;
const PROPERTY_BYTES = 6;
/** Groups within each other. */
const MAX_GROUP_DEPTH = 16;

/** Kinds of placeholders of what all slides repeat, by their number. Source: MS-PPT 2.13.21. */
const marginKinds: ReadonlyMap<number, string> = new Map([
  [7, 'dt'],
  [8, 'sldNum'],
  [9, 'ftr'],
  [10, 'hdr'],
]);

const signedAt = (bytes: Uint8Array, at: number): number => (u16At(bytes, at) << 16) >> 16;

const noFrame: Frame = { left: 0, top: 0, right: 0, bottom: 0 };
/** Where texts are read last. */
const belowAll: Frame = { left: 0, top: 30_000, right: 1_000, bottom: 30_100 };

/** Where a shape stands: on its slide, or within its group. */
function anchorOf(shape: PptRecord): Frame | null {
  const child = findRecord(shape, types.childAnchor)?.bytes;
  if (child !== undefined)
    return { left: i32At(child, 0), top: i32At(child, 4), right: i32At(child, 8), bottom: i32At(child, 12) };
  const client = findRecord(shape, types.clientAnchor)?.bytes;
  if (client === undefined) return null;
  const at =
    client.length >= 16 ? (place: number) => i32At(client, place * 4) : (place: number) => signedAt(client, place * 2);
  return { top: at(0), left: at(1), right: at(2), bottom: at(3) };
}

/** How places within a group become places on the slide. */
type ToSlide = (frame: Frame) => Frame;

function groupPlaces(head: PptRecord, toSlide: ToSlide): ToSlide {
  const bounds = findRecord(head, types.groupBounds)?.bytes;
  const own = anchorOf(head);
  if (bounds === undefined || own === null) return toSlide;
  const place = toSlide(own);
  const [left, top] = [i32At(bounds, 0), i32At(bounds, 4)];
  const [width, height] = [i32At(bounds, 8) - left, i32At(bounds, 12) - top];
  if (width <= 0 || height <= 0) return toSlide;
  const x = (value: number) => place.left + ((value - left) * (place.right - place.left)) / width;
  const y = (value: number) => place.top + ((value - top) * (place.bottom - place.top)) / height;
  return (frame) => ({ left: x(frame.left), top: y(frame.top), right: x(frame.right), bottom: y(frame.bottom) });
}

function isTable(head: PptRecord): boolean {
  const more = findRecord(head, types.moreProperties);
  if (more === null) return false;
  for (
    let at = 0;
    at + PROPERTY_BYTES <= more.bytes.length && at < more.instance * PROPERTY_BYTES;
    at += PROPERTY_BYTES
  )
    if ((u16At(more.bytes, at) & 0x3fff) === TABLE_PROPERTIES) return (u32At(more.bytes, at + 2) & 1) !== 0;
  return false;
}

function placeholderOf(text: SlideText, shape: PptRecord): string {
  const number = findRecord(findRecord(shape, types.clientData), types.placeholder)?.bytes[4] ?? 0;
  const margin = marginKinds.get(number);
  if (margin !== undefined) return margin;
  if (text.kind === textKinds.title || text.kind === textKinds.centredTitle) return 'title';
  if (text.kind === textKinds.centredBody) return 'subTitle';
  return text.kind === textKinds.other ? '' : 'body';
}

/** Writes the shapes of a slide as those of PresentationML. */
export class ShapeWriter {
  /** Texts of the outline, each for one shape. */
  readonly #outline: (SlideText | null)[];

  constructor(outline: readonly SlideText[]) {
    this.#outline = [...outline];
  }

  /** All shapes of a drawing. */
  shapes(drawing: PptRecord | null): string {
    const container = findRecord(drawing, types.drawingContainer);
    return this.#group(findRecord(container, types.group), (frame) => frame, 0);
  }

  /** Texts of the outline that no shape shows. */
  rest(): string {
    return this.#outline
      .map((text, at) => (text === null ? '' : this.#textShape(`rest-${at}`, belowAll, text, '')))
      .join('');
  }

  #group(group: PptRecord | null, toSlide: ToSlide, depth: number): string {
    if (group === null || depth > MAX_GROUP_DEPTH) return '';
    const parts: string[] = [];
    let head: PptRecord | null = null;
    let places = toSlide;
    /** Its shapes, where it is a table. */
    let asTable: TextShape[] | null = null;
    for (const record of recordsIn(group.bytes)) {
      if (record.type === types.group) parts.push(this.#group(record, places, depth + 1));
      else if (record.type === types.shape && head === null) {
        // The first stands for the group itself.
        head = record;
        places = depth === 0 ? toSlide : groupPlaces(record, toSlide);
        if (depth > 0 && isTable(record)) asTable = [];
      } else if (record.type === types.shape && asTable !== null) {
        const frame = anchorOf(record);
        if (frame !== null) asTable.push({ frame: places(frame), text: this.#textOf(record) });
      } else if (record.type === types.shape) parts.push(this.#shape(record, places));
    }
    if (asTable !== null) parts.push(tableXml(asTable));
    return parts.join('');
  }

  #textOf(shape: PptRecord): SlideText | null {
    const box = findRecord(shape, types.clientTextbox);
    if (box === null) return null;
    const reference = findRecord(box, types.outlineReference);
    if (reference !== null) {
      const at = u32At(reference.bytes, 0);
      const text = this.#outline[at] ?? null;
      if (text !== null) this.#outline[at] = null;
      return text;
    }
    return textsOf(recordsIn(box.bytes))[0] ?? null;
  }

  #shape(shape: PptRecord, places: ToSlide): string {
    const atom = findRecord(shape, types.shapeAtom);
    const frame = places(anchorOf(shape) ?? noFrame);
    const id = String(atom === null ? 0 : u32At(atom.bytes, 0));
    const text = this.#textOf(shape);
    if (text !== null && text.text.trim() !== '') return this.#textShape(id, frame, text, placeholderOf(text, shape));
    if (atom?.instance !== PICTURE_FRAME) return '';
    return `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name=""/></p:nvPicPr><p:spPr>${frameXml(frame)}</p:spPr></p:pic>`;
  }

  #textShape(id: string, frame: Frame, text: SlideText, kind: string): string {
    const placeholder = kind === '' ? '' : `<p:ph type="${kind}"/>`;
    const about = `<p:nvSpPr><p:cNvPr id="${id}" name=""/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>`;
    return `<p:sp>${about}<p:spPr>${frameXml(frame)}</p:spPr><p:txBody>${paragraphsXml(text)}</p:txBody></p:sp>`;
  }
}
