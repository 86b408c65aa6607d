import type { Span, Table, TableCell } from '../../document.ts';
import { i32At, u16At, u32At } from './bytes.ts';
import { cellAreas } from './cell-places.ts';
import type { ControlContent } from './control-content.ts';
import type { Area } from './places.ts';
import { LINE_BYTES, type Line, readLines, type PageTracker } from './pages.ts';
import { paragraphLists, readCaption, readFrame, topInBody } from './object.ts';
import type { ParagraphList } from './object.ts';
import type { Control } from './paragraph.ts';
import { tableFlow, tableSteps, type TableFlow, type TableSteps } from './table-pages.ts';
import { append } from '../../package/append.ts';
import { recordTags } from './records.ts';
import type { TreeRecord } from './records.ts';
import { pageOf, placeWithin } from './session.ts';
import type { Banner, Item, Place, Session } from './session.ts';

/** A cell as it is stored, with the records `R` of the paragraphs in it. */
export interface RawCell<R = TreeRecord> {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly header: boolean;
  /** 1/7200 inch; 0 where the file does not tell. */
  readonly width: number;
  readonly height: number;
  readonly filled: boolean;
  /** Lines of each of its records, where the format keeps them; white above and below. */
  readonly lines?: () => readonly (readonly Line[])[];
  readonly above?: number;
  readonly below?: number;
  readonly list: { readonly records: readonly R[] };
}

/** What a table needs of what is shared; `R` is what the format's paragraphs are read from. */
type TableSession<R> = Pick<Session, 'paged' | 'finish'> & {
  readonly tracker: Pick<PageTracker, 'page' | 'top' | 'crosses' | 'columnHeight' | 'pagesTo' | 'carryOver'>;
  readonly list: (records: readonly R[], place: Place) => Item[];
};

/** Grids of this many places for each cell come from damaged files. */
const MAX_PLACES_PER_CELL = 1000;
const SMALL_GRID_PLACES = 10_000;
const MAX_BANNER_LENGTH = 60;
const MIN_TITLE_SIZE_HWPUNIT = 1500;
/** What a table does at the foot of a page, by two bits of its properties; the next one repeats its head. Source: HWP 5.0 revision 1.3, table 76. */
const splitKinds = ['never', 'rows', 'lines'] as const;
const REPEATS_HEAD = 4;
/** Cells have no more white than these 35 mm above or below. */
const MAX_WHITE_HWPUNIT = 10_000;
/** What stands in the first cell of a banner of several. */
const bannerNumber =
  /^(?:[Ⅰ-Ⅻⅰ-ⅻ①-⑳❶-❿]|[IVX]{1,4}|\d{1,2}|제\s?\d{1,2}\s?[장절편부]|붙임\s?\d{0,2}|참고\s?\d{0,2}|별첨\s?\d{0,2})[.)]?$/u;

const linesOf = ({ children }: TreeRecord): readonly Line[] =>
  readLines(children.find(({ tag }) => tag === recordTags.paraLineSeg)?.data ?? new Uint8Array());

/** How far the lines of a cell reach: rows grow with what is in them, and the height that is stored is the least one. */
const contentHeight = (list: ParagraphList): number => {
  let bottom = 0;
  for (const { tag, children } of list.records) {
    const lines =
      tag === recordTags.paraHeader ? children.find((child) => child.tag === recordTags.paraLineSeg) : undefined;
    const last = readLines(lines?.data.subarray(-LINE_BYTES) ?? new Uint8Array())[0];
    if (last !== undefined) bottom = Math.max(bottom, last.top + last.height);
  }
  return bottom;
};

/** White within a cell; what is not set is written as the largest number. */
const whiteAt = (head: Uint8Array, at: number): number => {
  const white = u16At(head, at);
  return white < MAX_WHITE_HWPUNIT ? white : 0;
};

const readCell = (list: ParagraphList, session: Session, filled: boolean): RawCell => {
  const { head } = list;
  const properties = u32At(head, 4);
  const fill = u16At(head, 32);
  const [above, below] = [whiteAt(head, 28), whiteAt(head, 30)];
  return {
    column: u16At(head, 8),
    row: u16At(head, 10),
    columnSpan: Math.max(1, u16At(head, 12)),
    rowSpan: Math.max(1, u16At(head, 14)),
    header: (properties & (1 << 18)) !== 0,
    width: Math.max(0, i32At(head, 16)),
    height: Math.max(i32At(head, 20), contentHeight(list) + above + below),
    filled: filled || session.info.fills[fill - 1] === true,
    lines: () => list.records.map(linesOf),
    above,
    below,
    list,
  };
};

