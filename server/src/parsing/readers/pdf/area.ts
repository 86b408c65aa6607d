import { textOf } from '../../document.ts';
import { framedTables, freeTables, type AlignedTable } from './aligned.ts';
import type { CellEntry, Entry, PictureEntry, TableEntry, TextEntry } from './content.ts';
import { type Rect, around, centred, heightOf, median, widthOf } from './geometry.ts';
import type { Fill, Rule } from './graphics.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, GridCell } from './grid.ts';
import { type Line, linesOf } from './lines.ts';
import { type Placed, readingOrder } from './order.ts';
import { type Paragraph, type ParagraphContext, paragraphOf, paragraphsOf } from './paragraphs.ts';

/** What an area of a page holds before it is put in order. */
export interface Area {
  readonly glyphs: readonly Glyph[];
  readonly grids: readonly Grid[];
  readonly images: readonly Rect[];
  readonly loose: readonly Rule[];
  /** Edges of the cell, for text that does not reach them. */
  readonly bounds?: Rect;
}

export interface AreaContext extends ParagraphContext {
  readonly page: number;
  readonly fills: readonly Fill[];
  readonly levelOf: (mark: number) => number | undefined;
  readonly countCells: (count: number) => void;
  readonly mayNest: (depth: number) => boolean;
}

/** A frame around the whole page holds the page and is no table. */
const FRAME = 0.6;
const LONGEST_BANNER = 80;

/** A paragraph as it is kept: without its letters. */
export function textEntry(paragraph: Paragraph, context: AreaContext, right = Infinity): TextEntry {
  const { x0, y0, x1, y1, spans, text, lines, size, bold, hidden, fixed } = paragraph;
  const last = lines.at(-1)!;
  const glyph = lines[0]!.glyphs[0]!;
  const level = glyph.look.mark < 0 ? undefined : context.levelOf(glyph.look.mark);
  const left = Math.min(...lines.map((line) => line.x0));
  const code = fixed
    ? lines.map((line) => ' '.repeat(Math.min(80, Math.round((line.x0 - left) / (0.6 * line.size)))) + line.text)
    : null;
  return {
    kind: 'text',
    x0,
    y0,
    x1,
    y1,
    spans,
    text,
    size,
    bold,
    hidden,
    code,
    lines: lines.length,
    banner: false,
    full: last.x1 > right - 1.2 * size,
    openEnd: last.openEnd,
    ...(level === undefined ? {} : { level }),
  };
}

/** Letters that stand on their side, turned upright to make lines of them. */
function turned(glyphs: readonly Glyph[], context: AreaContext): TextEntry[] {
  const entries: TextEntry[] = [];
  for (const quarter of [1, 2, 3]) {
    const some = glyphs.filter(({ look }) => look.quarter === quarter);
    if (some.length === 0) continue;
    const upright = some.map((glyph): Glyph => {
      const { x0, y0, x1, y1 } = glyph;
      const rect =
        quarter === 1
          ? { x0: y0, y0: -x1, x1: y1, y1: -x0 }
          : quarter === 3
            ? { x0: -y1, y0: x0, x1: -y0, y1: x1 }
            : { x0: -x1, y0: -y1, x1: -x0, y1: -y0 };
      return { ...glyph, ...rect, base: rect.y1 - 0.2 * heightOf(rect) };
    });
    for (const paragraph of paragraphsOf(linesOf(upright), Infinity, { ...context, linkOf: () => undefined })) {
      const { x0, y0, x1, y1 } = paragraph;
      const back =
        quarter === 1
          ? { x0: -y1, y0: x0, x1: -y0, y1: x1 }
          : quarter === 3
            ? { x0: y0, y0: -x1, x1: y1, y1: -x0 }
            : { x0: -x1, y0: -y1, x1: -x0, y1: -y0 };
      entries.push({ ...textEntry(paragraph, context), ...back, aside: true });
    }
  }
  return entries;
}

/** Letters at any other angle, as stamps across a page have: in the order of the file. */
function slanted(glyphs: readonly Glyph[]): TextEntry[] {
  const some = glyphs.filter(({ look }) => look.quarter === null);
  const text = some
    .map((glyph) => glyph.text)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toWellFormed();
  if (text === '') return [];
  const size = median(some.map(({ look }) => look.size));
  const hidden = some.every((glyph) => glyph.hidden);
  return [
    {
      kind: 'text',
      ...around(some),
      spans: [{ text }],
      text,
      lines: 1,
      size,
      bold: false,
      hidden,
      code: null,
      banner: false,
      full: false,
      openEnd: false,
      aside: true,
    },
  ];
}

