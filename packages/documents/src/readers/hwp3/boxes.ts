import { type Block, textOf } from '../../document.ts';
import { type ControlContent, noContent } from '../hwp/control-content.ts';
import { equationToLatex } from '../hwp/equation/index.ts';
import { fewWords } from '../hwp/object.ts';
import { type Item, type Place, placeWithin } from '../hwp/session.ts';
import { MAX_INLINE_FRAME_LETTERS } from '../hwp/shapes.ts';
import { type RawCell, arrangeCells, buildTable } from '../hwp/table.ts';
import { i32At, u16At } from '../hwp/bytes.ts';
import { append } from '../../package/append.ts';
import { readDrawing } from './drawings.ts';
import type { Session } from './session.ts';

// Tables, frames, equations and pictures. Source: Hancom, HWP document file format 3.0, 표/글상자/수식/단추 and 그림.

const BOX_BYTES = 84;
const CELL_BYTES = 27;
const PICTURE_BYTES = 348;
const [TABLE, EQUATION] = [0, 2];
const IN_LINE = 0;
/** Kind of a picture that is a drawing. */
const DRAWING_BOX = 3;
/** Edges of cells that are nearer to each other are one. */
const SAME_EDGE = 5;
const MAX_PICTURE_DATA = 512 * 1024 * 1024;

/** A cell by its place and size in the table, in 1/1800 inch. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly shaded: boolean;
  readonly items: readonly Item[];
}

/** Numbers of edges by their places, from the first. */
function edgesOf(places: readonly number[]): (place: number) => number {
  const edges: number[] = [];
  for (const place of places.toSorted((a, b) => a - b))
    if (edges.length === 0 || place - edges.at(-1)! >= SAME_EDGE) edges.push(place);
  return (place) => {
    let [low, high] = [0, edges.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

function rawCells(cells: readonly Cell[]): RawCell<Item>[] {
  const column = edgesOf(cells.flatMap(({ x, width }) => [x, x + width]));
  const row = edgesOf(cells.flatMap(({ y, height }) => [y, y + height]));
  return cells.map(({ x, y, width, height, shaded, items }) => ({
    row: row(y),
    column: column(x),
    rowSpan: Math.max(1, row(y + height) - row(y)),
    columnSpan: Math.max(1, column(x + width) - column(x)),
    header: false,
    // Places on the page are not read.
    width: 0,
    height,
    filled: shaded,
    list: { records: items },
  }));
}

function tableOf(session: Session, cells: readonly Cell[], place: Place): Item[] {
  const grid = arrangeCells(rawCells(cells));
  if (grid === null) {
    session.warn('table_damaged', 'The cells of a table have no sound places; their text is given without it.');
    return cells.flatMap(({ items }) => items);
  }
  const { page } = session;
  const tracker = {
    page: () => page,
    top: () => 0,
    crosses: () => false,
    columnHeight: () => 0,
    pagesTo: () => 0,
    carryOver: () => undefined,
  };
  const shared = { paged: true, tracker, finish: session.finish, list: (items: readonly Item[]) => [...items] };
  const { table, banner } = buildTable(grid, null, shared, place);
  return [banner === undefined ? { kind: 'block', block: table } : { kind: 'block', block: table, banner }];
}

function captioned(items: readonly Item[], caption: readonly Item[]): Item[] {
  const spans = caption.flatMap((item, at) =>
    item.kind === 'text' ? [...(at === 0 ? [] : [{ text: ' ' }]), ...item.spans] : [],
  );
  const rest = caption.filter((item) => item.kind === 'block');
  if (spans.length === 0) return [...items, ...rest];
  const at = items.findIndex(
    (item) => item.kind === 'block' && (item.block.type === 'table' || item.block.type === 'image'),
  );
  const found = items[at];
  if (found?.kind !== 'block') return [...items, ...caption];
  const block = { ...found.block, caption: spans } as Block;
  return [...items.slice(0, at), { kind: 'block', block }, ...items.slice(at + 1), ...rest];
}

/** The script of an equation, which stands in its frame as text. */
function equationOf(items: readonly Item[]): ControlContent {
  const script = items.map((item) => (item.kind === 'text' ? textOf(item.spans) : '')).join(' ');
  const latex = equationToLatex(script);
  return latex === '' ? noContent : { kind: 'spans', spans: [{ text: latex, math: true }] };
}

/** Reads a table, a frame with text, an equation or a button. */
export function readBox(session: Session, place: Place): ControlContent {
  const { cursor } = session;
  const info = cursor.take(BOX_BYTES);
  const type = u16At(info, 78);
  const count = Math.max(1, u16At(info, 80));
  if (count * CELL_BYTES > cursor.left()) {
    session.warn('records_damaged', 'Parts of the document are damaged; what could be read is given.');
    cursor.end();
    return noContent;
  }
  session.budget.cells(count);
  const heads = Array.from({ length: count }, () => cursor.take(CELL_BYTES));
  const isTable = type === TABLE;
  const inside = { ...placeWithin(place, isTable ? 'cell' : 'box', true), page: place.page ?? session.page };
  const cells = heads.map((head): Cell => ({
    x: u16At(head, 4),
    y: u16At(head, 6),
    width: u16At(head, 8),
    height: u16At(head, 10),
    shaded: (head[24] ?? 0) > 0,
    items: session.list(inside),
  }));
  const caption = session.list({ ...placeWithin(place, 'caption', false), page: inside.page });
  if (type === EQUATION) return equationOf(cells.flatMap(({ items }) => items));
  const own = isTable ? tableOf(session, cells, { ...place, page: inside.page }) : cells.flatMap(({ items }) => items);
  const items = captioned(own, caption);
  if (items.length === 0) return noContent;
  const words =
    info[8] === IN_LINE && !isTable && caption.length === 0 ? fewWords(items, MAX_INLINE_FRAME_LETTERS) : null;
  return { kind: 'objects', items, splits: true, words, top: null };
}

/** Reads a picture: its caption is what is told of it. */
export function readPicture(session: Session, place: Place): ControlContent {
  const { cursor } = session;
  const info = cursor.take(PICTURE_BYTES);
  const more = i32At(info, 0);
  if (more < 0 || more > MAX_PICTURE_DATA || more > cursor.left()) {
    session.warn('records_damaged', 'Parts of the document are damaged; what could be read is given.');
    cursor.end();
    return noContent;
  }
  const data = cursor.take(more);
  const page = place.page ?? session.page;
  const isDrawing = info[74] === DRAWING_BOX;
  const drawn = isDrawing ? readDrawing(data, session, { ...place, page }) : [];
  const caption: Item[] = [];
  append(caption, session.list({ ...placeWithin(place, 'caption', false), page }));
  const items = captioned(isDrawing ? drawn : [{ kind: 'block', block: { type: 'image', page } }], caption);
  if (items.length === 0) return noContent;
  const words = info[8] === IN_LINE && caption.length === 0 ? fewWords(items, MAX_INLINE_FRAME_LETTERS) : null;
  return { kind: 'objects', items, splits: isDrawing && items.length > 1, words, top: null };
}
