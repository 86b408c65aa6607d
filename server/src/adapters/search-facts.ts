import type { FieldValue, IndexRow } from '../ports/search-index.ts';

// The fields of a row as a list of texts, so that one column with one index serves whatever fields documents have. Each value is
// `field US type value`, and each field that has one is `field US` too. Numbers are written so that their order is that of the texts.

/** Between a field and its value. */
export const UNIT_SEPARATOR = '\u001F';
/** Between facts, where a list is looked at as one text. */
export const RECORD_SEPARATOR = '\u001E';
const ESCAPE = '\u001D';

// oxlint-disable-next-line no-control-regex -- these signs are what it is about
const STRUCTURE = /[\u001D-\u001F]/g;

/** Keeps the signs that structure facts out of names and values, without changing the order of texts; no half of a pair is left. */
export function escapeSeparators(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.replace(STRUCTURE, (sign) => ESCAPE + String.fromCharCode(sign.charCodeAt(0) + 0x13));
}

const scratch = new DataView(new ArrayBuffer(8));
const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0');

/** A number as 16 hexadecimal digits, of which smaller numbers have smaller ones. */
export function sortable(value: number): string {
  // -0 is 0.
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [scratch.getInt32(0), scratch.getInt32(4)];
  // Bits of positive numbers are in their order already; those of negative ones are in the opposite order.
  return high < 0 ? hex(~high) + hex(~low) : hex(high ^ 0x80000000) + hex(low);
}

/** A value with the letter of its type before it. */
export function encodeValue(value: FieldValue): string {
  if (typeof value === 'number') return `n${sortable(value)}`;
  return typeof value === 'boolean' ? `b${value ? 1 : 0}` : `s${escapeSeparators(value)}`;
}

/** That a field has a value. */
export const presence = (field: string): string => escapeSeparators(field) + UNIT_SEPARATOR;
/** That it has this one. */
export const fact = (field: string, value: FieldValue): string => presence(field) + encodeValue(value);

/** All facts of a row. */
export function factsOf({ fields }: Pick<IndexRow, 'fields'>): string[] {
  const facts: string[] = [];
  for (const [field, given] of Object.entries(fields)) {
    const values = typeof given === 'object' ? given : [given];
    if (values.length > 0) facts.push(presence(field), ...new Set(values.map((value) => fact(field, value))));
  }
  return facts;
}
