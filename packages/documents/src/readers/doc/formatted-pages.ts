import { u32At } from '../hwp/bytes.ts';
import { readPlaces } from './file.ts';

const PAGE_BYTES = 512;
const PARAGRAPH_ENTRY_BYTES = 13;

/** Letters between two places of the stream that look the same: `list` are their properties. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly list: Uint8Array;
}

/** Where the properties of an entry stand in its page, and their bytes. */
type Find = (page: Uint8Array, count: number, index: number) => readonly [start: number, length: number];

const none = [0, 0] as const;

const findCharacters: Find = (page, count, index) => {
  const place = (page[(count + 1) * 4 + index] ?? 0) * 2;
  return place === 0 ? none : [place + 1, page[place] ?? 0];
};

/** Of paragraphs: the number of their style first. */
const findParagraphs: Find = (page, count, index) => {
  const place = (page[(count + 1) * 4 + index * PARAGRAPH_ENTRY_BYTES] ?? 0) * 2;
  if (place === 0) return none;
  const words = page[place] ?? 0;
  return words === 0 ? [place + 2, (page[place + 1] ?? 0) * 2] : [place + 1, words * 2 - 1];
};

/** How letters, or paragraphs, look: what pages of the stream say that a table names. Ascending by place. Source: MS-DOC 2.9.33, 2.9.175. */
export function readStretches(main: Uint8Array, table: Uint8Array, kind: 'characters' | 'paragraphs'): Stretch[] {
  const find = kind === 'characters' ? findCharacters : findParagraphs;
  const found: Stretch[] = [];
  const seen = new Set<number>();
  for (const entry of readPlaces(table, 4).data) {
    const start = (u32At(entry, 0) & 0x3fffff) * PAGE_BYTES;
    if (seen.has(start) || start + PAGE_BYTES > main.length) continue;
    seen.add(start);
    const page = main.subarray(start, start + PAGE_BYTES);
    const count = page[PAGE_BYTES - 1] ?? 0;
    for (let index = 0; index < count; index++) {
      const [place, length] = find(page, count, index);
      const [from, to] = [u32At(page, index * 4), u32At(page, index * 4 + 4)];
      if (to > from) found.push({ from, to, list: page.subarray(place, place + length) });
    }
  }
  return found.toSorted((a, b) => a.from - b.from);
}

/** Index of the stretch that a place is in; -1 for none before it. */
export function stretchAt(stretches: readonly Stretch[], place: number): number {
  let [low, high] = [-1, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((stretches[middle]?.from ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
