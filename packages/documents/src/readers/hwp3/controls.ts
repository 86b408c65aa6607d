import type { Block, Note } from '../../document.ts';
import { type ControlContent, noContent, objectsContent, spansContent } from '../hwp/control-content.ts';
import type { CharShape } from '../hwp/doc-info.ts';
import { formatNumber } from '../hwp/number-formats.ts';
import type { Mark } from '../hwp/numbering.ts';
import { type Place, placeWithin } from '../hwp/session.ts';
import { u16At } from '../hwp/bytes.ts';
import { readBox, readPicture } from './boxes.ts';
import { letterString } from './letters.ts';
import { outlineMark } from './outline.ts';
import type { Session } from './session.ts';

/** What stands in a paragraph. */
export type Token =
  | { readonly kind: 'text'; readonly parts: string[]; readonly shape: CharShape }
  | { readonly kind: 'content'; readonly content: ControlContent }
  | { readonly kind: 'mark'; readonly mark: Mark };

/** A control, and how many letters of its paragraph it counts as. */
interface Found {
  readonly token: Token | null;
  readonly letters: number;
}

const noLook: CharShape = {
  size: 1000,
  bold: false,
  italic: false,
  strike: false,
  script: null,
  colour: 0,
  shaded: false,
};
const text = (words: string): Token => ({ kind: 'text', parts: [words], shape: noLook });
const content = (found: ControlContent): Token | null =>
  found.kind === 'nothing' ? null : { kind: 'content', content: found };
const blocksContent = (blocks: readonly Block[]): ControlContent =>
  objectsContent(blocks.map((block) => ({ kind: 'block', block })));

/** How many letters of its paragraph each control counts as; its code is the place in the list. */
const letterCounts = [1, 4, 4, 4, 4, 4, 4, 42, 48, 4, 4, 4, 4, 1, 4, 4].concat([
  4, 4, 4, 4, 4, 4, 12, 5, 3, 3, 123, 4, 32, 4, 2, 2,
]);
/** Bytes after the code of controls that hold nothing else; the code closes them again. */
const closingBytes = (code: number): number => (letterCounts[code]! - 1) * 2;
/** After the code of the others: four bytes of their own, and the code again. */
const HEAD_BYTES = 6;
const autoNumbers = { page: 0, footnote: 1, endnote: 2 } as const;
const ENDNOTE_KIND = 1;
const FOOTER_KIND = 1;
const MAX_DATA_BYTES = 16 * 1024 * 1024;

function readNote(session: Session, place: Place): ControlContent {
  const { cursor, noteCounts } = session;
  cursor.take(8);
  const number = cursor.u16();
  const kind = cursor.u16() === ENDNOTE_KIND ? 'endnote' : 'footnote';
  cursor.take(2);
  noteCounts[kind]++;
  const id = `${kind}-${noteCounts[kind]}`;
  const page = place.page ?? session.page;
  const blocks = session.finish(session.list({ ...placeWithin(place, 'note', false), page }));
  const marker = `${formatNumber(number === 0 ? noteCounts[kind] : number, 0)})`;
  const note: Note = { type: 'footnote', kind, id, marker, page, blocks };
  return { kind: 'note', span: { text: marker, script: 'super', note: id }, note };
}

function readComment(session: Session, place: Place): ControlContent {
  session.cursor.take(8);
  const page = place.page ?? session.page;
  const blocks = session.finish(session.list({ ...placeWithin(place, 'note', false), page }));
  if (blocks.length === 0) return noContent;
  const id = `comment-${++session.noteCounts.comment}`;
  return blocksContent([{ type: 'footnote', kind: 'comment', id, page, hidden: true, blocks }]);
}

function readMargin(session: Session, place: Place): ControlContent {
  session.cursor.take(8);
  const type = session.cursor.u8() === FOOTER_KIND ? 'footer' : 'header';
  session.cursor.u8();
  const page = place.page ?? session.page;
  const blocks = session.finish(session.list({ ...placeWithin(place, 'margin', false), page }));
  const key = type + JSON.stringify(blocks, (name, value: unknown) => (name === 'page' ? undefined : value));
  if (blocks.length === 0 || session.margins.has(key)) return noContent;
  session.margins.add(key);
  return blocksContent([{ type, page, blocks }]);
}

/** The number of a note is its marker; that of a page stands on each page anew. */
function autoNumber(data: Uint8Array, place: Place): ControlContent {
  const kind = u16At(data, 0);
  if (place.kind === 'note' && (kind === autoNumbers.footnote || kind === autoNumbers.endnote)) return noContent;
  if (place.kind === 'margin' && kind === autoNumbers.page) return noContent;
  return spansContent(String(u16At(data, 2)));
}

/** Letters over each other: one alone is itself, else all of them. */
const overlaid = (data: Uint8Array): string => letterString(data.subarray(0, 6));

/** Controls that hold no more than their own bytes. */
const closed: Readonly<Record<number, (data: Uint8Array, place: Place) => Token | null>> = {
  9: () => text('\t'),
  18: (data, place) => content(autoNumber(data, place)),
  22: () => null,
  23: (data) => text(overlaid(data)),
  24: () => text('-'),
  28: (data) => {
    const mark = outlineMark(data);
    return mark === null ? null : { kind: 'mark', mark };
  },
  30: () => text('\u00a0'),
  31: () => text(' '),
};
/** Date formats and codes, tabs, numbers, marks for indexes, spaces. */
const isClosed = (code: number): boolean =>
  code === 7 || code === 8 || code === 9 || (code >= 18 && code <= 28 && code !== 27) || code >= 30;

/** The date that a code shows, in the way that the file names, such as `1년 3월 6일`. */
function dateText(data: Uint8Array): string {
  const date = Array.from({ length: 6 }, (_, at) => u16At(data, 80 + at * 2));
  const [year = 0, month = 0, , day = 0] = date;
  return year === 0 ? '' : `${year}. ${month}. ${day}.`;
}

const open: Readonly<Record<number, (session: Session, place: Place) => ControlContent>> = {
  10: readBox,
  11: readPicture,
  14: ({ cursor }) => {
    cursor.take(84);
    return noContent;
  },
  15: readComment,
  16: readMargin,
  17: readNote,
};

/** Reads the control of this code, which has been read. Source: Hancom, HWP document file format 3.0, 특수 문자. */
export function readControl(session: Session, code: number, place: Place): Found {
  const { cursor } = session;
  const letters = letterCounts[code] ?? 1;
  if (code === 0) return { token: null, letters };
  if (isClosed(code)) {
    const data = cursor.take(closingBytes(code));
    if (code === 8) return { token: text(dateText(data)), letters };
    return { token: closed[code]?.(data, place) ?? null, letters };
  }
  const head = cursor.take(HEAD_BYTES);
  const length = (u16At(head, 0) | (u16At(head, 2) << 16)) >>> 0;
  const reader = open[code];
  if (reader !== undefined) return { token: content(reader(session, place)), letters };
  // Fields and references have their data behind them, bookmarks a name; others have nothing.
  if (code === 5 || code === 29) cursor.take(Math.min(length, MAX_DATA_BYTES));
  else if (code === 6) cursor.take(34);
  return { token: null, letters };
}
