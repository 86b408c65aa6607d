import type { Table, TableCell } from '../../document.ts';
import { columnWidths, gridOf } from '../columns.ts';
import { setBlock, type SetLine } from './blocks.ts';
import { type Element, paper, type Sheet, TEXT_HEIGHT, TEXT_WIDTH } from './sheet.ts';

const CELL_PADDING = 4;
/** White between the paragraphs of a cell. */
const MAX_SPACE = 4;
const HEAD_COLOUR = '#E7E6E6';
/** A head that takes more of a page is not repeated. */
const MAX_HEAD_SHARE = 0.35;
const MAX_ROW_HEIGHT = TEXT_HEIGHT * 0.6;

interface SetCell {
  readonly cell: TableCell;
  readonly x: number;
  readonly width: number;
  readonly lines: readonly SetLine[];
  /** Lines that were drawn. */
  drawn: number;
  element: Element | null;
}

/** A row, or a part of one that is higher than a page. */
interface Strip {
  readonly row: number;
  readonly height: number;
}

const heightOfLines = (lines: readonly SetLine[]): number =>
  lines.reduce((sum, { line, before }) => sum + line.height + before, 0);

function setCells(table: Table, sheet: Sheet): SetCell[] {
  const widths = columnWidths(table, TEXT_WIDTH);
  const lefts = widths.reduce<number[]>((all, width) => [...all, (all.at(-1) ?? paper.left) + width], [paper.left]);
  return gridOf(table).flatMap((places) =>
    places.flatMap(({ cell, begins }) => {
      if (!begins) return [];
      const x = lefts[cell.column] ?? paper.left;
      const width = (lefts[Math.min(table.columns, cell.column + cell.columnSpan)] ?? x) - x;
      const isHead = cell.row < table.headerRows;
      const set = cell.blocks.flatMap((block) =>
        setBlock(block, Math.max(12, width - 2 * CELL_PADDING), sheet, isHead),
      );
      const lines = set
        .flatMap((part) => part.lines)
        .map((one, at) => ({ ...one, before: at === 0 ? 0 : Math.min(one.before, MAX_SPACE) }));
      return [{ cell, x, width, lines, drawn: 0, element: null }];
    }),
  );
}

/** Heights of rows: what stands in cells over several of them is given to the last. */
function rowHeights({ rows }: Table, cells: readonly SetCell[]): number[] {
  const heights = Array.from({ length: rows }, () => 16);
  for (const { cell, lines } of cells.toSorted((a, b) => a.cell.rowSpan - b.cell.rowSpan)) {
    const last = Math.min(rows, cell.row + cell.rowSpan) - 1;
    let there = 0;
    for (let row = cell.row; row <= last; row++) there += heights[row] ?? 0;
    const wanted = heightOfLines(lines) + 2 * CELL_PADDING;
    if (wanted > there) heights[last] = (heights[last] ?? 0) + wanted - there;
  }
  return heights;
}

const stripsOf = (heights: readonly number[]): Strip[] =>
  heights.flatMap((height, row) => {
    const parts = Math.ceil(height / MAX_ROW_HEIGHT);
    return Array.from({ length: parts }, () => ({ row, height: height / parts }));
  });

/** Draws what a cell shows of these strips, which are on one page. */
function drawCell(
  sheet: Sheet,
  one: SetCell,
  isHead: boolean,
  { y, height, isLast }: { y: number; height: number; isLast: boolean },
): void {
  const { pdf } = sheet;
  const { x, width, lines } = one;
  sheet.artifact(() => {
    if (isHead) pdf.fillColor(HEAD_COLOUR).rect(x, y, width, height).fill();
    pdf.lineWidth(0.5).strokeColor('#000').rect(x, y, width, height).stroke();
  });
  const isWhole = isLast && one.drawn === 0;
  let at = y + (isWhole ? Math.max(CELL_PADDING, (height - heightOfLines(lines)) / 2) : CELL_PADDING);
  for (; one.drawn < lines.length; one.drawn++) {
    const set = lines[one.drawn];
    if (set === undefined) break;
    // The last part takes what is left: it was made as high.
    if (!isLast && at + set.before + set.line.height > y + height) break;
    at += set.before;
    const element = one.element;
    if (element === null) sheet.artifact(() => undefined);
    else sheet.drawLine(set.line, { x: x + CELL_PADDING + set.x, y: at, element, tag: isHead ? 'TH' : 'TD' });
    at += set.line.height;
  }
}

