import type { TextEntry } from './content.ts';
import type { Leaf } from './sheets.ts';

/** Headers and footers of a document: those that several pages share, and numbers of pages. */
export interface Margins {
  isMargin(entry: TextEntry): boolean;
  /** True when it is the first of those that are alike; the others are left out. */
  isFirst(entry: TextEntry): boolean;
}

const pageNumber =
  /^(?:[-–—<[(|]\s*)?(?:p(?:age|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:\/|of|[-–—])\s*\d{1,4})?(?:\s*(?:[-–—>\])|]|쪽|페이지))?$/i;

/** Texts at heights that differ by no more are at one place. */
const MAX_Y_DIFFERENCE_POINTS = 6;

/** What a text says, whatever its numbers. */
export const textShape = (text: string): string =>
  text
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\b[ivxl]+\b/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** True when rows say the same but for numbers that count the pages; numbers of chapters do not. */
export function isRepeated(rows: readonly { page: number; text: string }[]): boolean {
  const [first] = rows;
  if (first === undefined || rows.every(({ text }) => text === first.text)) return true;
  const offsets = rows.map(({ page, text }) => (text.match(/\d+/g) ?? []).map((digits) => Number(digits) - page));
  const counting = (at: number) =>
    rows.filter((_, row) => offsets[row]?.[at] === offsets[row === 0 ? 1 : row - 1]?.[at]).length >= 0.6 * rows.length;
  return (offsets[0]?.length ?? 0) === 0 || (offsets[0] ?? []).some((_, at) => counting(at));
}

/** Finds what repeats at the top and the foot of pages. Left and right pages may have their own. */
export function marginsOf(pages: readonly Leaf[]): Margins {
  interface Kind {
    readonly y: number;
    readonly first: TextEntry;
    readonly pages: { page: number; text: string }[];
    count: number;
  }
  const kinds = new Map<string, Kind[]>();
  const kindOf = (entry: TextEntry, side: string) =>
    kinds.get(`${side} ${textShape(entry.text)}`)?.find(({ y }) => Math.abs(y - entry.y0) <= MAX_Y_DIFFERENCE_POINTS);
  for (const page of pages)
    for (const side of ['top', 'bottom'] as const)
      for (const entry of page[side].rows) {
        const known = kindOf(entry, side);
        if (known === undefined) {
          const key = `${side} ${textShape(entry.text)}`;
          const made = { y: entry.y0, first: entry, pages: [{ page: page.order, text: entry.text }], count: 1 };
          const list = kinds.get(key);
          if (list === undefined) kinds.set(key, [made]);
          else if (list.length < 20) list.push(made);
        } else {
          known.count++;
          if (known.pages.length < 1_000) known.pages.push({ page: page.order, text: entry.text });
        }
      }
  const sides = new Map<TextEntry, Kind>();
  const firsts = new Set<TextEntry>();
  for (const page of pages)
    for (const side of ['top', 'bottom'] as const)
      for (const entry of page[side].rows) {
        const kind = kindOf(entry, side);
        // Two pages are enough where they say the very same, or count.
        const repeated = kind !== undefined && kind.count >= 2 && isRepeated(kind.pages);
        if (kind === undefined || !(repeated || entry.numbered === true || pageNumber.test(entry.text.trim())))
          continue;
        sides.set(entry, kind);
        if (kind.first === entry) firsts.add(entry);
      }
  return {
    isMargin: (entry) => sides.has(entry),
    isFirst: (entry) => firsts.has(entry),
  };
}
