import type { DocumentMeta } from '../../document.ts';
import { u16At } from '../hwp/bytes.ts';
import type { Cursor } from './cursor.ts';
import { byteString, letterString } from './letters.ts';

/** What stands before the text. Source: Hancom, HWP document file format 3.0, 문서 정보 and 문서 요약. */
export interface Head {
  /** It has a password. */
  readonly encrypted: boolean;
  readonly compressed: boolean;
  /** Of the block of information after the summary. */
  readonly infoBytes: number;
  /** Points. */
  readonly paper: { readonly width: number; readonly height: number };
  readonly meta: DocumentMeta;
}

const SIGNATURE_BYTES = 30;
const INFO_BYTES = 128;
const SUMMARY_FIELD_BYTES = 112;
const SUMMARY_FIELDS = 9;
/** Lengths are 1/1800 inch. */
const UNITS_PER_POINT = 25;
const LANDSCAPE_PAPER = 1;
const FONT_LANGUAGES = 7;
const FONT_BYTES = 40;
const STYLE_NAME_BYTES = 20;
export const CHAR_SHAPE_BYTES = 31;
export const PARA_SHAPE_BYTES = 187;

export function readHead(cursor: Cursor): Head {
  cursor.take(SIGNATURE_BYTES);
  const info = cursor.take(INFO_BYTES);
  const summary = cursor.take(SUMMARY_FIELDS * SUMMARY_FIELD_BYTES);
  const field = (nth: number): string =>
    letterString(summary.subarray(nth * SUMMARY_FIELD_BYTES, (nth + 1) * SUMMARY_FIELD_BYTES)).trim();
  const [title, author] = [field(0), field(2)];
  const [height, width] = [u16At(info, 6) / UNITS_PER_POINT, u16At(info, 8) / UNITS_PER_POINT];
  return {
    encrypted: u16At(info, 96) !== 0,
    compressed: info[124] !== 0,
    infoBytes: u16At(info, 126),
    paper: info[5] === LANDSCAPE_PAPER ? { width: height, height: width } : { width, height },
    meta: { ...(title === '' ? {} : { title }), ...(author === '' ? {} : { author }) },
  };
}

/** Names of styles by their number; fonts, which stand before them, are passed over. */
export function readStyleNames(cursor: Cursor): readonly string[] {
  for (let language = 0; language < FONT_LANGUAGES; language++) cursor.take(cursor.u16() * FONT_BYTES);
  const names: string[] = [];
  for (let left = cursor.u16(); left > 0 && !cursor.ended(); left--) {
    names.push(byteString(cursor.take(STYLE_NAME_BYTES)));
    cursor.take(CHAR_SHAPE_BYTES + PARA_SHAPE_BYTES);
  }
  return names;
}
