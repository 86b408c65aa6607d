import { markerOf } from '../../text/korean-headings.ts';
import { type Rect, boundingRect, overlapLength, widthOf } from './geometry.ts';
import type { Rule } from './graphics.ts';
import { type Line, rowsOf } from './lines.ts';
import { isContents, itemMark } from './paragraphs.ts';
import { append } from '../../package/append.ts';
import { largest } from '../../package/extremes.ts';

/** A table that alignment alone shows: lines by row and column. */
export interface AlignedTable extends Rect {
  readonly columns: number;
  /** Cells that reach over columns begin at `column`. */
  readonly rows: readonly (readonly { column: number; columnSpan: number; lines: Line[] }[])[];
  readonly lines: ReadonlySet<Line>;
}

type Interval = readonly [from: number, to: number];

const isNumeric = (text: string) =>
  /^[-+△▲(₩$€£]?\s*\d[\d,.\s]*\s*[%)원개명]?$/.test(text.trim()) || /^[-–—]$/.test(text.trim());
const isBullet = (text: string) =>
  text.trim().length <= 3 && (markerOf(`${text} x`) !== null || /^[•·▪▶➢o✓□]$/.test(text.trim()));

/** Rows with a larger pitch belong to no one table. */
const MAX_ROW_PITCH_EM = 3.2;
/** Pitch of the lines of one cell at most: Korean documents have 160 to 180 per cent. */
const MAX_LINE_PITCH_EM = 1.9;
/** Words in a cell are few. */
const MAX_CELL_LENGTH = 40;

/** Stretches along the page that columns take: where rows overlap they are one. */
const columnsOf = (rows: readonly (readonly Line[])[]): Interval[] => columnsWith([], rows.flat());

/** Columns with more lines among them. */
function columnsWith(known: readonly Interval[], lines: readonly Line[]): Interval[] {
  const columns: [number, number][] = [];
  const all = [...known, ...lines.map(({ x0, x1 }): Interval => [x0, x1])];
  for (const [from, to] of all.toSorted((a, b) => a[0] - b[0])) {
    const last = columns.at(-1);
    if (last !== undefined && from < last[1] + 1) last[1] = Math.max(last[1], to);
    else columns.push([from, to]);
  }
  return columns;
}

/** Columns that a line lies in: the first and how many. */
function placeOf(line: Rect, columns: readonly Interval[]): { column: number; columnSpan: number } {
  const inside = columns.flatMap(([from, to], at) => (overlapLength(line.x0, line.x1, from, to) > 0 ? [at] : []));
  const column = inside[0] ?? 0;
  return { column, columnSpan: Math.max(1, (inside.at(-1) ?? column) - column + 1) };
}

function buildTable(rows: readonly (readonly Line[])[], columns: readonly Interval[]): AlignedTable {
  const made: { column: number; columnSpan: number; lines: Line[] }[][] = [];
  for (const row of rows) {
    const cells = row.map((line) => ({ ...placeOf(line, columns), lines: [line] }));
    const above = made.at(-1);
    const last = rows[made.length - 1];
    const near =
      last !== undefined &&
      (row[0]?.base ?? 0) - largest(above!.flatMap(({ lines }) => lines.map(({ base }) => base))) <
        MAX_LINE_PITCH_EM * (row[0]?.size ?? 10);
    // A line alone in a column whose cell above it is full goes on there.
    if (above !== undefined && near && cells.length === 1 && cells[0]!.column > 0) {
      const [cell] = cells;
      const upper = above.find(({ column }) => column === cell!.column);
      if (upper !== undefined) {
        append(upper.lines, cell!.lines);
        continue;
      }
    }
    made.push(cells);
  }
  const lines = new Set(rows.flat());
  return { ...boundingRect(lines), columns: columns.length, rows: made, lines };
}

/** Words that are set apart: items under one mark, and parts that end with a comma or a colon; figures behind them make a table. */
function isEnumeration(rows: readonly (readonly Line[])[]): boolean {
  const most = (of: (row: readonly Line[]) => boolean) => rows.filter(of).length > 0.6 * rows.length;
  const openParts = most((row) => row.slice(0, -1).some(({ text }) => /[,:：]\s*\.?$/u.test(text)));
  const mark = itemMark(rows[0]![0]!.text);
  const items =
    mark !== null &&
    rows.every(([first]) => itemMark(first!.text) === mark) &&
    !most((row) => isNumeric(row.at(-1)!.text));
  return openParts || items;
}

