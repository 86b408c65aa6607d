import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { decodeText } from '../../text/charset.ts';
import { decodeUtf16, u16At, u32At } from '../hwp/bytes.ts';
import type { CompoundFile } from '../hwp/compound.ts';

// Properties of a mail of Outlook. Sources: MS-OXMSG 2.4 (where they lie), MS-OXPROPS (their numbers), MS-OXCMSG (what they mean).

/** The properties of one storage: of a mail, or of what is attached to one. */
export interface Properties {
  readonly has: (id: string, type: string) => boolean;
  /** Text; empty where there is none. */
  readonly text: (id: string) => string;
  readonly bytes: (id: string) => Uint8Array | null;
  readonly number: (id: string) => number | null;
  /** ISO 8601. */
  readonly time: (id: string) => string | undefined;
  /** Charset of what is not in Unicode. */
  readonly narrow: () => string | undefined;
  /** Charset of its bytes, where the mail tells. */
  readonly charset: (id: string) => string | undefined;
  /** The number of a property that the file numbers itself, by that which its kind of mail gives it. */
  readonly named: (id: number) => string | null;
}

const PROPERTY_BYTES = 16;
/** Of a table of properties; no mail has as many. */
const MAX_TABLE_BYTES = 65_536;
/** Bytes of texts that tell their charset. */
const SAMPLE_BYTES = 1_048_576;
/** Milliseconds from 1601, where the time stamps begin, to 1970. */
const EPOCH_OFFSET_MS = 11_644_473_600_000;
const LAST_TIME_MS = 4_102_444_800_000;
/** Code pages of what is not named `cp` and its number. */
const codePages: Readonly<Record<number, string>> = {
  1200: 'utf-16le',
  20127: 'ascii',
  20866: 'koi8-r',
  20932: 'euc-jp',
  20949: 'cp949',
  21866: 'koi8-u',
  28591: 'iso-8859-1',
  51932: 'euc-jp',
  51949: 'cp949',
  54936: 'gb18030',
  65001: 'utf-8',
};
/** Code pages by the languages of Windows that have none of western Europe. Source: MS-LCID. */
const languages: Readonly<Record<number, string>> = {
  0x01: 'cp1256',
  0x02: 'cp1251',
  0x04: 'cp936',
  0x05: 'cp1250',
  0x08: 'cp1253',
  0x0d: 'cp1255',
  0x0e: 'cp1250',
  0x11: 'cp932',
  0x12: 'cp949',
  0x15: 'cp1250',
  0x19: 'cp1251',
  0x1e: 'cp874',
  0x1f: 'cp1254',
  0x22: 'cp1251',
};
const TRADITIONAL_CHINESE: ReadonlySet<number> = new Set([0x0404, 0x0c04, 0x1404]);

function charsetOf(codePage: number | null): string | undefined {
  if (codePage === null) return undefined;
  const name =
    codePages[codePage] ??
    (codePage >= 28_592 && codePage <= 28_606 ? `iso-8859-${codePage - 28_590}` : `cp${codePage}`);
  return iconv.encodingExists(name) ? name : undefined;
}

const languageCharset = (language: number | null): string | undefined =>
  language === null ? undefined : TRADITIONAL_CHINESE.has(language) ? 'cp950' : languages[language & 0x3ff];

/** Texts that are not in Unicode, together: they tell more of their charset than each of them does. */
function narrowCharset(file: CompoundFile, folder: string, number: Properties['number']): string | undefined {
  const inFolder = (path: string) => path.startsWith(folder) && !path.slice(folder.length).includes('/');
  const narrow = file.paths.filter((path) => inFolder(path) && path.toUpperCase().endsWith('001E'));
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const path of narrow) {
    if (size >= SAMPLE_BYTES) break;
    const part = file.stream(path) ?? new Uint8Array();
    size += part.length;
    parts.push(part);
  }
  const all = Buffer.concat(parts);
  if (isUtf8(all)) return 'utf-8';
  return charsetOf(number('3FFD')) ?? languageCharset(number('3FF1')) ?? decodeText(all).charset;
}

/** The properties of the storage at `folder`; their table begins behind a head of so many bytes. What belongs to a mail (`outer`) has its charset. */
export function readProperties(
  file: CompoundFile,
  paths: ReadonlySet<string>,
  folder: string,
  { head, outer }: { readonly head: number; readonly outer?: Properties },
): Properties {
  const path = (id: string, type: string) => `${folder}__substg1.0_${id}${type}`;
  const table = file.stream(`${folder}__properties_version1.0`) ?? new Uint8Array();
  const numbers = new Map<number, number>();
  for (let at = head; at + PROPERTY_BYTES <= Math.min(table.length, MAX_TABLE_BYTES); at += PROPERTY_BYTES)
    numbers.set(u32At(table, at), at + 8);
  const placeOf = (id: string, type: number) => numbers.get(Number.parseInt(id, 16) * 0x10000 + type);
  const number = (id: string): number | null => {
    const at = placeOf(id, 0x0003) ?? placeOf(id, 0x000b);
    return at === undefined ? null : u32At(table, at);
  };
  let own: string | undefined;
  const narrow = (): string | undefined => (own ??= outer?.narrow() ?? narrowCharset(file, folder, number));
  return {
    narrow,
    number,
    has: (id, type) => paths.has(path(id, type)),
    bytes: (id) => (paths.has(path(id, '0102')) ? file.stream(path(id, '0102')) : null),
    charset: (id) => charsetOf(number(id)),
    text: (id) => {
      if (paths.has(path(id, '001F'))) {
        const bytes = file.stream(path(id, '001F')) ?? new Uint8Array();
        return decodeUtf16(bytes, 0, bytes.length).replaceAll('\0', '').trim();
      }
      if (!paths.has(path(id, '001E'))) return '';
      return decodeText(file.stream(path(id, '001E')) ?? new Uint8Array(), narrow())
        .text.replaceAll('\0', '')
        .trim();
    },
    time: (id) => {
      const at = placeOf(id, 0x0040);
      if (at === undefined) return undefined;
      const ticks = u32At(table, at + 4) * 2 ** 32 + u32At(table, at);
      const time = ticks / 10_000 - EPOCH_OFFSET_MS;
      return time > 0 && time < LAST_TIME_MS ? new Date(time).toISOString() : undefined;
    },
    named: (id) => {
      const entries = file.stream('__nameid_version1.0/__substg1.0_00030102') ?? new Uint8Array();
      for (let at = 0; at + 8 <= entries.length; at += 8) {
        const isNumber = (u16At(entries, at + 4) & 1) === 0;
        if (isNumber && u32At(entries, at) === id)
          return (0x8000 + u16At(entries, at + 6)).toString(16).toUpperCase().padStart(4, '0');
      }
      return null;
    },
  };
}
