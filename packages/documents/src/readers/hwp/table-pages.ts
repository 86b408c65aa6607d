import type { Line } from './pages.ts';
import type { ObjectPlace } from './places.ts';

/** What the way of a table over pages needs of a cell. Lengths are 1/7200 inch. */
export interface FlowingCell {
  readonly row: number;
  readonly rowSpan: number;
  readonly height: number;
  /** Lines of each of its records, from the top of its text on; none where the format keeps none. */
  readonly lines?: () => readonly (readonly Line[])[];
  /** White above its text and below. */
  readonly above?: number;
  readonly below?: number;
}

/** How a table goes on over the foot of a page. */
export interface TableFlow {
  /** A row goes on between two of its lines; else it goes over whole. */
  readonly partsRows: boolean;
  /** Rows at its top that stand on each page anew. */
  readonly repeated: number;
  /** From the first line of its paragraph down to it. */
  readonly offset: number;
  /** What it takes of its first page, where it goes over the foot of that; else its height. */
  readonly height: number;
}

/** A table as the file places it. */
export interface PlacedTable {
  readonly place: ObjectPlace;
  /** At the foot of a page it stays whole, goes over by rows, or by the lines of a row. */
  readonly splits: 'never' | 'rows' | 'lines';
  readonly repeatsHead: boolean;
  readonly cells: readonly { readonly row: number; readonly rowSpan: number; readonly header: boolean }[];
}

/** How a table goes on over the foot of its page; null for one that stays there: in the line, at a fixed place, or set so. */
export function tableFlow({ place, splits, repeatsHead, cells }: PlacedTable): TableFlow | null {
  if (splits === 'never' || place.inline || place.down.from !== 'paragraph') return null;
  let repeated = 0;
  for (; repeatsHead && repeated < MAX_REPEATED_ROWS; repeated++) {
    const inRow = cells.filter(({ row }) => row === repeated);
    if (inRow.length === 0 || !inRow.every(({ header, rowSpan }) => header && rowSpan === 1)) break;
  }
  const { align, offset } = place.down;
  return {
    partsRows: splits === 'lines',
    repeated,
    height: place.height,
    offset: place.margin.top + (align === 'start' ? Math.max(0, offset) : 0),
  };
}

/** Where the table begins, and how high the columns are that it may go on to. */
export interface FlowRoom {
  readonly top: number;
  /** The lines that it hangs on go over the foot of the page themselves. */
  readonly crosses: boolean;
  readonly height: (step: number) => number;
}

/** Columns as steps from the first one of the table. */
export interface TableSteps {
  /** Each row begins in it. */
  readonly begins: readonly number[];
  readonly last: number;
  /** How far the table reaches down its last column. */
  readonly bottom: number;
  /** Of the records of a cell: where each begins. */
  readonly records: (cell: FlowingCell) => readonly number[];
}

/** A part of a row that ends above half of its column was not cut by the foot of that. */
const MIN_PART_SHARE = 0.5;
/** Rows that end above this share of the column have not gone over its foot, whatever their lines say. */
const MIN_OVERFLOW_SHARE = 0.85;
/** Heights are rounded. */
const MAX_ROUNDING_HWPUNIT = 300;
/** More rows are no head of a table. */
const MAX_REPEATED_ROWS = 32;
/** Rows that are together higher than the table by this ratio stand on several pages. */
const MIN_SPLIT_RATIO = 1.05;

/** The parts of a cell that stand in different columns: lines that stand above the ones before them begin one. */
interface Parts {
  /** How far the lines of each reach. */
  readonly bottoms: readonly number[];
  /** The part that each record begins in, and where in that. */
  readonly records: readonly { readonly part: number; readonly top: number }[];
  readonly count: number;
  readonly first: number;
}

function partsOf(cell: FlowingCell): Parts {
  const bottoms = [0];
  const records: { part: number; top: number }[] = [];
  let before = Number.NEGATIVE_INFINITY;
  let count = 0;
  let first = 0;
  for (const lines of cell.lines?.() ?? []) {
    for (const [at, { top, height }] of lines.entries()) {
      if (top < before) bottoms.push(0);
      before = top;
      if (count === 0) first = top + height;
      count++;
      bottoms[bottoms.length - 1] = Math.max(bottoms.at(-1) ?? 0, top + height);
      if (at === 0) records.push({ part: bottoms.length - 1, top });
    }
    if (lines.length === 0) records.push({ part: bottoms.length - 1, top: Math.max(0, before) });
  }
  return { bottoms, records, count, first };
}

function rowHeights(cells: readonly FlowingCell[], rows: number): number[] {
  const heights = Array.from({ length: rows }, () => 0);
  for (const { row, rowSpan, height } of cells) if (rowSpan === 1) heights[row] = Math.max(heights[row] ?? 0, height);
  return heights;
}

interface CellParts {
  readonly cell: FlowingCell;
  readonly parts: Parts;
}

/** Where a row begins: in which column, and how far down that. */
interface RowBegin {
  readonly step: number;
  readonly at: number;
}

/** How often a row was cut by the foot of a column, and where its lines end in the last one. */
interface Cuts {
  readonly count: number;
  readonly bottom: number;
}

const noCuts: Cuts = { count: 0, bottom: 0 };