interface Block extends Placed {
  readonly entries: readonly Entry[];
}
interface LineItem extends Placed {
  readonly line: Line;
}
type Item = Block | LineItem;

/** Letters by the cell that they stand in. */
function byCell(grid: Grid, glyphs: readonly Glyph[]): Map<GridCell, Glyph[]> {
  const owner: GridCell[] = [];
  for (const cell of grid.cells)
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++)
      for (let column = cell.column; column < cell.column + cell.columnSpan; column++)
        owner[row * grid.columns + column] = cell;
  const last = (edges: readonly number[], value: number) => {
    let [low, high] = [0, edges.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle]! <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const cells = new Map<GridCell, Glyph[]>();
  for (const glyph of glyphs) {
    const row = last(grid.ys, (glyph.y0 + glyph.y1) / 2);
    const column = last(grid.xs, (glyph.x0 + glyph.x1) / 2);
    const cell = owner[row * grid.columns + column];
    if (cell === undefined) continue;
    const list = cells.get(cell);
    if (list === undefined) cells.set(cell, [glyph]);
    else list.push(glyph);
  }
  return cells;
}

const blank = (entries: readonly Entry[]) => entries.every((entry) => entry.kind === 'picture');

/** Whether cells of a row are painted otherwise than those of the last row. */
function paintedRows(grid: Grid, fills: readonly Fill[]): (row: number) => boolean {
  const colourOf = (row: number) => {
    const cells = grid.cells.filter((cell) => cell.row === row);
    const colours = cells.map((cell) => {
      const middle = { x0: cell.x0, x1: cell.x1, y0: cell.y0, y1: cell.y1 };
      return (
        fills.findLast((fill) => centred(middle, fill) && widthOf(fill) < 1.5 * widthOf(grid))?.colour ?? 0xff_ff_ff
      );
    });
    return colours.every((colour) => colour === colours[0]) ? colours[0] : undefined;
  };
  const last = colourOf(grid.rows - 1);
  return (row) => {
    const colour = colourOf(row);
    return colour !== undefined && colour !== 0xff_ff_ff && colour !== last && (row === 0 || colour === colourOf(0));
  };
}

const figures = (text: string) => /\d/.test(text) && text.replaceAll(/[\d\s.,%:()/+△▲₩$~-]/g, '').length <= 2;

/** How many rows at the top are headings: painted, bold, or words above figures. */
function headerRowsOf(
  cells: readonly Omit<CellEntry, 'header'>[],
  rows: number,
  painted: (row: number) => boolean,
): number {
  if (rows < 2) return 0;
  const texts = (row: number) =>
    cells.filter((cell) => cell.row === row).flatMap(({ entries }) => entries.filter((entry) => entry.kind === 'text'));
  const bold = (row: number) => texts(row).length > 0 && texts(row).every((entry) => entry.bold);
  const spans = Math.max(1, ...cells.filter(({ row }) => row === 0).map(({ rowSpan }) => rowSpan));
  const first = cells.filter(({ row }) => row === 0);
  if (first.length < 2) return 0;
  const above = painted(0) || (bold(0) && !bold(rows - 1));
  const words = texts(0).length >= 2 && texts(0).every(({ text }) => !figures(text) && text.length <= 40);
  const below = texts(rows - 1).some(({ text }) => figures(text));
  const full = first.every(({ entries }) => entries.some((entry) => entry.kind === 'text' && entry.text !== ''));
  if (!above && !(words && full && (below || rows >= 3))) return 0;
  let count = spans;
  while (above && count < rows - 1 && count < 4 && (painted(0) ? painted(count) : bold(count))) count++;
  return Math.min(count, rows - 1);
}

