import { decodeText } from '../../text/charset.ts';
import { decodeUtf16, u16At, u32At } from '../hwp/bytes.ts';
import { unpackRtf } from './packed-rtf.ts';
import { readRtf } from '../rtf/rtf.ts';

// What Exchange puts into `winmail.dat`: the text of a mail and what is attached to it. Source: MS-OXTNEF.

const TNEF_SIGNATURE = 0x223e9f78;
const HEAD_BYTES = 6;
const attributes = {
  body: 0x0002800c,
  newAttachment: 0x00069002,
  attachedBytes: 0x0006800f,
  attachedName: 0x00018010,
  attachedProperties: 0x00069005,
  properties: 0x00069003,
} as const;
const LONG_NAME = 0x3707;
const HTML_BODY = 0x1013;
const RTF_BODY = 0x1009;

/** What stands in the file. */
export interface TnefMail {
  readonly html: string;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Bytes of the values of a type that is always as long; 0 where they say it themselves. */
const sizeOf = (type: number): number => {
  if ([0x02, 0x03, 0x04, 0x0a, 0x0b].includes(type)) return 4;
  if ([0x05, 0x06, 0x07, 0x14, 0x40].includes(type)) return 8;
  return type === 0x48 ? 16 : 0;
};

const padded = (length: number): number => length + ((4 - (length % 4)) % 4);

/** The properties with a length of their own, by their numbers; as far as they can be told apart. */
function propertiesOf(data: Uint8Array): ReadonlyMap<number, { readonly type: number; readonly bytes: Uint8Array }> {
  const found = new Map<number, { type: number; bytes: Uint8Array }>();
  let at = 4;
  for (let left = u32At(data, 0); left > 0 && at + 4 <= data.length; left--) {
    const [type, id] = [u16At(data, at), u16At(data, at + 2)];
    at += 4;
    if (id >= 0x8000) {
      const isNamed = u32At(data, at + 16) === 1;
      at += isNamed ? 24 + padded(u32At(data, at + 20)) : 24;
    }
    const size = sizeOf(type & 0xfff);
    let values = 1;
    if (size === 0 || (type & 0x1000) !== 0) {
      values = u32At(data, at);
      at += 4;
    }
    for (; values > 0 && at < data.length; values--) {
      if (size > 0) at += size;
      else {
        const length = u32At(data, at);
        if (!found.has(id)) found.set(id, { type, bytes: data.subarray(at + 4, at + 4 + length) });
        at += 4 + padded(length);
      }
    }
  }
  return found;
}

const textOf = (bytes: Uint8Array): string => decodeText(bytes).text.trim();

function longName(data: Uint8Array): string {
  const property = propertiesOf(data).get(LONG_NAME);
  if (property === undefined) return '';
  return property.type === 0x1f
    ? decodeUtf16(property.bytes, 0, property.bytes.length).replaceAll('\0', '').trim()
    : textOf(property.bytes);
}

/** Takes it apart; null for what is none, or holds neither text nor files. `most` bounds what is unpacked. */
export function readTnef(bytes: Uint8Array, most: number): TnefMail | null {
  if (u32At(bytes, 0) !== TNEF_SIGNATURE) return null;
  const files: { name: string; bytes: Uint8Array | null }[] = [];
  let [html, text] = ['', ''];
  for (let at = HEAD_BYTES; at + 9 <= bytes.length;) {
    const id = u32At(bytes, at + 1);
    const length = u32At(bytes, at + 5);
    const data = bytes.subarray(at + 9, at + 9 + length);
    at += 9 + length + 2;
    const file = files.at(-1);
    if (id === attributes.newAttachment) files.push({ name: '', bytes: null });
    else if (id === attributes.attachedBytes && file !== undefined) file.bytes = data;
    else if (id === attributes.attachedName && file !== undefined) file.name ||= textOf(data);
    else if (id === attributes.attachedProperties && file !== undefined) file.name = longName(data) || file.name;
    else if (id === attributes.body) text = textOf(data);
    else if (id === attributes.properties) {
      const own = propertiesOf(data);
      const page = own.get(HTML_BODY);
      const packed = own.get(RTF_BODY);
      const rtf = packed === undefined ? null : unpackRtf(packed.bytes, most);
      const said = rtf === null ? null : readRtf(rtf);
      if (page !== undefined) html = decodeText(page.bytes).text;
      else if (said?.kind === 'html') html = said.text;
      else text ||= said?.text ?? '';
    }
  }
  const whole = files.flatMap(({ name, bytes: own }, at) =>
    own === null ? [] : [{ name: name || `attachment-${at + 1}`, bytes: own }],
  );
  return html === '' && text === '' && whole.length === 0 ? null : { html, text, files: whole };
}
