import { escapeXml } from '../../write/xml.ts';
import { createCursor, i32At, u16At } from '../hwp/bytes.ts';
import { valued } from './looks.ts';

const [TEXT, BOX, CHOICE] = [0, 1, 2];
/** The state of a box that was never changed. */
const AS_DEFAULT = 25;
const MAX_ENTRIES = 200;

/** The data of a form's field in the stream of data, as `w:ffData`; empty where there is none. Source: MS-DOC 2.9.78. */
export function formFieldXml(data: Uint8Array, place: number): string {
  const [length, head] = [i32At(data, place), u16At(data, place + 4)];
  if (length <= head + 10 || place + length > data.length) return '';
  const cursor = createCursor(data.subarray(place + head, place + length));
  if (cursor.u32() !== 0xffffffff) return '';
  const bits = cursor.u16();
  const [kind, result] = [bits & 3, (bits >> 2) & 0x1f];
  cursor.skip(4);
  const text = (): string => {
    const read = cursor.text();
    cursor.skip(2);
    return read;
  };
  const name = valued('name', text());
  if (kind === TEXT) return `<w:ffData>${name}<w:textInput/></w:ffData>`;
  const given = cursor.u16();
  const state = result === AS_DEFAULT ? given : result;
  if (kind === BOX) return `<w:ffData>${name}<w:checkBox>${valued('checked', state)}</w:checkBox></w:ffData>`;
  if (kind !== CHOICE) return '';
  // Its format, help, status and macros stand before the entries.
  for (let part = 0; part < 5; part++) text();
  cursor.skip(2);
  const count = Math.min(cursor.u16(), MAX_ENTRIES);
  cursor.skip(2);
  const entries = Array.from({ length: count }, () => `<w:listEntry w:val="${escapeXml(cursor.text())}"/>`);
  return `<w:ffData>${name}<w:ddList>${valued('result', state)}${entries.join('')}</w:ddList></w:ffData>`;
}
