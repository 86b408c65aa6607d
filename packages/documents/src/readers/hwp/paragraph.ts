import { idOf, u16At, u32At } from './bytes.ts';
import { readLines } from './pages.ts';
import type { Line } from './pages.ts';
import { recordTags } from './records.ts';
import type { TreeRecord } from './records.ts';

/** Something in a paragraph that is no letter: a table, a note, a field. */
export interface Control {
  /** Four letters, such as `tbl `. */
  readonly id: string;
  readonly data: Uint8Array;
  readonly children: readonly TreeRecord[];
}

/** A piece of the text of a paragraph; `at` counts UTF-16 units as the file does. */
export type Token =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  | { readonly kind: 'control'; readonly at: number; readonly control: Control }
  | { readonly kind: 'fieldEnd'; readonly at: number };

/** A paragraph as it is stored. */
export interface RawParagraph {
  readonly shape: number;
  readonly style: number;
  readonly breaks: { readonly page: boolean; readonly column: boolean };
  readonly tokens: readonly Token[];
  readonly lines: readonly Line[];
  /** Number of the char shape that holds from a place on; in order. */
  readonly shapes: readonly { readonly at: number; readonly shape: number }[];
  /** Places whose text was deleted while changes were tracked. */
  readonly deleted: readonly { readonly from: number; readonly to: number }[];
  /** All controls, also those that no place in the text refers to. */
  readonly controls: readonly Control[];
}

const CONTROL_LENGTH = 8;
const deletedRange = 0x11;
/** Of one paragraph; each run of letters is held against all of them. */
const MAX_DELETED_RANGES = 256;
/** Controls that stand for one unit: text of their own, or nothing. */
const singleUnitControls: Readonly<Record<number, string>> = { 10: '\n', 24: '-', 30: '\u00a0', 31: ' ' };
/** Controls with a record of their own; the others of eight units carry their data within the text. */
const extendedControls = new Set([1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23]);
const TAB_CODE = 9;
const FIELD_END_CODE = 4;

const isSingle = (code: number): boolean => code === 0 || code === 10 || code === 13 || (code >= 24 && code <= 31);

/** A damaged text may refer to controls that are not there; so many are looked at for one place. */
const MAX_LOOKAHEAD_CONTROLS = 16;

/** Takes the controls of a paragraph in their order; one that the text does not refer to is passed over. */
const createQueue = (controls: readonly Control[]) => {
  let next = 0;
  const taken = new Set<Control>();
  return {
    take: (id: string): Control | null => {
      const near = controls.slice(next, next + MAX_LOOKAHEAD_CONTROLS).findIndex((control) => control.id === id);
      if (near === -1) return null;
      const found = next + near;
      next = found + 1;
      taken.add(controls[found]!);
      return controls[found]!;
    },
    left: () => controls.filter((control) => !taken.has(control)),
  };
};

const tokenize = (data: Uint8Array, controls: readonly Control[]): Token[] => {
  const queue = createQueue(controls);
  const tokens: Token[] = [];
  const count = data.length >>> 1;
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.length);
  let from = 0;
  const flush = (to: number): void => {
    if (to > from) tokens.push({ kind: 'text', at: from, text: buffer.toString('utf16le', from * 2, to * 2) });
  };
  let at = 0;
  while (at < count) {
    const code = u16At(data, at * 2);
    if (code >= 32) {
      at += 1;
      continue;
    }
    flush(at);
    if (isSingle(code)) {
      const text = singleUnitControls[code];
      if (text !== undefined) tokens.push({ kind: 'text', at, text });
      at += 1;
    } else {
      const control = extendedControls.has(code) ? queue.take(idOf(data, at * 2 + 2)) : null;
      if (control !== null) tokens.push({ kind: 'control', at, control });
      else if (code === TAB_CODE) tokens.push({ kind: 'text', at, text: '\t' });
      else if (code === FIELD_END_CODE) tokens.push({ kind: 'fieldEnd', at });
      at += CONTROL_LENGTH;
    }
    from = at;
  }
  flush(count);
  // Some programs write no place for the definitions of sections and columns, or lose one.
  for (const control of queue.left()) tokens.push({ kind: 'control', at: count, control });
  return tokens;
};

/** The text of a record of text, without its controls. */
export const textOfRecord = (data: Uint8Array): string =>
  tokenize(data, [])
    .map((token) => (token.kind === 'text' ? token.text : ''))
    .join('');

const readShapes = (data: Uint8Array): { at: number; shape: number }[] =>
  Array.from({ length: Math.floor(data.length / 8) }, (_, index) => ({
    at: u32At(data, index * 8),
    shape: u32At(data, index * 8 + 4),
  }));

const readDeleted = (data: Uint8Array): { from: number; to: number }[] => {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at + 12 <= data.length && found.length < MAX_DELETED_RANGES; at += 12)
    if (data[at + 11] === deletedRange) found.push({ from: u32At(data, at), to: u32At(data, at + 4) });
  return found;
};

const none = new Uint8Array();

/** Takes a paragraph's records apart. */
export const readParagraph = (record: TreeRecord): RawParagraph => {
  const { data } = record;
  const part = (tag: number): Uint8Array => record.children.find((child) => child.tag === tag)?.data ?? none;
  const controls = record.children
    .filter(({ tag }) => tag === recordTags.ctrlHeader)
    .map((child) => ({ id: idOf(child.data, 0), data: child.data, children: child.children }));
  const split = data[11] ?? 0;
  return {
    shape: u16At(data, 8),
    style: data[10] ?? 0,
    breaks: { page: (split & 5) !== 0, column: (split & 8) !== 0 },
    tokens: tokenize(part(recordTags.paraText), controls),
    lines: readLines(part(recordTags.paraLineSeg)),
    shapes: readShapes(part(recordTags.paraCharShape)),
    deleted: readDeleted(part(recordTags.paraRangeTag)),
    controls,
  };
};
