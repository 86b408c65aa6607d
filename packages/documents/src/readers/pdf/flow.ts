import type { FormField } from '../../document.ts';
import { markerOf } from '../../text/korean-headings.ts';
import type { CellEntry, Entry, PageParts, TableEntry, TextEntry } from './content.ts';
import { boundingRect, overlapLength } from './geometry.ts';
import { followsLetter } from './lettered.ts';
import type { LineJoiner } from './line-joiner.ts';
import { itemMark } from './paragraphs.ts';

/** An entry with its page. */
export interface Placed<Kind extends Entry = Entry> {
  readonly page: number;
  readonly entry: Kind;
}

/** An entry in the order of the pages, of which a sheet may hold two. */
export interface Flowing extends Placed {
  readonly order: number;
}

/** True when it is a text. */
export const isText = (one: Placed | undefined): one is Placed<TextEntry> => one?.entry.kind === 'text';
const isTable = (one: Placed | undefined): one is Placed<TableEntry> => one?.entry.kind === 'table';

/** Size of the letters of most of the text, in points. */
export function bodySize(pages: readonly PageParts[]): number {
  const counts = new Map<number, number>();
  const add = (entry: Entry) => {
    if (entry.kind !== 'text' || entry.hidden) return;
    const size = Math.round(entry.size * 2) / 2;
    counts.set(size, (counts.get(size) ?? 0) + entry.text.length);
  };
  for (const page of pages)
    for (const entry of [...page.top.paragraphs, ...page.entries, ...page.bottom.paragraphs]) add(entry);
  // Forms and tables have little text outside of their cells.
  const running = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (running < 200)
    for (const page of pages)
      for (const entry of page.entries)
        if (entry.kind === 'table') for (const cell of entry.cells) for (const inner of cell.entries) add(inner);
  let [best, most] = [0, 0];
  for (const [size, count] of counts) if (count > most) [best, most] = [size, count];
  return best === 0 ? 10 : best;
}

/** A page with fewer letters, or fewer of them in one size, has no size of its own. */
const MIN_PAGE_LETTERS = 250;
const MIN_PAGE_SHARE = 0.6;

/** Size of the letters of the text around an entry: that of its page, where most of it is in larger letters than the rest of the document. */
export function bodySizes(flow: readonly Placed[], body: number): (one: Placed) => number {
  const pages = new Map<number, Map<number, number>>();
  for (const one of flow) {
    if (!isText(one) || one.entry.hidden) continue;
    const sizes = pages.get(one.page) ?? new Map<number, number>();
    const size = Math.round(one.entry.size * 2) / 2;
    pages.set(one.page, sizes.set(size, (sizes.get(size) ?? 0) + one.entry.text.length));
  }
  const own = new Map<number, number>();
  for (const [page, sizes] of pages) {
    const all = [...sizes.values()].reduce((sum, count) => sum + count, 0);
    for (const [size, count] of sizes)
      if (size > body && all >= MIN_PAGE_LETTERS && count >= MIN_PAGE_SHARE * all) own.set(page, size);
  }
  return (one) => own.get(one.page) ?? body;
}

const cellText = (cell: CellEntry): string =>
  cell.entries.map((entry) => (entry.kind === 'text' ? entry.text : '')).join(' ');

const withoutBox = ({ box: _, ...field }: FormField): FormField => field;

/** A text that is put to one of the page before: places of its fields on its own page say nothing there. */
const withoutFieldBoxes = (entry: TextEntry): TextEntry => ({
  ...entry,
  spans: entry.spans.map((span) => (span.field === undefined ? span : { ...span, field: withoutBox(span.field) })),
});
const movedFrom = (entry: Entry): Entry => (entry.kind === 'text' ? withoutFieldBoxes(entry) : entry);

/** Pages on one sheet begin further from each other than this. */
const MIN_PAGE_OFFSET_POINTS = 150;

