import type { DocumentMeta } from '../../document.ts';
import { decodeText } from '../../text/charset.ts';
import { i32At, u16At, u32At } from '../hwp/bytes.ts';
import { timeAt } from '../hwp/summary.ts';

/** Numbers of the properties, and of their types. Source: MS-OLEPS 2.15, MS-OSHARED 2.3.3.2.1. */
const [CODE_PAGE, TITLE, AUTHOR, CREATED, SAVED, PAGES, CHARACTERS] = [1, 2, 4, 12, 13, 14, 16];
const [NARROW_TEXT, INTEGER, TIME] = [0x1e, 0x03, 0x40];
const MAX_PROPERTIES = 256;
const MAX_TEXT_BYTES = 4_096;
const UTF8_PAGE = 65_001;

interface OfficeSummary {
  readonly meta: DocumentMeta;
  /** 0 where the file does not say. */
  readonly pages: number;
  readonly characters: number;
}

/** Title, author, times and sizes of a document; what is missing or damaged is left out. */
export function readOfficeSummary(bytes: Uint8Array): OfficeSummary {
  const section = u32At(bytes, 44);
  const places = new Map<number, number>();
  const count = Math.min(u32At(bytes, section + 4), MAX_PROPERTIES);
  for (let at = section + 8; at < section + 8 + count * 8; at += 8)
    places.set(u32At(bytes, at), section + u32At(bytes, at + 4));
  const typed = (property: number, type: number): number | undefined => {
    const place = places.get(property);
    return place !== undefined && u16At(bytes, place) === type ? place + 4 : undefined;
  };
  const codePage = u16At(bytes, (places.get(CODE_PAGE) ?? bytes.length) + 4);
  const text = (property: number): string => {
    const place = typed(property, NARROW_TEXT);
    if (place === undefined) return '';
    const part = bytes.subarray(place + 4, place + 4 + Math.min(u32At(bytes, place), MAX_TEXT_BYTES));
    const end = part.indexOf(0);
    const charset = codePage === UTF8_PAGE ? 'utf-8' : codePage === 0 ? undefined : `cp${codePage}`;
    return decodeText(end < 0 ? part : part.subarray(0, end), charset).text.trim();
  };
  const time = (property: number): string | undefined => {
    const place = typed(property, TIME);
    return place === undefined ? undefined : timeAt(bytes, place);
  };
  const integer = (property: number): number => {
    const place = typed(property, INTEGER);
    return place === undefined ? 0 : Math.max(0, i32At(bytes, place));
  };
  const [title, author, created, modified] = [text(TITLE), text(AUTHOR), time(CREATED), time(SAVED)];
  return {
    meta: {
      ...(title === '' ? {} : { title }),
      ...(author === '' ? {} : { author }),
      ...(created === undefined ? {} : { created }),
      ...(modified === undefined ? {} : { modified }),
    },
    pages: integer(PAGES),
    characters: integer(CHARACTERS),
  };
}