/** Rows and columns that no cell begins with go. */
function compact<Cell extends { row: number; column: number; rowSpan: number; columnSpan: number }>(
  cells: readonly Cell[],
): { cells: Cell[]; rows: number; columns: number; columnAt: number[] } {
  const starts = (of: (cell: Cell) => number) => [...new Set(cells.map(of))].toSorted((a, b) => a - b);
  const rowStarts = starts(({ row }) => row);
  const columnStarts = starts(({ column }) => column);
  const rowAt = new Map(rowStarts.map((value, at) => [value, at]));
  const columnAt = new Map(columnStarts.map((value, at) => [value, at]));
  const within = (list: readonly number[], from: number, span: number) =>
    list.filter((value) => value >= from && value < from + span).length;
  return {
    rows: rowStarts.length,
    columns: columnStarts.length,
    columnAt: columnStarts,
    cells: cells.map((cell) => ({
      ...cell,
      row: rowAt.get(cell.row)!,
      column: columnAt.get(cell.column)!,
      rowSpan: within(rowStarts, cell.row, cell.rowSpan),
      columnSpan: within(columnStarts, cell.column, cell.columnSpan),
    })),
  };
}

/** Entries of what stands in a grid: a table, the content of a box, or null where the lines are a drawing. */
function gridEntries(grid: Grid, area: Area, context: AreaContext, depth: number): Entry[] | null {
  const parts = byCell(grid, area.glyphs);
  if (parts.size === 0) return null;
  const inCell = (cell: GridCell): Area => ({
    bounds: cell,
    glyphs: parts.get(cell) ?? [],
    grids: area.grids.filter((inner) => inner !== grid && centred(inner, cell)),
    images: area.images.filter((image) => centred(image, cell)),
    loose: area.loose.filter(
      (rule) => rule.at > cell.y0 + 2 && rule.at < cell.y1 - 2 && rule.from >= cell.x0 - 2 && rule.to <= cell.x1 + 2,
    ),
  });
  if (grid.cells.length === 1) {
    const entries = areaEntries(inCell(grid.cells[0]!), context, depth + 1);
    const [only] = entries;
    const banner =
      entries.length === 1 && only?.kind === 'text' && only.text.length <= LONGEST_BANNER && only.lines <= 2;
    return banner ? [{ ...only, banner: true }] : entries;
  }
  if (parts.size < 2 || parts.size < 0.08 * grid.cells.length) return null;
  context.countCells(grid.cells.length);
  const cells = grid.cells.map((cell) => ({
    row: cell.row,
    column: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    page: context.page,
    entries: parts.has(cell) || area.images.length > 0 ? areaEntries(inCell(cell), context, depth + 1) : [],
  }));
  const made = compact(cells);
  const headerRows = headerRowsOf(made.cells, made.rows, paintedRows(grid, context.fills));
  if (made.rows * made.columns < 2) return cells.flatMap(({ entries }) => entries);
  const { x0, y0, x1, y1 } = grid;
  const xs = [...made.columnAt.map((at) => grid.xs[at]!), x1];
  return [
    {
      kind: 'table',
      x0,
      y0,
      x1,
      y1,
      xs,
      headerRows,
      rows: made.rows,
      columns: made.columns,
      cells: made.cells.map((cell) => ({ ...cell, header: cell.row < headerRows })),
    },
  ];
}

/** A table that alignment shows. */
function alignedEntry(table: AlignedTable, context: AreaContext): TableEntry {
  context.countCells(table.rows.length * table.columns);
  const plain = table.rows.flatMap((row, at) =>
    row.map(({ column, columnSpan, lines }) => ({
      row: at,
      rowSpan: 1,
      column,
      columnSpan,
      page: context.page,
      entries: [textEntry(paragraphOf(lines, context), context)],
    })),
  );
  const cells = merged(plain);
  const headerRows = headerRowsOf(cells, table.rows.length, () => false);
  const { x0, y0, x1, y1, columns } = table;
  return {
    kind: 'table',
    x0,
    y0,
    x1,
    y1,
    columns,
    headerRows,
    xs: [],
    rows: table.rows.length,
    cells: cells.map((cell) => ({ ...cell, header: cell.row < headerRows })),
  };
}

/** Pieces that fell into one cell are its paragraphs; what reaches over a place that is taken goes there. */
function merged(cells: readonly Omit<CellEntry, 'header'>[]): Omit<CellEntry, 'header'>[] {
  const result: Omit<CellEntry, 'header'>[] = [];
  for (const cell of cells) {
    const at = result.findLastIndex((other) => other.row === cell.row);
    const last = at === -1 ? undefined : result[at];
    if (last !== undefined && last.column + last.columnSpan > cell.column)
      result[at] = { ...last, entries: [...last.entries, ...cell.entries] };
    else result.push(cell);
  }
  return result;
}