/** Cells in reading order, each place begun once; null where the places make no table. */
export const arrangeCells = <R>(cells: readonly RawCell<R>[]): Grid<R> | null => {
  const seen = new Set<number>();
  const kept = cells
    .filter((cell) => {
      const place = cell.row * 0x10000 + cell.column;
      return !seen.has(place) && seen.add(place);
    })
    .toSorted((a, b) => a.row - b.row || a.column - b.column);
  const rows = kept.reduce((most, { row, rowSpan }) => Math.max(most, row + rowSpan), 0);
  const columns = kept.reduce((most, { column, columnSpan }) => Math.max(most, column + columnSpan), 0);
  const dense = rows * columns <= Math.max(SMALL_GRID_PLACES, kept.length * MAX_PLACES_PER_CELL);
  return dense && kept.length === cells.length && kept.length > 0 ? { cells: kept, rows, columns } : null;
};

/** Rows at the top whose cells are all marked as headings; else a first row on coloured ground over others that are not. */
const headerRowsOf = (cells: readonly RawCell<unknown>[], rows: number): number => {
  const begin = Array.from({ length: Math.min(rows, 32) }, (_, row) => cells.filter((cell) => cell.row === row));
  let marked = 0;
  while (marked < begin.length && begin[marked]!.length > 0 && begin[marked]!.every(({ header }) => header))
    marked += 1;
  if (marked > 0 || rows < 2) return Math.min(marked, rows);
  const first = begin[0]!;
  const coloured = first.length > 1 && first.every(({ filled, rowSpan }) => filled && rowSpan === 1);
  return coloured && begin[1]!.some(({ filled }) => !filled) ? 1 : 0;
};

