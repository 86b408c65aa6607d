import { markerOf } from '../../text/korean-headings.ts';
import { type Line, rowsOf } from './lines.ts';

/** Fewer rows with a number at their end may be a table. */
const MIN_ENTRIES = 5;
/** So many of them have a number of their own at the beginning; a table of figures has few that do. */
const MIN_NUMBERED_SHARE = 0.6;
/** Numbers of pages end at one place, as far from the words as no blank is wide. */
const SAME_EDGE_POINTS = 4;
const MIN_GAP_EM = 1.5;
/** Entries that stand further apart belong to two lists. */
const MAX_PITCH_EM = 4;

const pageNumber = /^\d{1,4}$/;
const ownNumber = /^(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.?|[Ⅰ-Ⅻ]\.?)$/u;

/** Letters may be set apart, also those of a number. */
const withoutBlanks = ({ text }: Line): string => text.replaceAll(' ', '');

const isNumbered = ([first]: readonly Line[]): boolean =>
  first !== undefined &&
  (ownNumber.test(withoutBlanks(first)) ||
    markerOf(first.text) !== null ||
    /^\d{1,2}(?:\.\d{1,2})*\s/.test(first.text));

/** The number of the page of an entry; null for any other row. */
function pageOf(row: readonly Line[]): number | null {
  const [before, last] = row.slice(-2);
  if (before === undefined || last === undefined || !pageNumber.test(withoutBlanks(last))) return null;
  if (last.x0 - before.x1 < MIN_GAP_EM * last.size || !row.some(({ text }) => /\p{L}/u.test(text))) return null;
  return Number(withoutBlanks(last));
}

/**
 * Rows of a list of contents that has no dots between its titles and their pages: numbered titles, and at one place behind them pages that
 * never go back. Each row is an entry.
 */
export function contentsRows(lines: readonly Line[]): Line[][] {
  const found: Line[][] = [];
  let open: Line[][] = [];
  let page = 0;
  const close = () => {
    const numbered = open.filter(isNumbered).length;
    if (open.length >= MIN_ENTRIES && numbered >= MIN_NUMBERED_SHARE * open.length) found.push(...open);
    open = [];
    page = 0;
  };
  for (const row of rowsOf(lines.filter(({ hidden }) => !hidden))) {
    const number = pageOf(row);
    const [last, above] = [row.at(-1)!, open.at(-1)?.at(-1)];
    const goesOn =
      number !== null &&
      number >= page &&
      (above === undefined ||
        (Math.abs(last.x1 - above.x1) < SAME_EDGE_POINTS && last.base - above.base < MAX_PITCH_EM * last.size));
    if (!goesOn) close();
    if (number === null) continue;
    open.push(row);
    page = number;
  }
  close();
  return found;
}
