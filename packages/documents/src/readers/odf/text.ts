import { type Block, type Note, type Span, textOf } from '../../document.ts';
import { append } from '../../package/append.ts';
import { assembleFlow } from '../../package/flow.ts';
import type { FlowItem, Line, Mark } from '../../package/flow-items.ts';
import { joinAlikeSpans, trimSpans } from '../../package/spans.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { fieldSpan } from '../../text/form-fields.ts';
import { objectIn } from './objects.ts';
import { type Reading, deeper } from './reading.ts';
import type { Looks } from './styles.ts';
import { readTable } from './table.ts';

/** Blanks of one element; more are a mistake. */
const MAX_BLANKS = 1_000;

interface Building {
  readonly reading: Reading;
  readonly spans: Span[];
  /** Pictures, frames and notes; they follow the paragraph. */
  readonly after: FlowItem[];
  readonly base: Looks;
  letters: number;
  bold: number;
}

function addText({ reading, spans, base }: Building, text: string, looks: Looks, link: string | undefined): number {
  if (text === '') return 0;
  if (looks.hidden === true) {
    reading.letters.seen(text);
    return 0;
  }
  reading.budget.text(text.length);
  spans.push({
    text,
    // What the style of the paragraph makes bold as a whole does not stand out.
    ...(looks.bold && !base.bold ? { bold: true } : {}),
    ...(looks.italic && !base.italic ? { italic: true } : {}),
    ...(looks.strike ? { strike: true } : {}),
    ...(looks.script === undefined ? {} : { script: looks.script }),
    ...(link === undefined ? {} : { link }),
  });
  return text.trim().length;
}

export function noteOf(element: XmlElement, kind: Note['kind'], reading: Reading): Note {
  const count = (reading.noteCounts.get(kind) ?? 0) + 1;
  reading.noteCounts.set(kind, count);
  const marker = innerText(childOf(element, 'text:note-citation')).trim();
  const author = innerText(childOf(element, 'dc:creator')).trim();
  const inside = kind === 'comment' ? element : (childOf(element, 'text:note-body') ?? element);
  return {
    type: 'footnote',
    kind,
    id: `${kind}-${count}`,
    page: reading.page,
    ...(marker === '' ? {} : { marker }),
    ...(author === '' ? {} : { author }),
    blocks: deeper(reading, () => blocksWithin(inside, reading), []),
  };
}

/** What stands in a frame: a text, a table, another document, or a picture with the words that its author gave. */
export function readFrame(frame: XmlElement, reading: Reading): readonly FlowItem[] {
  const words = ['svg:title', 'svg:desc'].map((name) => innerText(childOf(frame, name)).trim());
  const alt = words.filter((text) => text !== '').join('\n');
  const object = objectIn(frame);
  if (object !== undefined) {
    const found = reading.object(object);
    if (found?.kind === 'formula')
      return found.latex === ''
        ? []
        : [{ type: 'line', spans: [{ text: found.latex, math: true }], page: reading.page }];
    const items = found?.kind === 'document' ? deeper(reading, () => reading.document(found), []) : [];
    if (items.length > 0 && alt === '') return items;
    const words = found?.kind === 'chart' ? found.words : {};
    return [{ type: 'image', page: reading.page, ...(alt === '' ? {} : { alt }), ...words }, ...items];
  }
  for (const child of childrenOf(frame)) {
    if (child.name === 'draw:text-box') return deeper(reading, () => itemsWithin(child, reading), []);
    if (child.name === 'table:table') return deeper(reading, () => tableItems(child, reading), []);
    if (child.name === 'draw:image') return [{ type: 'image', page: reading.page, ...(alt === '' ? {} : { alt }) }];
  }
  return [];
}

/** Text within a shape that is drawn, and shapes that are grouped. */
export function readShape(shape: XmlElement, reading: Reading): readonly FlowItem[] {
  if (shape.name === 'draw:frame') return readFrame(shape, reading);
  if (shape.name === 'draw:g')
    return deeper(reading, () => [...childrenOf(shape)].flatMap((child) => readShape(child, reading)), []);
  return shape.name.startsWith('draw:') ? deeper(reading, () => itemsWithin(shape, reading), []) : [];
}