/** A table that goes on at the top of the next page, put together; headings that it repeats are left out. */
function joinContinuedTable(upper: TableEntry, lower: TableEntry): TableEntry | null {
  if (upper.columns !== lower.columns || upper.xs.length === 0 || upper.xs.length !== lower.xs.length) return null;
  const offset = lower.xs[0]! - upper.xs[0]!;
  const shift = Math.abs(offset) > MIN_PAGE_OFFSET_POINTS ? offset : 0;
  if (upper.xs.some((x, at) => Math.abs(x + shift - lower.xs[at]!) > 3)) return null;
  const headOf = (table: TableEntry, rows: number) =>
    table.cells
      .filter(({ row }) => row < rows)
      .map((cell) => `${cell.row} ${cell.column} ${cellText(cell)}`)
      .join('\n');
  // A heading left alone at the foot of a page.
  const rows = upper.rows === 1 && upper.headerRows === 0 && lower.headerRows === 0 ? 1 : upper.headerRows;
  const repeated = rows > 0 && rows < lower.rows && headOf(upper, rows) === headOf(lower, rows);
  const skipped = repeated ? rows : 0;
  const head = upper.cells.map((cell) => (cell.row < rows ? { ...cell, header: true } : cell));
  const tail = lower.cells.filter(({ row }) => row >= skipped);
  const split = isSplitRow(upper, tail, skipped);
  const moved = upper.rows - skipped - (split ? 1 : 0);
  const cells = split
    ? head.map((cell) => {
        const rest = tail.find(({ row, column }) => row === skipped && column === cell.column);
        return cell.row === upper.rows - 1 && rest !== undefined
          ? { ...cell, entries: [...cell.entries, ...rest.entries.map(movedFrom)] }
          : cell;
      })
    : head;
  return {
    ...upper,
    headerRows: rows,
    rows: moved + lower.rows,
    cells: [
      ...cells,
      ...tail
        .filter(({ row }) => !split || row > skipped)
        .map((cell) => ({ ...cell, row: cell.row + moved, header: false })),
    ],
  };
}

/** True when the first row of what goes on belongs to the last one before it: its first cell is empty then. */
function isSplitRow(upper: TableEntry, tail: readonly CellEntry[], first: number): boolean {
  const last = upper.cells.filter(({ row, rowSpan }) => row + rowSpan === upper.rows);
  const next = tail.filter(({ row }) => row === first);
  const simple = [...last, ...next].every(({ rowSpan, columnSpan }) => rowSpan === 1 && columnSpan === 1);
  if (!simple || last.length !== upper.columns || next.length !== upper.columns) return false;
  return cellText(next[0]!).trim() === '' && cellText(last[0]!).trim() !== '';
}

/** What a document knows of the ends of its lines. */
type Joiner = Pick<LineJoiner, 'between'>;

/** What stands between two parts of a paragraph, each of them Korean; left out for others. */
function gapBetween(upper: TextEntry, lower: TextEntry, joiner: Joiner): string | undefined {
  if (!/[가-힣]$/.test(upper.text) || !/^[가-힣]/.test(lower.text)) return undefined;
  return joiner.between(upper, lower, { ragged: false, room: false }) ?? undefined;
}

/** Tables and paragraphs that go on over the end of a page or column, each put together. */
export function joinTables(flow: readonly Flowing[], joiner: Joiner): Placed[] {
  const result: Flowing[] = [];
  for (const one of flow) {
    const last = result.at(-1);
    if (isTable(one) && isTable(last)) {
      const whole = one.order === last.order + 1 ? joinContinuedTable(last.entry, one.entry) : null;
      if (whole !== null) {
        // What follows is measured from where it ends.
        result[result.length - 1] = { page: last.page, order: one.order, entry: whole };
        continue;
      }
    }
    // A paragraph that goes on over the end of a page.
    if (isText(one) && isText(last) && goesOn(last, one)) {
      const rest = one.page === last.page ? one.entry : withoutFieldBoxes(one.entry);
      result[result.length - 1] = {
        ...last,
        entry: joinEntries(last.entry, rest, gapBetween(last.entry, rest, joiner)),
      };
      continue;
    }
    result.push(one);
  }
  return result;
}

/** Titles that take more than one line: large letters below each other, without a number of their own. */
export function joinTitles(flow: readonly Placed[], body: number): Placed[] {
  const result: Placed[] = [];
  for (const one of flow) {
    const last = result.at(-1);
    const labelled = isText(one) && isText(last) && one.page === last.page ? withLabel(last.entry, one.entry) : null;
    if (labelled !== null) result[result.length - 1] = { page: one.page, entry: labelled };
    else if (isText(one) && isText(last) && one.page === last.page && isSecondLine(last.entry, one.entry, body)) {
      const whole = joinEntries(last.entry, one.entry);
      const { x0, y0, x1, y1 } = boundingRect([last.entry, one.entry]);
      result[result.length - 1] = { page: last.page, entry: { ...whole, x0, y0, x1, y1 } };
    } else result.push(one);
  }
  return result;
}

