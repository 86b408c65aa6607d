import type { Block, Margin, Note } from '../../document.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { equationToLatex } from '../hwp/equation/index.ts';
import { formatNumber } from '../hwp/number-formats.ts';
import { pageOf, placeWithin, type Item, type NoteKind, type Place } from '../hwp/session.ts';
import { noContent, objectsContent, spansContent, type ControlContent } from '../hwp/control-content.ts';
import { paragraphsOf } from './frame.ts';
import { readableText } from '../hwp/special-characters.ts';
import { readForm } from './forms.ts';
import { integerOf, numberKind } from './header.ts';
import { shapeElements } from './inline.ts';
import type { Session } from './session.ts';
import { readShape } from './shapes.ts';
import { readTable } from './table.ts';

type Reader = (element: XmlElement, session: Session, place: Place) => ControlContent;

const blockItems = (blocks: readonly Block[]): Item[] => blocks.map((block) => ({ kind: 'block', block }));

/** A number with what stands before and behind it. */
function autoNumber(element: XmlElement): string {
  const format = childOf(element, 'hp:autoNumFormat');
  const kind = attributeOf(format, 'type');
  const own = kind === 'USER_CHAR' ? attributeOf(format, 'userChar') : undefined;
  const number = own ?? formatNumber(integerOf(element, 'num', 1), numberKind(kind));
  return `${attributeOf(format, 'prefixChar') ?? ''}${number}${attributeOf(format, 'suffixChar') ?? ''}`;
}

/** The first number that stands in the text of a note. */
function ownNumber(paragraphs: readonly XmlElement[]): XmlElement | undefined {
  for (const run of childrenOf(paragraphs[0], 'hp:run')) {
    for (const control of childrenOf(run, 'hp:ctrl')) {
      const number = childOf(control, 'hp:autoNum');
      if (number !== undefined) return number;
    }
  }
  return undefined;
}

const noteKinds: Readonly<Record<string, NoteKind>> = { 'hp:footNote': 'footnote', 'hp:endNote': 'endnote' };

function readNote(element: XmlElement, session: Session, place: Place): ControlContent {
  const kind = noteKinds[element.name] ?? 'footnote';
  const count = ++session.noteCounts[kind];
  const id = `${kind}-${count}`;
  const paragraphs = paragraphsOf(element);
  const number = ownNumber(paragraphs);
  const shape = session.noteShapes[kind];
  const marker =
    number === undefined
      ? shape.before + formatNumber(integerOf(element, 'number', count), shape.kind) + shape.after
      : autoNumber(number);
  const blocks = session.blocks(paragraphs, placeWithin(place, 'note', false));
  const note: Note = { type: 'footnote', kind, id, marker, page: pageOf(session, place), blocks };
  return { kind: 'note', span: { text: marker, script: 'super', note: id }, note };
}

/** Words beside the text: hidden comments (숨은 설명), which no page shows, and memos. */
function readComment(element: XmlElement, session: Session, place: Place, hidden: boolean): ControlContent {
  const blocks = session.blocks(paragraphsOf(element), placeWithin(place, 'note', false));
  if (blocks.length === 0) return noContent;
  const note: Note = {
    type: 'footnote',
    kind: 'comment',
    id: `comment-${++session.noteCounts.comment}`,
    page: pageOf(session, place),
    ...(hidden ? { hidden } : {}),
    blocks,
  };
  return objectsContent(blockItems([note]));
}

/** The memo that a field holds, if it is one. */
export const readMemo = (field: XmlElement, session: Session, place: Place): ControlContent =>
  attributeOf(field, 'type') === 'MEMO' ? readComment(field, session, place, false) : noContent;

function marginOf(
  type: Margin['type'],
  paragraphs: readonly XmlElement[],
  session: Session,
  place: Place,
): ControlContent {
  const blocks = session.blocks(paragraphs, placeWithin(place, 'margin', false));
  // Headers of even and odd pages, and of later sections, mostly say the same.
  const key = type + JSON.stringify(blocks, (name, value: unknown) => (name === 'page' ? undefined : value));
  if (blocks.length === 0 || session.margins.has(key)) return noContent;
  session.margins.add(key);
  return objectsContent(blockItems([{ type, page: pageOf(session, place), blocks }]));
}

const readMargin: Reader = (element, session, place) =>
  marginOf(element.name === 'hp:footer' ? 'footer' : 'header', paragraphsOf(element), session, place);

/** What stands on the master pages (바탕쪽) of a section. */
const readMasterPages: Reader = (element, session, place) => {
  const pages = [...childrenOf(element, 'hp:masterPage')].map((page) =>
    session.masterPages.get(attributeOf(page, 'idRef') ?? ''),
  );
  return marginOf('header', pages.flatMap(paragraphsOf), session, place);
};

function readAutoNumber(element: XmlElement, place: Place): ControlContent {
  const kind = attributeOf(element, 'numType');
  // The number of a note is its marker; that of a page stands on each page anew.
  if (place.kind === 'note' && (kind === 'FOOTNOTE' || kind === 'ENDNOTE')) return noContent;
  if (place.kind === 'margin' && (kind === 'PAGE' || kind === 'TOTAL_PAGE')) return noContent;
  return spansContent(autoNumber(element));
}

function readEquation(element: XmlElement, session: Session): ControlContent {
  const script = innerText(childOf(element, 'hp:script'));
  session.budget.text(script.length);
  const latex = equationToLatex(script);
  return latex === '' ? noContent : { kind: 'spans', spans: [{ text: latex, math: true }] };
}

/** Words over or under other words (덧말): the smaller ones follow in brackets. */
function readRuby(element: XmlElement): ControlContent {
  const main = innerText(childOf(element, 'hp:mainText'));
  const sub = innerText(childOf(element, 'hp:subText')).trim();
  return spansContent(sub === '' ? main : `${main}(${sub})`);
}

/** One sign is itself; several of a private font are the halves of a sign that Unicode has not. */
const overlaidText = (text: string): string => (Array.from(text).length === 1 ? readableText(text) : text);

const readers: Readonly<Record<string, Reader>> = {
  'hp:tbl': readTable,
  'hp:footNote': readNote,
  'hp:endNote': readNote,
  'hp:hiddenComment': (element, session, place) => readComment(element, session, place, true),
  'hp:header': readMargin,
  'hp:footer': readMargin,
  'hp:autoNum': (element, _, place) => readAutoNumber(element, place),
  'hp:equation': readEquation,
  'hp:dutmal': readRuby,
  // Letters over each other, such as a number in a ring.
  'hp:compose': (element) =>
    spansContent(overlaidText(attributeOf(element, 'composeText') ?? innerText(element).trim())),
  'hp:secPr': readMasterPages,
  'hp:edit': readForm,
  'hp:btn': readForm,
  'hp:radioBtn': readForm,
  'hp:checkBtn': readForm,
  'hp:comboBox': readForm,
  'hp:listBox': readForm,
};

/** Reads a control with what belongs to it. What lies deeper than the limits allow is left out with a warning. */
export function readControl(element: XmlElement, session: Session, place: Place): ControlContent {
  const reader = readers[element.name] ?? (shapeElements.has(element.name) ? readShape : undefined);
  if (reader === undefined) return noContent;
  if (!session.budget.mayNest(place.depth + 1)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    return noContent;
  }
  return reader(element, session, place);
}