/** True when rows make a table beyond doubt. */
function isCertainTable(rows: readonly (readonly Line[])[], columns: readonly Interval[], framed: boolean): boolean {
  const count = columns.length;
  if (count < 2 || rows.length < 2) return false;
  const cells = rows.flat();
  if (cells.some(({ text }) => isContents(text))) return false;
  const filled = cells.length / (rows.length * count);
  const byColumn = columns.map(([from, to]) => cells.filter((line) => overlapLength(line.x0, line.x1, from, to) > 0));
  if (byColumn[0]!.every(({ text }) => isBullet(text))) return false;
  const long = cells.filter(({ text }) => text.length > MAX_CELL_LENGTH).length;
  // Lines of prose reach over the columns.
  const across = rows.filter((row) => row.some((line) => placeOf(line, columns).columnSpan > 1)).length;
  if (framed) return filled >= 0.4 && long <= cells.length / 2 && across <= 1 + rows.length / 4;
  if (long > cells.length / 6) return false;
  const figures = byColumn
    .slice(1)
    .filter((column) => column.filter(({ text }) => isNumeric(text)).length >= 0.7 * column.length);
  if (count === 2) return rows.length >= 3 && figures.length === 1 && filled >= 0.85;
  return rows.length >= 3 && filled >= (figures.length > 0 ? 0.55 : 0.7);
}

/** Tables without lines down between the loose lines across that frame them. */
export function framedTables(all: readonly Line[], loose: readonly Rule[]): AlignedTable[] {
  const tables: AlignedTable[] = [];
  const lines = all.filter(({ hidden }) => !hidden);
  const order = loose.filter(({ from, to }) => to - from > 60).toSorted((a, b) => a.at - b.at);
  const used = new Set<Rule>();
  for (const top of order) {
    if (used.has(top)) continue;
    const alike = order.filter(
      (rule) =>
        rule.at > top.at && !used.has(rule) && Math.abs(rule.from - top.from) < 4 && Math.abs(rule.to - top.to) < 4,
    );
    const bottom = alike.at(-1);
    if (bottom === undefined || alike.length > 200) continue;
    const within = lines.filter(
      (line) => line.base > top.at && line.base < bottom.at + 1 && line.x0 > top.from - 6 && line.x1 < top.to + 6,
    );
    const outside = lines.some(
      (line) =>
        line.base > top.at &&
        line.base < bottom.at &&
        !within.includes(line) &&
        overlapLength(line.x0, line.x1, top.from, top.to) > 0,
    );
    if (outside || within.length < 4) continue;
    const rows = rowsOf(within);
    // Headings that reach over columns must not join them.
    const most = largest(rows.map(({ length }) => length));
    const columns = columnsOf(rows.filter((row) => row.length >= Math.max(2, most - 1)));
    if (alike.length < 2 && columns.length < 3) continue;
    if (!isCertainTable(rows, columns, true)) continue;
    tables.push(buildTable(rows, columns));
    for (const rule of [top, ...alike]) used.add(rule);
  }
  return tables.filter((table) => table.columns <= 40 && widthOf(table) > 40);
}

/** Rows one after the other whose parts stand below each other. */
export function freeTables(all: readonly Line[]): AlignedTable[] {
  const tables: AlignedTable[] = [];
  const rows = rowsOf(all.filter(({ hidden }) => !hidden));
  for (let start = 0; start < rows.length;) {
    let end = start;
    let kept: Interval[] = [];
    while (end < rows.length && rows[end]!.length >= 2) {
      const [above, here] = [rows[end - 1], rows[end]!];
      if (end > start && here[0]!.base - above![0]!.base > MAX_ROW_PITCH_EM * Math.max(here[0]!.size, above![0]!.size))
        break;
      const columns = columnsWith(kept, here);
      // Columns that grow together are none.
      if (end > start && columns.length < Math.min(kept.length, here.length)) break;
      kept = columns;
      end++;
      if (end - start > 400) break;
    }
    const found = rows.slice(start, end);
    const isListed = end - start >= 3 && isEnumeration(found);
    if (isListed) start = end;
    else if (end - start >= 3 && isCertainTable(found, kept, false)) {
      tables.push(buildTable(found, kept));
      start = end;
    } else start = Math.max(start + 1, end - start >= 3 ? start + 1 : end);
  }
  return tables.filter((table) => table.columns <= 40 && widthOf(table) > 40);
}