const boxedLabel = /^(?:참\s*고|붙\s*임|별\s*첨)\s*\d{0,2}$/u;
const MAX_LABELLED_LENGTH = 80;

/** True for a label such as `참고 1` in a box, beside the title that it is of. */
const isLabelled = (label: TextEntry, title: TextEntry): boolean =>
  (label.banner || title.banner) &&
  boxedLabel.test(label.text.trim()) &&
  title.lines <= 2 &&
  title.text.length <= MAX_LABELLED_LENGTH &&
  title.x0 >= label.x1 - 1 &&
  overlapLength(label.y0, label.y1, title.y0, title.y1) > 0.5 * Math.min(label.y1 - label.y0, title.y1 - title.y0);

/** A title with the label in the box beside it, whichever of them comes first; null for other texts. */
function withLabel(one: TextEntry, other: TextEntry): TextEntry | null {
  const pair = isLabelled(one, other) ? [one, other] : isLabelled(other, one) ? [other, one] : null;
  if (pair === null) return null;
  const [label, title] = pair as [TextEntry, TextEntry];
  const { x0, y0, x1, y1 } = boundingRect([label, title]);
  return { ...joinEntries(label, title, ' '), x0, y0, x1, y1, size: title.size, banner: true };
}

const numberedHeading = /^(?:(?:chapter|part|section|appendix)\s+)?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.:]?\s/i;

function isSecondLine(upper: TextEntry, lower: TextEntry, body: number): boolean {
  const { size } = upper;
  if (size < 1.15 * body || Math.abs(size - lower.size) > 0.03 * size || upper.bold !== lower.bold) return false;
  if (upper.lines > 2 || lower.lines > 1 || upper.text.length + lower.text.length > 100) return false;
  if (upper.hidden || lower.hidden || upper.aside === true || lower.aside === true || upper.banner || lower.banner)
    return false;
  if (itemMark(lower.text) !== null || markerOf(lower.text) !== null || /[.!?]$/.test(upper.text)) return false;
  // Behind a number the second line stands below the words.
  const hanging =
    numberedHeading.test(upper.text) &&
    lower.x0 > upper.x0 &&
    lower.x0 < upper.x0 + 8 * size &&
    lower.x1 < upper.x1 + size;
  const aligned =
    hanging || Math.abs(upper.x0 - lower.x0) < 0.5 * size || Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) < size;
  return aligned && lower.y0 - upper.y1 < 0.6 * size && lower.y0 > upper.y0;
}

/** A line alone that goes on elsewhere has at least so many letters. */
const MIN_LONE_LENGTH = 20;

function goesOn(upper: Placed<TextEntry>, lower: Placed<TextEntry>): boolean {
  const [above, below] = [upper.entry, lower.entry];
  const elsewhere = lower.page === upper.page + 1 || (lower.page === upper.page && below.y1 < above.y0);
  if (!elsewhere || above.hidden || below.hidden || above.aside === true || below.aside === true) return false;
  if (above.code !== null || below.code !== null || above.bold !== below.bold) return false;
  if (Math.abs(above.size - below.size) > 0.3 || above.note !== undefined || below.note !== undefined) return false;
  if (itemMark(below.text) !== null || followsLetter(above.text, below.text)) return false;
  // One line says little, unless it is as long as the others.
  if (above.lines < 2 && (!above.full || above.text.length < MIN_LONE_LENGTH)) return false;
  if (/[\p{Ll},-]$/u.test(above.text) && /^\p{Ll}/u.test(below.text)) return true;
  return (
    above.full &&
    /[가-힣,]$/.test(above.text) &&
    !/[다요음함임]$/.test(above.text) &&
    /^[가-힣\p{Ll}]/u.test(below.text)
  );
}

function joinEntries(upper: TextEntry, lower: TextEntry, gap?: string): TextEntry {
  const hyphen = /\p{Ll}-$/u.test(upper.text) && /^\p{Ll}/u.test(lower.text);
  const between = gap ?? (hyphen || (/[가-힣]$/.test(upper.text) && !upper.openEnd) ? '' : ' ');
  const last = upper.spans.at(-1)!;
  const end = { ...last, text: (hyphen ? last.text.slice(0, -1) : last.text) + between };
  return {
    ...upper,
    text: (hyphen ? upper.text.slice(0, -1) : upper.text) + between + lower.text,
    spans: [...upper.spans.slice(0, -1), end, ...lower.spans],
    lines: upper.lines + lower.lines,
  };
}