function inlineElement(building: Building, element: XmlElement, looks: Looks, link: string | undefined): void {
  const { reading } = building;
  const blank = (text: string) => addText(building, text, looks, link);
  switch (element.name) {
    case 'text:s':
      blank(
        ' '.repeat(Math.min(MAX_BLANKS, Math.max(1, Math.trunc(Number(attributeOf(element, 'text:c') ?? 1)) || 1))),
      );
      return;
    case 'text:tab':
      blank('\t');
      return;
    case 'text:line-break':
      blank('\n');
      return;
    case 'text:soft-page-break':
      if (reading.page !== null && reading.depth === 0) reading.page++;
      return;
    case 'text:note': {
      const kind = attributeOf(element, 'text:note-class') === 'endnote' ? 'endnote' : 'footnote';
      const note = noteOf(element, kind, reading);
      building.spans.push({ text: note.marker ?? '', note: note.id, script: 'super' });
      building.after.push(note);
      return;
    }
    case 'office:annotation':
      building.after.push(noteOf(element, 'comment', reading));
      return;
    case 'draw:frame':
      for (const item of readFrame(element, reading)) {
        // A formula is a part of its sentence.
        if (item.type === 'line' && item.spans.some(({ math }) => math === true)) append(building.spans, item.spans);
        else building.after.push(item);
      }
      return;
    case 'draw:control': {
      const field = reading.fields.get(attributeOf(element, 'draw:control') ?? '');
      if (field === undefined) return;
      // A text may show one field any number of times.
      const span = fieldSpan(field);
      reading.budget.text((field.options ?? []).reduce((sum, option) => sum + option.length, span.text.length));
      building.spans.push(span);
      return;
    }
    case 'text:ruby':
      inline(building, childOf(element, 'text:ruby-base') ?? element, looks, link);
      return;
    case 'text:a': {
      const target = attributeOf(element, 'xlink:href');
      inline(building, element, looks, target ?? link);
      return;
    }
    case 'text:span':
      inline(
        building,
        element,
        { ...looks, ...reading.styles.looks('text', attributeOf(element, 'text:style-name')) },
        link,
      );
      return;
    default:
      if (element.name.startsWith('draw:')) append(building.after, readShape(element, reading));
      // Elements of other formats are marks on the words within them.
      else if (/^(?:text|\?):/.test(element.name)) inline(building, element, looks, link);
  }
}

function inline(building: Building, element: XmlElement, looks: Looks, link: string | undefined): void {
  for (const child of element.children) {
    // White space of the file is one blank, as in HTML.
    if (typeof child !== 'string') {
      inlineElement(building, child, looks, link);
      continue;
    }
    const letters = addText(building, child.replaceAll(/[ \t\r\n]+/g, ' '), looks, link);
    building.letters += letters;
    if (looks.bold) building.bold += letters;
  }
}

const roles: Readonly<Record<string, NonNullable<Line['role']>>> = {
  title: 'title',
  제목: 'title',
  subtitle: 'subtitle',
  부제: 'subtitle',
  quotations: 'quote',
};

/** A paragraph or a heading, and what is anchored in it. */
function paragraphItems(element: XmlElement, reading: Reading, mark: Mark | null, inContents: boolean): FlowItem[] {
  const { styles } = reading;
  const name = attributeOf(element, 'text:style-name');
  if (reading.page !== null && reading.depth === 0 && styles.breaksBefore(name)) reading.page++;
  const base = styles.looks('paragraph', name);
  const building: Building = { reading, spans: [], after: [], base, letters: 0, bold: 0 };
  const page = reading.page;
  inline(building, element, base, undefined);
  const spans = joinAlikeSpans(building.spans);
  const level = Math.trunc(Number(attributeOf(element, 'text:outline-level') ?? 1)) || 1;
  const role = inContents ? 'contents' : roles[styles.named(name).toLowerCase()];
  const line: Line = {
    type: 'line',
    spans,
    page,
    ...(element.name === 'text:h' && spans.length > 0 ? { level } : {}),
    ...(mark === null ? {} : { mark }),
    ...(role === undefined ? {} : { role }),
    ...(base.size === undefined ? {} : { size: base.size }),
    ...(building.letters > 0 && building.bold === building.letters ? { bold: true } : {}),
  };
  return [line, ...building.after];
}

