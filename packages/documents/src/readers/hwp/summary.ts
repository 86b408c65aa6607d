import type { DocumentMeta } from '../../document.ts';
import { u16At, u32At, decodeUtf16 } from './bytes.ts';

/** Stream of the properties of the document: a set of MS-OLEPS under a name of Hancom's own. */
export const summaryStream = '\u0005HwpSummaryInformation';

const properties = { title: 2, author: 4, created: 12, modified: 13 } as const;
const MAX_PROPERTIES = 256;
const kinds = { text: 0x1f, time: 0x40 } as const;
/** Milliseconds from 1601, where the time stamps begin, to 1970. */
const EPOCH_OFFSET_MS = 11_644_473_600_000;

/** A time stamp in ISO 8601; undefined for none. */
export const timeAt = (bytes: Uint8Array, at: number): string | undefined => {
  const ticks = u32At(bytes, at + 4) * 2 ** 32 + u32At(bytes, at);
  const time = ticks / 10_000 - EPOCH_OFFSET_MS;
  // Earlier than the program itself, or none.
  return time > 0 && time < 4_102_444_800_000 ? new Date(time).toISOString() : undefined;
};

const valueAt = (bytes: Uint8Array, at: number): string | undefined => {
  const kind = u16At(bytes, at);
  if (kind === kinds.time) return timeAt(bytes, at + 4);
  if (kind !== kinds.text) return undefined;
  const text = decodeUtf16(bytes, at + 8, at + 8 + Math.min(u32At(bytes, at + 4), 4096) * 2)
    .replace(/\0[^]*$/u, '')
    .trim();
  return text === '' ? undefined : text;
};

/** Title, author and times of a document; what is missing or damaged is left out. */
export const readSummary = (bytes: Uint8Array): DocumentMeta => {
  const section = u32At(bytes, 44);
  const count = Math.min(u32At(bytes, section + 4), MAX_PROPERTIES);
  const values = new Map<number, string>();
  for (let index = 0; index < count; index += 1) {
    const entry = section + 8 + index * 8;
    if (entry + 8 > bytes.length) break;
    const value = valueAt(bytes, section + u32At(bytes, entry + 4));
    if (value !== undefined) values.set(u32At(bytes, entry), value);
  }
  const meta: Record<string, string> = {};
  for (const [name, id] of Object.entries(properties)) {
    const value = values.get(id);
    if (value !== undefined) meta[name] = value;
  }
  return meta;
};
