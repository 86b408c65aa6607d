import type { Block, Note } from '../../document.ts';
import { createCursor, u16At, u32At, decodeUtf16 } from './bytes.ts';
import { equationToLatex } from './equation/index.ts';
import { fieldSpan } from '../../text/form-fields.ts';
import { noContent, objectsContent, spansContent, type ControlContent } from './control-content.ts';
import { readFormObject } from './forms.ts';
import { formatNumber } from './number-formats.ts';
import type { Control } from './paragraph.ts';
import { type TreeRecord, recordTags } from './records.ts';
import { pageOf, placeWithin } from './session.ts';
import type { Item, NoteKind, Place, Session } from './session.ts';
import { readShape } from './shapes.ts';
import { readableText } from './special-characters.ts';
import { readTable } from './table.ts';

const blockItems = (blocks: readonly Block[]): Item[] => blocks.map((block) => ({ kind: 'block', block }));
const letterAt = (data: Uint8Array, at: number): string => decodeUtf16(data, at, at + 2).replaceAll('\0', '');

const noteNames: Readonly<Record<string, NoteKind>> = { 'fn  ': 'footnote', 'en  ': 'endnote' };
const autoNumber = { page: 0, footnote: 1, endnote: 2 } as const;

const readNote = (control: Control, session: Session, place: Place): ControlContent => {
  const kind = noteNames[control.id]!;
  session.noteCounts[kind] += 1;
  const id = `${kind}-${session.noteCounts[kind]}`;
  const { data } = control;
  const shape = session.noteShapes[kind];
  const stored = data.length >= 16;
  const number = stored ? u32At(data, 4) : session.noteCounts[kind];
  const [before, after] = stored ? [letterAt(data, 8), letterAt(data, 10)] : [shape.before, shape.after];
  const marker = before + formatNumber(number, stored ? u32At(data, 12) & 0xff : shape.kind) + after;
  const blocks = session.blocks(control.children, placeWithin(place, 'note', false));
  const note: Note = { type: 'footnote', kind, id, marker, page: pageOf(session, place), blocks };
  return { kind: 'note', span: { text: marker, script: 'super', note: id }, note };
};

/** A hidden comment (숨은 설명): beside the text, and shown by no page. */
const readComment = (control: Control, session: Session, place: Place): ControlContent => {
  const blocks = session.blocks(control.children, placeWithin(place, 'note', false));
  if (blocks.length === 0) return noContent;
  session.noteCounts.comment += 1;
  const note: Note = {
    type: 'footnote',
    kind: 'comment',
    id: `comment-${session.noteCounts.comment}`,
    page: pageOf(session, place),
    hidden: true,
    blocks,
  };
  return objectsContent(blockItems([note]));
};

const marginItems = (
  type: 'header' | 'footer',
  records: readonly TreeRecord[],
  session: Session,
  place: Place,
): readonly Item[] => {
  const blocks = session.blocks(records, placeWithin(place, 'margin', false));
  // Headers of even and odd pages, and of later sections, mostly say the same.
  const key = type + JSON.stringify(blocks, (name, value: unknown) => (name === 'page' ? undefined : value));
  if (blocks.length === 0 || session.margins.has(key)) return [];
  session.margins.add(key);
  return blockItems([{ type, page: pageOf(session, place), blocks }]);
};

const readMargin = ({ id, children }: Control, session: Session, place: Place): ControlContent => {
  const items = marginItems(id === 'foot' ? 'footer' : 'header', children, session, place);
  return items.length === 0 ? noContent : objectsContent(items);
};

/** What stands on the master pages of single pages, such as the last one of a section: their lists hang on its last paragraph. */
export const readLateMasterPages = ({ children }: TreeRecord, session: Session, place: Place): readonly Item[] => {
  const from = children.findIndex(({ tag }) => tag === recordTags.listHeader);
  // Lists of memos stand behind their own heads.
  if (from === -1 || children.some(({ tag }) => tag === recordTags.memoList)) return [];
  return marginItems('header', children.slice(from), session, place);
};

const readAutoNumber = ({ data }: Control, place: Place): ControlContent => {
  const properties = u32At(data, 4);
  const kind = properties & 0xf;
  // The number of a note is its marker; that of a page stands on each page anew.
  if (place.kind === 'note' && (kind === autoNumber.footnote || kind === autoNumber.endnote)) return noContent;
  if (place.kind === 'margin' && kind === autoNumber.page) return noContent;
  const number = formatNumber(u16At(data, 8), (properties >>> 4) & 0xff);
  return spansContent(letterAt(data, 12) + number + letterAt(data, 14));
};

const readEquation = (control: Control, session: Session): ControlContent => {
  const record = control.children.find(({ tag }) => tag === recordTags.equation);
  if (record === undefined) return noContent;
  const script = createCursor(record.data, 4).text();
  session.budget.text(script.length);
  const latex = equationToLatex(script);
  return latex === '' ? noContent : { kind: 'spans', spans: [{ text: latex, math: true }] };
};

/** Words over or under other words (덧말): the smaller ones follow in brackets. */
const readRuby = ({ data }: Control): ControlContent => {
  const cursor = createCursor(data, 4);
  const main = cursor.text();
  const sub = cursor.text().trim();
  return spansContent(sub === '' ? main : `${main}(${sub})`);
};

/** A field of a form, or the words on a button. */
const readForm = (control: Control, session: Session): ControlContent => {
  const record = control.children.find(({ tag }) => tag === recordTags.formObject);
  if (record === undefined) return noContent;
  const { field, words } = readFormObject(record.data);
  session.budget.text(words.length + (field?.value?.length ?? 0));
  return field === null ? spansContent(words) : { kind: 'spans', spans: [fieldSpan(field)] };
};

/** One sign is itself; several of a private font are the halves of a sign that Unicode has not. */
const overlaidText = (text: string): string => (Array.from(text).length === 1 ? readableText(text) : text);

type Reader = (control: Control, session: Session, place: Place) => ControlContent;

const readers: Readonly<Record<string, Reader>> = {
  'tbl ': readTable,
  'gso ': readShape,
  'fn  ': readNote,
  'en  ': readNote,
  tcmt: readComment,
  head: readMargin,
  foot: readMargin,
  // What stands on the master pages (바탕쪽) of a section.
  secd: readMargin,
  atno: (control, _, place) => readAutoNumber(control, place),
  eqed: readEquation,
  tdut: readRuby,
  // Letters over each other, such as a number in a ring.
  tcps: ({ data }) => spansContent(overlaidText(createCursor(data, 4).text())),
  form: readForm,
};

/** Reads a control with what belongs to it. What lies deeper than the limits allow is left out with a warning. */
export const readControl = (control: Control, session: Session, place: Place): ControlContent => {
  const reader = readers[control.id];
  if (reader === undefined) return noContent;
  if (!session.budget.mayNest(place.depth + 1)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    return noContent;
  }
  return reader(control, session, place);
};