/** The words of a table that is a title in a frame: one row, with nothing but a few words. */
const bannerOf = (contents: readonly (readonly Item[])[], rows: number): Banner | undefined => {
  const items = contents.flat();
  const texts = items.filter((item) => item.kind === 'text');
  const rest = items.flatMap((item) => (item.kind === 'block' ? [item.block] : []));
  const onlyNotes = rest.every(({ type }) => type === 'footnote');
  if (rows !== 1 || !onlyNotes || texts.length === 0 || texts.length > 2) return undefined;
  const [first, second] = texts;
  const number = bannerNumber.test(
    first!.spans
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
  // Two lines of one cell are a title where the letters are large.
  if (second !== undefined && !(contents.length > 1 ? number : second.size >= MIN_TITLE_SIZE_HWPUNIT)) return undefined;
  const spans: Span[] = texts.flatMap((item, index) => [
    ...(index > 0 ? [{ text: ' ' }] : []),
    ...(item.mark === null ? [] : [{ text: `${item.mark.text} ` }]),
    ...item.spans,
  ]);
  const length = spans.reduce((sum, { text }) => sum + text.length, 0);
  const last = texts.at(-1)!;
  return length <= MAX_BANNER_LENGTH ? { spans, size: last.size, bold: last.bold, rest } : undefined;
};

/** Cells at sound places. */
interface Grid<R> {
  readonly cells: readonly RawCell<R>[];
  readonly rows: number;
  readonly columns: number;
}

/** Where the rows of a table that goes on over the foot of a page stand; null for one that stays on its page. */
const flowOf = <R>(
  grid: Grid<R>,
  flow: TableFlow | null,
  session: TableSession<R>,
  place: Place,
): TableSteps | null => {
  if (flow === null || place.kind !== 'body' || !session.paged) return null;
  const { tracker } = session;
  const room = { top: tracker.top(), crosses: tracker.crosses(), height: tracker.columnHeight };
  return tableSteps(grid.cells, grid.rows, room, flow);
};

/** What stands in a cell: the records that begin on one page together. */
const cellItems = <R>(
  { list: { records } }: RawCell<R>,
  pages: readonly number[],
  session: TableSession<R>,
  inside: Place,
): Item[] => {
  if (new Set(pages).size < 2 || pages.length !== records.length) return session.list(records, inside);
  const items: Item[] = [];
  for (let from = 0, to = 0; from < records.length; from = to) {
    const page = pages[from] ?? null;
    for (to = from + 1; to < records.length && pages[to] === page;) to++;
    append(items, session.list(records.slice(from, to), { ...inside, page }));
  }
  return items;
};

/** Reads what stands in the cells; `flow` is how a table goes on over the foot of a page, null for one that does not. */
export const buildTable = <R>(
  grid: Grid<R>,
  flow: TableFlow | null,
  session: TableSession<R>,
  place: Place,
): { table: Table; banner?: Banner; areas: readonly (Area | null)[] } => {
  const page = pageOf(session, place);
  const { tracker } = session;
  const steps = flowOf(grid, flow, session, place);
  const pageAt = (step: number): number | null => (page === null ? null : page + tracker.pagesTo(step));
  const begins = steps?.begins ?? [];
  const begun = begins[0] ?? 0;
  const first = steps === null ? page : pageAt(begun);
  const headerRows = headerRowsOf(grid.cells, grid.rows);
  const contents: Item[][] = [];
  const cells = grid.cells.map((cell): TableCell => {
    const own = steps === null ? page : pageAt(begins[cell.row] ?? begun);
    const inside = { ...placeWithin(place, 'cell', cell.filled), page: own };
    const pages = steps?.records(cell).map((step) => pageAt(step) ?? 0) ?? [];
    const items = cellItems(cell, page === null ? [] : pages, session, inside);
    if (grid.rows === 1) contents.push(items);
    return {
      row: cell.row,
      column: cell.column,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      ...(cell.header || cell.row < headerRows ? { header: true } : {}),
      ...(own === null || own === first ? {} : { page: own }),
      blocks: session.finish(items),
    };
  });
  if (steps !== null) tracker.carryOver(steps.last, steps.bottom);
  const banner = bannerOf(contents, grid.rows);
  const table: Table = {
    type: 'table',
    rows: grid.rows,
    columns: grid.columns,
    headerRows,
    cells,
    page: first,
  };
  // How high the rest of the table begins on the next page is not known: its head may stand there again.
  const onFirstPage = ({ row, rowSpan }: RawCell<R>) => (begins[row + rowSpan - 1] ?? begun) === begun;
  const areas = cellAreas(grid.cells, grid.rows, grid.columns).map((area, at) =>
    onFirstPage(grid.cells[at]!) ? area : null,
  );
  return { table, areas, ...(banner === undefined ? {} : { banner }) };
};

/** A table as an item. One with a caption is placed together with that, so that where its cells stand is not known. */
export const tableItem = ({ table, banner, areas }: ReturnType<typeof buildTable>, caption: readonly Span[]): Item =>
  caption.length > 0
    ? { kind: 'block', block: { ...table, caption } }
    : { kind: 'block', block: table, areas, ...(banner === undefined ? {} : { banner }) };

/** Reads a table; where its cells make none, what is in them is given as it comes. */
export const readTable = (control: Control, session: Session, place: Place): ControlContent => {
  const frame = readFrame(control.data);
  const begin = control.children.findIndex(({ tag }) => tag === recordTags.table);
  const inner = placeWithin(place, place.kind, place.filled);
  const [captionList] = begin > 0 ? paragraphLists(control.children.slice(0, begin)) : [];
  const ground = begin === -1 ? false : isFilled(control.children[begin]!.data, session);
  const raw = paragraphLists(control.children.slice(begin + 1)).map((list) =>
    readCell(list, session, ground || place.filled),
  );
  session.budget.cells(raw.length);
  const found = (items: readonly Item[]): ControlContent => ({
    kind: 'objects',
    items,
    splits: true,
    words: null,
    top: topInBody(frame, session),
    place: frame.place,
  });

  const grid = arrangeCells(raw);
  const caption = readCaption(captionList, session, place);
  const rest = caption.rest.map((block): Item => ({ kind: 'block', block }));
  if (grid === null) {
    if (raw.length > 0)
      session.warn('table_damaged', 'The cells of a table have no sound places; their text is given without it.');
    const page = pageOf(session, place);
    return found([...raw.flatMap(({ list }) => session.list(list.records, { ...inner, kind: 'box', page })), ...rest]);
  }
  const properties = u32At(control.children[begin]?.data ?? control.data, 0);
  const flow = tableFlow({
    place: frame.place,
    splits: splitKinds[properties & 3] ?? 'lines',
    repeatsHead: (properties & REPEATS_HEAD) !== 0,
    cells: grid.cells,
  });
  return found([tableItem(buildTable(grid, flow, session, place), caption.spans), ...rest]);
};

/** True when the table as a whole stands on coloured ground. */
const isFilled = (data: Uint8Array, session: Session): boolean => {
  const rows = u16At(data, 4);
  return session.info.fills[u16At(data, 18 + rows * 2) - 1] === true;
};
