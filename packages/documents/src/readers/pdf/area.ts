import { textOf } from '../../document.ts';
import { type AlignedTable, framedTables, freeTables } from './aligned.ts';
import { byCell, withoutEmptyRows, headerRowsOf, mergeOverlappingCells, paintedRows } from './cells.ts';
import type { Entry, PictureEntry, TableEntry, TextEntry } from './content.ts';
import type { Drawing } from './drawings.ts';
import { type AreaContext, slantedEntries, textEntry, turnedEntries } from './entries.ts';
import { isPageWide } from './frames.ts';
import { type Rect, boundingRect, isCentredIn, heightOf, widthOf } from './geometry.ts';
import type { Rule } from './graphics.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, GridCell } from './grid.ts';
import { type Line, joinRow, linesOf } from './lines.ts';
import { optionsOf } from './options.ts';
import { type Placed, readingOrder } from './order.ts';
import { contentsRows } from './contents-list.ts';
import { withFigureRows } from './figure-rows.ts';
import { paragraphOf, paragraphsOf } from './paragraphs.ts';
import { type Quarter, quarterOf, turnBack, turnGlyph, turnGrid, turnRect, turnRectBack } from './turned.ts';
import { append } from '../../package/append.ts';

/** The contents of an area of a page before they are put in order. */
export interface Area {
  readonly glyphs: readonly Glyph[];
  readonly grids: readonly Grid[];
  readonly images: readonly Rect[];
  readonly drawings: readonly Drawing[];
  readonly loose: readonly Rule[];
  /** Edges of the cell, for text that does not reach them. */
  readonly bounds?: Rect;
}

const MAX_BANNER_LENGTH = 80;
/** Smaller pictures stand in rows. */
const MIN_COLUMN_PICTURE_POINTS = 120;
const PICTURE_EDGE_POINTS = 6;
/** Frames of fewer cells, such as that of a label at the edge, are no tables on their side. */
const MIN_TURNED_CELLS = 4;

interface Block extends Placed {
  readonly entries: readonly Entry[];
}
interface LineItem extends Placed {
  readonly line: Line;
}
type Item = Block | LineItem;

const hasNoText = (entries: readonly Entry[]) =>
  entries.every((entry) => entry.kind === 'picture' && entry.words === undefined);

/** What stands in the first cell of a title in a box of two. */
const bannerNumber =
  /^(?:[Ⅰ-Ⅻⅰ-ⅻ①-⑳❶-❿]|[IVX]{1,4}|\d{1,2}|제\s?\d{1,2}\s?[장절편부]|(?:붙임|참고|별첨)\s?\d{0,2})[.)]?$/u;

/** A number beside a title, each in a box of its own, as one title; null for any other row. */
function bannerOf(cells: readonly (readonly Entry[])[]): TextEntry | null {
  const full = cells.filter((entries) => entries.length > 0);
  if (full.length !== 2 || full.some((entries) => entries.length > 1)) return null;
  const [number, title] = full.map(([entry]) => entry);
  if (number?.kind !== 'text' || title?.kind !== 'text' || !bannerNumber.test(number.text.trim())) return null;
  if (title.lines > 2 || title.text.length > MAX_BANNER_LENGTH || !/\p{L}{2}/u.test(title.text.replaceAll(/\s/g, '')))
    return null;
  const text = `${number.text.trim()} ${title.text.trim()}`;
  return { ...title, text, spans: [...number.spans, { text: ' ' }, ...title.spans], banner: true };
}

