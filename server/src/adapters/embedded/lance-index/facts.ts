import type { FieldValue, IndexRow } from '../../../ports/search-index.ts';

// The fields of a row as a list of texts, so that one column with one index serves whatever fields documents have. Each value is
// `field US type value`, and each field that has one is `field US` too. Numbers are written so that their order is that of the texts.

/** Between a field and its value. */
export const UNIT = '\u001F';
/** Between facts, where a list is looked at as one text. */
export const RECORD = '\u001E';
const ESCAPE = '\u001D';

/** Keeps the signs that structure facts out of names and values, without changing the order of texts; no half of a pair is left. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- these signs are what it is about
    .replace(/[\u001D-\u001F]/g, (sign) => ESCAPE + String.fromCharCode(sign.charCodeAt(0) + 0x13));

const SIGN_BIT = 1n << 63n;
const ALL_BITS = (1n << 64n) - 1n;

/** A number as 16 hexadecimal digits, of which smaller numbers have smaller ones. */
export function sortable(value: number): string {
  const bytes = new DataView(new ArrayBuffer(8));
  // -0 is 0.
  bytes.setFloat64(0, value === 0 ? 0 : value);
  const bits = bytes.getBigUint64(0);
  const ordered = (bits & SIGN_BIT) === 0n ? bits | SIGN_BIT : ~bits & ALL_BITS;
  return ordered.toString(16).padStart(16, '0');
}

/** A value with the letter of its type before it. */
export function coded(value: FieldValue): string {
  if (typeof value === 'number') return `n${sortable(value)}`;
  return typeof value === 'boolean' ? `b${value ? 1 : 0}` : `s${plain(value)}`;
}

/** That a field has a value. */
export const presence = (field: string): string => plain(field) + UNIT;
/** That it has this one. */
export const fact = (field: string, value: FieldValue): string => presence(field) + coded(value);

/** All facts of a row. */
export function factsOf({ fields }: Pick<IndexRow, 'fields'>): string[] {
  const facts: string[] = [];
  for (const [field, given] of Object.entries(fields)) {
    const values = typeof given === 'object' ? given : [given];
    if (values.length > 0) facts.push(presence(field), ...new Set(values.map((value) => fact(field, value))));
  }
  return facts;
}