const contentHeight = ({ cell, parts }: CellParts): number =>
  (cell.above ?? 0) + (parts.bottoms.at(-1) ?? 0) + (cell.below ?? 0);

/** What the lines of a row say of its cuts, where it begins `at`; `limit` is the height of the column after so many cuts. */
function cutsOf(row: readonly CellParts[], at: number, height: number, limit: (cut: number) => number): Cuts {
  if (at + height < limit(0) * MIN_OVERFLOW_SHARE) return noCuts;
  let { count, bottom } = noCuts;
  for (const own of row) {
    const { cell, parts } = own;
    const ends = parts.bottoms.slice(0, -1);
    const isCut = (end: number, part: number): boolean =>
      (part === 0 ? at : 0) + (cell.above ?? 0) + end > limit(part) * MIN_PART_SHARE;
    if (ends.length === 0 || ends.length < count || !ends.every(isCut)) continue;
    bottom = ends.length > count ? contentHeight(own) : Math.max(bottom, contentHeight(own));
    count = ends.length;
  }
  return { count, bottom };
}

/** The columns that the records of a cell begin in. */
function recordSteps({ cell, parts }: CellParts, from: RowBegin, end: number, room: FlowRoom): number[] {
  const isCut = parts.bottoms.length > 1;
  return parts.records.map(({ part, top }) => {
    if (isCut) return Math.min(end, from.step + part);
    let step = from.step;
    let down = from.at + (cell.above ?? 0) + top;
    for (; cell.rowSpan === 1 && step < end && down >= room.height(step); step++) down -= room.height(step);
    return step;
  });
}

/** Places the rows of a table in the columns that it goes over: by the places of their lines, and by their heights where those say nothing. */
export function tableSteps(
  cells: readonly FlowingCell[],
  rows: number,
  room: FlowRoom,
  { partsRows, repeated, offset, height: firstHeight }: TableFlow,
): TableSteps {
  const heights = rowHeights(cells, rows);
  const head = heights.slice(0, repeated).reduce((sum, height) => sum + height, 0);
  const partsOfCell = new Map(cells.map((cell) => [cell, partsOf(cell)]));
  const inRow = Array.from({ length: rows }, (): CellParts[] => []);
  for (const [cell, parts] of partsOfCell) if (cell.rowSpan === 1) inRow[cell.row]?.push({ cell, parts });
  const begins: RowBegin[] = [];
  const ends: number[] = [];
  let step = 0;
  const sum = heights.reduce((total, height) => total + height, 0);
  const isSplit = room.crosses && sum > firstHeight * MIN_SPLIT_RATIO;
  // A line that stands below the first part of its table, as one between two tables does, does not say where that begins.
  const highest = isSplit ? Math.max(0, room.height(0) - firstHeight) : room.top + offset;
  let at = Math.min(room.top + offset, highest);
  /** Where rows begin in this column. */
  let upper = 0;
  const turn = (row: number): void => {
    step++;
    upper = row >= repeated && head * 2 < room.height(step) ? head : 0;
    at = upper;
  };
  const begin = (): void => void begins.push({ step, at });

  const placeCut = (row: number, own: readonly CellParts[], cuts: Cuts): void => {
    const firstLine = Math.max(...own.map(({ cell, parts }) => (cell.above ?? 0) + parts.first));
    if (at > upper && at + firstLine > room.height(step) + MAX_ROUNDING_HWPUNIT) turn(row);
    begin();
    for (let cut = 0; cut < cuts.count; cut++) turn(row);
    at += cuts.bottom;
  };
  const placeWhole = (row: number, own: readonly CellParts[], height: number): void => {
    const limit = room.height(step);
    const lines = Math.max(0, ...own.map(({ parts }) => parts.count));
    const content = Math.max(0, ...own.map(contentHeight));
    const isOver = at + Math.min(height, limit) > limit;
    // The white below the text of a row is cut by the foot of the column; text that fits stays above it.
    if (isOver && partsRows && lines > 0 && at > upper && content < height && at + content <= limit) {
      begin();
      const rest = at + height - limit;
      turn(row);
      at += Math.min(rest, room.height(step));
      return;
    }
    if (isOver && at > upper) turn(row);
    begin();
    // A row that is higher than a column goes on in others, at its lines: in no more of them than it has.
    let rest = Math.max(Math.min(height, room.height(step)), Math.min(height, content));
    for (let left = lines; left > 1 && at + rest > room.height(step) + MAX_ROUNDING_HWPUNIT; left--) {
      rest -= room.height(step) - at;
      turn(row);
    }
    at += Math.min(rest, room.height(step));
  };

  for (const [row, height] of heights.entries()) {
    const own = inRow[row] ?? [];
    const cuts = partsRows ? cutsOf(own, at, height, (cut) => room.height(step + cut)) : noCuts;
    if (cuts.count > 0) placeCut(row, own, cuts);
    else placeWhole(row, own, height);
    ends.push(step);
  }
  return {
    begins: begins.map((row) => row.step),
    last: step,
    bottom: at,
    records: (cell) => {
      const parts = partsOfCell.get(cell);
      const from = begins[cell.row];
      if (parts === undefined || from === undefined) return [];
      return recordSteps({ cell, parts }, from, ends[cell.row + cell.rowSpan - 1] ?? from.step, room);
    },
  };
}