/** Strips that this page has room for, with the notes of their rows; one at least. */
function fittingStrips(sheet: Sheet, strips: readonly Strip[], from: number, notesIn: (row: number) => number) {
  let [to, taken, notes] = [from, 0, 0];
  for (; to < strips.length; to++) {
    const { row, height } = strips[to] ?? { row: 0, height: 0 };
    if (to === from || strips[to - 1]?.row !== row) notes += notesIn(row);
    if (to > from && taken + height > sheet.roomBeside(notes)) break;
    taken += height;
  }
  return { to, taken };
}

/** Draws a table from where the sheet is: cells over several places, rows of the head again on each page. */
export function drawTable(table: Table, sheet: Sheet): void {
  const { pdf } = sheet;
  const cells = setCells(table, sheet);
  const strips = stripsOf(rowHeights(table, cells));
  const root = pdf.struct('Table');
  pdf.addStructure(root);
  const byRow = Map.groupBy(cells, ({ cell }) => cell.row);
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const element = pdf.struct('TR');
    root.add(element);
    for (const one of byRow.get(row) ?? []) {
      one.element = pdf.struct(row < table.headerRows ? 'TH' : 'TD');
      element.add(one.element);
    }
    return element;
  });
  const notesIn = (row: number): number =>
    sheet.noteHeight((byRow.get(row) ?? []).flatMap(({ lines }) => lines.map(({ line }) => line)));
  const headHeight = strips.reduce((sum, { row, height }) => (row < table.headerRows ? sum + height : sum), 0);
  const repeats = headHeight > 0 && headHeight < MAX_HEAD_SHARE * TEXT_HEIGHT;
  for (let from = 0; from < strips.length;) {
    // Rows of the head stay with the first below them.
    const least =
      from < table.headerRows ? headHeight + (strips[table.headerRows]?.height ?? 0) : (strips[from]?.height ?? 0);
    sheet.need(Math.min(least, TEXT_HEIGHT - headHeight), notesIn(strips[from]?.row ?? 0));
    if (from > 0 && repeats && sheet.isFresh) drawHead(sheet, cells, strips, table.headerRows);
    const { to, taken } = fittingStrips(sheet, strips, from, notesIn);
    drawStrips(sheet, cells, { strips, from, to, headerRows: table.headerRows });
    sheet.advance(taken);
    from = to;
    if (from < strips.length) sheet.addPage();
  }
  for (const row of rows) row.end();
  root.end();
}

interface Run {
  readonly strips: readonly Strip[];
  readonly from: number;
  readonly to: number;
  readonly headerRows: number;
}

/** Draws strips that stand on one page. */
function drawStrips(sheet: Sheet, cells: readonly SetCell[], { strips, from, to, headerRows }: Run): void {
  const tops = [sheet.y];
  for (let at = from; at < to; at++) tops.push((tops.at(-1) ?? 0) + (strips[at]?.height ?? 0));
  /** First strip of each row that is here. */
  const firsts = new Map<number, number>();
  for (let at = to - 1; at >= from; at--) firsts.set(strips[at]?.row ?? 0, at);
  const top = strips[from]?.row ?? 0;
  for (const one of cells) {
    const end = one.cell.row + one.cell.rowSpan;
    const first = end <= top ? undefined : firsts.get(Math.max(top, one.cell.row));
    if (first === undefined) continue;
    let last = first;
    while (last + 1 < to && (strips[last + 1]?.row ?? end) < end) last++;
    const y = tops[first - from] ?? sheet.y;
    const height = (tops[last + 1 - from] ?? y) - y;
    const isLast = last + 1 >= strips.length || (strips[last + 1]?.row ?? end) >= end;
    drawCell(sheet, one, one.cell.row < headerRows, { y, height, isLast });
    sheet.keepNotes(one.lines.slice(0, one.drawn).map(({ line }) => line));
  }
}

/** The rows of the head once more, which programs that read aloud are not told of. */
function drawHead(sheet: Sheet, cells: readonly SetCell[], strips: readonly Strip[], headerRows: number): void {
  const again = cells.filter(({ cell }) => cell.row < headerRows).map((one) => ({ ...one, drawn: 0 }));
  const to = strips.findIndex(({ row }) => row >= headerRows);
  const element = sheet.pdf.struct('NonStruct');
  sheet.pdf.addStructure(element);
  for (const one of again) one.element = element;
  drawStrips(sheet, again, { strips, from: 0, to: to === -1 ? strips.length : to, headerRows });
  element.end();
  sheet.advance(strips.slice(0, to === -1 ? strips.length : to).reduce((sum, { height }) => sum + height, 0));
}