/** What an area holds, in reading order. */
export function areaEntries(area: Area, context: AreaContext, depth = 0): Entry[] {
  const blocks: Block[] = [];
  let glyphs = area.glyphs;
  if (context.mayNest(depth)) {
    const whole = around(area.glyphs);
    // From the largest in: what lies in a grid belongs to it.
    const taken = new Set<Grid>();
    for (const grid of area.grids.toReversed()) {
      if (taken.has(grid)) continue;
      const frame =
        grid.cells.length === 1 &&
        depth === 0 &&
        heightOf(grid) > FRAME * heightOf(whole) &&
        widthOf(grid) > FRAME * widthOf(whole);
      if (frame) continue;
      const inside = glyphs.filter((glyph) => centred(glyph, grid));
      const entries = gridEntries(
        grid,
        { ...area, glyphs: inside, grids: area.grids.filter((one) => !taken.has(one)) },
        context,
        depth,
      );
      if (entries === null) continue;
      for (const other of area.grids) if (centred(other, grid)) taken.add(other);
      const gone = new Set(inside);
      glyphs = glyphs.filter((glyph) => !gone.has(glyph));
      if (!blank(entries)) blocks.push({ ...rectOf(grid), entries });
    }
  }
  const upright = glyphs.filter(({ look }) => look.quarter === 0);
  const aside = upright.length === glyphs.length ? [] : [...turned(glyphs, context), ...slanted(glyphs)];
  let lines = linesOf(upright);
  context.joiner.learn(lines);
  for (const table of framedTables(lines, area.loose)) {
    blocks.push({ ...rectOf(table), entries: [alignedEntry(table, context)] });
    lines = lines.filter((line) => !table.lines.has(line));
  }
  for (const image of pictures(area.images, blocks)) blocks.push({ ...image, entries: [image] });
  const items: Item[] = [
    ...blocks,
    ...lines.map((line) => ({ ...rectOf(line), size: line.size, base: line.base, line })),
  ];
  const { bounds } = area;
  const regions = readingOrder(items);
  const edgeOf = (right: number) =>
    bounds !== undefined && regions.length === 1 ? Math.max(right, bounds.x1 - 4) : right;
  return [...regions.flatMap((region) => regionEntries(region.items, edgeOf(region.x1), context)), ...aside];
}

const rectOf = ({ x0, y0, x1, y1 }: Rect): Rect => ({ x0, y0, x1, y1 });

/** Pictures large enough to be looked at, each place once. */
function pictures(images: readonly Rect[], blocks: readonly Rect[]): PictureEntry[] {
  const seen: PictureEntry[] = [];
  for (const image of images) {
    if (widthOf(image) < 24 || heightOf(image) < 24 || seen.length >= 200) continue;
    if (blocks.some((block) => centred(image, block))) continue;
    if (seen.some((other) => centred(image, other) && centred(other, image))) continue;
    seen.push({ kind: 'picture', ...rectOf(image) });
  }
  return seen;
}

/** Paragraphs, tables and pictures of one column. */
function regionEntries(items: readonly Item[], edge: number, context: AreaContext): Entry[] {
  const entries: Entry[] = [];
  let lines: Line[] = [];
  const close = () => {
    entries.push(...lineEntries(lines, edge, context));
    lines = [];
  };
  for (const item of items) {
    if ('line' in item) lines.push(item.line);
    else {
      close();
      entries.push(...item.entries);
    }
  }
  close();
  return entries;
}

function lineEntries(lines: readonly Line[], edge: number, context: AreaContext): Entry[] {
  if (lines.length === 0) return [];
  const tables = freeTables(lines).toSorted((a, b) => a.y0 - b.y0);
  const taken = new Set(tables.flatMap((table) => [...table.lines]));
  const entries: Entry[] = [];
  let rest = lines.filter((line) => !taken.has(line));
  const take = (some: readonly Line[]) => {
    for (const paragraph of paragraphsOf(some, edge, context))
      if (textOf(paragraph.spans).trim() !== '') entries.push(textEntry(paragraph, context, edge));
  };
  for (const table of tables) {
    take(rest.filter((line) => line.base < table.y0 + 1));
    rest = rest.filter((line) => line.base >= table.y0 + 1);
    entries.push(alignedEntry(table, context));
  }
  take(rest);
  return entries;
}