/** Entries of what stands in a grid: a table, the content of a box, or null where the lines are a drawing. */
function gridEntries(drawn: Grid, area: Area, context: AreaContext, depth: number): Entry[] | null {
  const grid = drawn.cells.length < 2 ? drawn : withFigureRows(drawn, area.glyphs);
  const parts = byCell(grid, area.glyphs);
  if (parts.size === 0) return null;
  const inCell = (cell: GridCell): Area => ({
    bounds: cell,
    glyphs: parts.get(cell) ?? [],
    grids: area.grids.filter((inner) => inner !== drawn && isCentredIn(inner, cell)),
    images: area.images.filter((image) => isCentredIn(image, cell)),
    drawings: area.drawings.filter((drawing) => isCentredIn(drawing, cell)),
    loose: area.loose.filter(
      (rule) => rule.at > cell.y0 + 2 && rule.at < cell.y1 - 2 && rule.from >= cell.x0 - 2 && rule.to <= cell.x1 + 2,
    ),
  });
  if (grid.cells.length === 1) {
    const entries = areaEntries(inCell(grid.cells[0]!), context, depth + 1);
    const [only] = entries;
    const banner =
      entries.length === 1 && only?.kind === 'text' && only.text.length <= MAX_BANNER_LENGTH && only.lines <= 2;
    return banner ? [{ ...only, banner: true }] : entries;
  }
  if (parts.size < 2 || parts.size < 0.08 * grid.cells.length) return null;
  context.countCells(grid.cells.length);
  const cells = grid.cells.map((cell) => ({
    ...rectOf(cell),
    row: cell.row,
    column: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    page: context.page,
    entries:
      parts.has(cell) || area.images.length + area.drawings.length > 0
        ? areaEntries(inCell(cell), context, depth + 1)
        : [],
  }));
  const made = withoutEmptyRows(cells);
  const headerRows = headerRowsOf(made.cells, made.rows, paintedRows(grid, context.fills));
  const title = made.rows === 1 ? bannerOf(made.cells.map(({ entries }) => entries)) : null;
  if (title !== null) return [{ ...title, x0: grid.x0, y0: grid.y0, x1: grid.x1, y1: grid.y1 }];
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

/** A table that stands on its side, read as it is by who turns the page. */
function turnedTable(
  grid: Grid,
  area: Area,
  context: AreaContext,
  { depth, quarter }: { readonly depth: number; readonly quarter: Quarter },
): Entry[] | null {
  const turned: Area = {
    glyphs: area.glyphs.map((glyph) => turnGlyph(glyph, quarter)),
    grids: [],
    images: area.images.map((image) => turnRect(image, quarter)),
    drawings: [],
    loose: [],
  };
  const fills = context.fills
    .filter((fill) => isCentredIn(fill, grid))
    .map(({ colour, ...fill }) => ({ ...turnRect(fill, quarter), colour }));
  const linkOf = (rect: Rect) => context.linkOf(turnRectBack(rect, quarter));
  const entries = gridEntries(turnGrid(grid, quarter), turned, { ...context, fills, linkOf }, depth);
  return entries === null ? null : turnBack(entries, quarter);
}

/** A table that alignment shows. */
function alignedEntry(table: AlignedTable, context: AreaContext): TableEntry {
  context.countCells(table.rows.length * table.columns);
  const rights = new Map<number, number>();
  for (const { column, columnSpan, lines } of table.rows.flat())
    for (const { x1 } of lines)
      rights.set(column + columnSpan, Math.max(x1, rights.get(column + columnSpan) ?? -Infinity));
  const plain = table.rows.flatMap((row, at) =>
    row.map(({ column, columnSpan, lines }) => ({
      ...boundingRect(lines),
      row: at,
      rowSpan: 1,
      column,
      columnSpan,
      page: context.page,
      entries: paragraphsOf(lines, rights.get(column + columnSpan)!, context).map((one) => textEntry(one, context)),
    })),
  );
  const cells = mergeOverlappingCells(plain);
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

/** The contents of an area in reading order. */
export function areaEntries(area: Area, context: AreaContext, depth = 0): Entry[] {
  const blocks: Block[] = [];
  let glyphs = area.glyphs;
  if (context.mayNest(depth)) {
    const whole = boundingRect(area.glyphs);
    // From the largest in: what lies in a grid belongs to it.
    const taken = new Set<Grid>();
    for (const grid of area.grids.toReversed()) {
      if (taken.has(grid)) continue;
      // A frame around the page holds it and is no table.
      if (grid.cells.length === 1 && depth === 0 && isPageWide(grid, whole)) continue;
      const inside = glyphs.filter((glyph) => isCentredIn(glyph, grid));
      const within = { ...area, glyphs: inside, grids: area.grids.filter((one) => !taken.has(one)) };
      const quarter = grid.cells.length < MIN_TURNED_CELLS ? null : quarterOf(inside);
      const entries =
        quarter === null
          ? gridEntries(grid, within, context, depth)
          : turnedTable(grid, within, context, { depth, quarter });
      if (entries === null) continue;
      for (const other of area.grids) if (isCentredIn(other, grid)) taken.add(other);
      const gone = new Set(inside);
      glyphs = glyphs.filter((glyph) => !gone.has(glyph));
      if (!hasNoText(entries)) blocks.push({ ...placeOf(grid, entries), entries });
    }
  }
  const upright = glyphs.filter(({ look }) => look.quarter === 0);
  const aside = upright.length === glyphs.length ? [] : [...turnedEntries(glyphs, context), ...slantedEntries(glyphs)];
  let lines = linesOf(upright);
  context.joiner.learn(lines);
  for (const table of framedTables(lines, area.loose)) {
    blocks.push({ ...rectOf(table), entries: [alignedEntry(table, context)] });
    lines = lines.filter((line) => !table.lines.has(line));
  }
  const allOptions = optionsOf(lines);
  for (const options of allOptions) {
    const { x0 } = options;
    const entries = options.items.flatMap((item) =>
      paragraphsOf(item, boundingRect(item).x1, context).map((one) => ({ ...textEntry(one, context), x0 })),
    );
    blocks.push({ ...rectOf(options), entries });
  }
  const inOptions = new Set(allOptions.flatMap((options) => [...options.lines]));
  lines = lines.filter((line) => !inOptions.has(line));
  for (const { words, ...drawing } of area.drawings)
    if (!blocks.some((block) => isCentredIn(drawing, block)))
      blocks.push({ ...rectOf(drawing), entries: [{ kind: 'picture', ...rectOf(drawing), words }] });
  for (const image of pictureEntries(area.images, blocks)) blocks.push({ ...withoutEdges(image), entries: [image] });
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

/** Where a grid counts among columns; a frame around pictures as wide as what it holds. */
function placeOf(grid: Grid, entries: readonly Entry[]): Rect {
  if (grid.cells.length > 1 || !entries.some(({ kind }) => kind === 'picture')) return rectOf(grid);
  const { x0, x1 } = boundingRect(entries.map((entry) => (entry.kind === 'picture' ? withoutEdges(entry) : entry)));
  return { ...rectOf(grid), x0, x1 };
}

/** Where a picture counts among columns: that of a column may reach into the white beside it by its own white edge. */
const withoutEdges = (image: Rect): Rect =>
  widthOf(image) < MIN_COLUMN_PICTURE_POINTS
    ? rectOf(image)
    : { ...rectOf(image), x0: image.x0 + PICTURE_EDGE_POINTS, x1: image.x1 - PICTURE_EDGE_POINTS };

/** Pictures large enough to be looked at, each place once. */
function pictureEntries(images: readonly Rect[], blocks: readonly Rect[]): PictureEntry[] {
  const seen: PictureEntry[] = [];
  for (const image of images) {
    if (widthOf(image) < 24 || heightOf(image) < 24 || seen.length >= 200) continue;
    if (blocks.some((block) => isCentredIn(image, block))) continue;
    if (seen.some((other) => isCentredIn(image, other) && isCentredIn(other, image))) continue;
    seen.push({ kind: 'picture', ...rectOf(image) });
  }
  return seen;
}

/** Paragraphs, tables and pictures of one column. */
function regionEntries(items: readonly Item[], edge: number, context: AreaContext): Entry[] {
  const entries: Entry[] = [];
  let lines: Line[] = [];
  const close = () => {
    append(entries, lineEntries(lines, edge, context));
    lines = [];
  };
  for (const item of items) {
    if ('line' in item) lines.push(item.line);
    else {
      close();
      append(entries, item.entries);
    }
  }
  close();
  return entries;
}

function lineEntries(lines: readonly Line[], edge: number, context: AreaContext): Entry[] {
  if (lines.length === 0) return [];
  const contents = contentsRows(lines).map((row) => ({ ...boundingRect(row), row }));
  const listed = new Set(contents.flatMap(({ row }) => row));
  const tables = freeTables(lines.filter((line) => !listed.has(line)));
  const taken = new Set([...listed, ...tables.flatMap((table) => [...table.lines])]);
  const entries: Entry[] = [];
  let rest = lines.filter((line) => !taken.has(line));
  const take = (some: readonly Line[]) => {
    for (const paragraph of paragraphsOf(some, edge, context))
      if (textOf(paragraph.spans).trim() !== '' || paragraph.spans.some(({ field }) => field !== undefined))
        entries.push(textEntry(paragraph, context, edge));
  };
  for (const part of [...tables, ...contents].toSorted((a, b) => a.y0 - b.y0)) {
    take(rest.filter((line) => line.base < part.y0 + 1));
    rest = rest.filter((line) => line.base >= part.y0 + 1);
    if ('lines' in part) entries.push(alignedEntry(part, context));
    else entries.push({ ...textEntry(paragraphOf([joinRow(part.row)], context), context), contents: true });
  }
  take(rest);
  return entries;
}