interface OpenList {
  readonly style: string;
  readonly level: number;
}

function listItems(list: XmlElement, reading: Reading, outer: OpenList | null, inContents: boolean): FlowItem[] {
  const level = outer === null ? 0 : outer.level + 1;
  const style = attributeOf(list, 'text:style-name') ?? outer?.style ?? '';
  const goesOn =
    attributeOf(list, 'text:continue-numbering') === 'true' || attributeOf(list, 'text:continue-list') !== undefined;
  reading.lists.begin(style, level, goesOn);
  const items: FlowItem[] = [];
  for (const item of childrenOf(list)) {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue;
    let marked = item.name === 'text:list-header';
    for (const child of childrenOf(item)) {
      if (child.name === 'text:list') append(items, listItems(child, reading, { style, level }, inContents));
      else if (child.name === 'text:p' || child.name === 'text:h') {
        const own = reading.styles.listOf(attributeOf(child, 'text:style-name'));
        const name = style === '' ? (own ?? '') : style;
        const mark = marked ? null : reading.lists.next(name, level);
        reading.budget.text(mark?.text.length ?? 0);
        append(items, paragraphItems(child, reading, mark, inContents));
        marked = true;
      } else append(items, bodyItems(child, reading, inContents));
    }
  }
  return items;
}

const tableItems = (element: XmlElement, reading: Reading): FlowItem[] => {
  const table = readTable(element, reading);
  return table === null ? [] : [table];
};

/** Elements that only hold others. */
const wrappers = new Set([
  'text:section',
  'text:index-body',
  'text:index-title',
  'office:text',
  'text:numbered-paragraph',
  'text:bibliography',
]);
const contents = new Set([
  'text:table-of-content',
  'text:illustration-index',
  'text:table-index',
  'text:alphabetical-index',
  'text:user-index',
  'text:object-index',
]);

/** What an element of a text holds. */
function bodyItems(element: XmlElement, reading: Reading, inContents: boolean): FlowItem[] {
  const { name } = element;
  if (name === 'text:p' || name === 'text:h') return paragraphItems(element, reading, null, inContents);
  if (name === 'text:list') return listItems(element, reading, null, inContents);
  if (name === 'table:table') return deeper(reading, () => tableItems(element, reading), []);
  if (name === 'text:soft-page-break') {
    if (reading.page !== null && reading.depth === 0) reading.page++;
    return [];
  }
  if (contents.has(name))
    return bodyItems(childOf(element, 'text:index-body') ?? { ...element, children: [] }, reading, true);
  if (wrappers.has(name)) return itemsWithin(element, reading, inContents);
  return name.startsWith('draw:') ? [...readShape(element, reading)] : [];
}

/** Items of all that stands in an element. */
export const itemsWithin = (element: XmlElement, reading: Reading, inContents = false): FlowItem[] =>
  [...childrenOf(element)].flatMap((child) => bodyItems(child, reading, inContents));

/** The same as blocks, without headings. */
export const blocksWithin = (element: XmlElement, reading: Reading): Block[] =>
  assembleFlow(itemsWithin(element, reading));

/** The paragraphs of a title in one line, and what is anchored in them; no spans where it holds more than lines, or nothing. */
export function titleSpans(
  box: XmlElement,
  reading: Reading,
): { readonly spans: readonly Span[]; readonly after: FlowItem[] } {
  const lines: Line[] = [];
  const after: FlowItem[] = [];
  for (const item of itemsWithin(box, reading)) {
    if (item.type !== 'line') after.push(item);
    else if (textOf(item.spans).trim() !== '') lines.push(item);
  }
  const spans = lines.flatMap((line, at) => [...(at === 0 ? [] : [{ text: ' ' }]), ...line.spans]);
  const inLine = spans.map((span) => ({ ...span, text: span.text.replaceAll(/\s+/gu, ' ') }));
  return { spans: trimSpans(inLine), after };
}
