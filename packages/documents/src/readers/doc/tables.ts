import { u16At } from '../hwp/bytes.ts';

const CELL_BYTES = 20;
/** Twentieths of a point: edges no further apart are one. */
const EDGE_SLACK_TWIPS = 20;

/** What the end of a row says of it. */
export interface RowEnd {
  /** The operand of the definition of the row's cells. */
  readonly table: Uint8Array | undefined;
  /** The row is repeated at the top of pages. */
  readonly heads: boolean;
}

export interface DocRow {
  /** Blocks of each cell. */
  readonly cells: readonly string[];
  readonly end: RowEnd;
}

interface CellShape {
  readonly left: number;
  readonly right: number;
  /** It goes on from the cell before it, or from that above it; others may go on from it. */
  readonly goesOn: boolean;
  readonly down: 'continue' | 'restart' | null;
}

const signed = (value: number) => (value << 16) >> 16;

/** The cells of a row by its definition. Source: MS-DOC 2.9.327, 2.9.315. */
function shapesOf(table: Uint8Array | undefined): CellShape[] {
  if (table === undefined) return [];
  const count = table[0] ?? 0;
  const cellsAt = 1 + (count + 1) * 2;
  return Array.from({ length: count }, (_, at) => {
    const bits = u16At(table, cellsAt + at * CELL_BYTES);
    const merged = (bits >> 5) & 3;
    return {
      left: signed(u16At(table, 1 + at * 2)),
      right: signed(u16At(table, 3 + at * 2)),
      goesOn: (bits & 3) === 1,
      down: merged === 3 ? 'restart' : merged === 1 ? 'continue' : null,
    };
  });
}

/** Places at which cells of any row end, those that are nearly the same once. */
function edgesOf(rows: readonly (readonly CellShape[])[]): number[] {
  const all = rows.flatMap((shapes) => shapes.flatMap(({ left, right }) => [left, right])).toSorted((a, b) => a - b);
  const edges: number[] = [];
  for (const edge of all) if (edges.length === 0 || edge - (edges.at(-1) ?? 0) > EDGE_SLACK_TWIPS) edges.push(edge);
  return edges;
}

/** Which of the edges a place is at. */
function columnAt(edges: readonly number[], place: number): number {
  let [low, high] = [0, edges.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rowXml({ cells, end }: DocRow, shapes: readonly CellShape[], edges: readonly number[]): string {
  const parts: string[] = [];
  for (const [at, blocks] of cells.entries()) {
    const shape = shapes[at];
    const span = shape === undefined ? 1 : Math.max(1, columnAt(edges, shape.right) - columnAt(edges, shape.left));
    const looks = [
      `<w:gridSpan w:val="${span}"/>`,
      shape?.goesOn === true ? '<w:hMerge w:val="continue"/>' : '',
      shape?.down == null ? '' : `<w:vMerge w:val="${shape.down}"/>`,
    ];
    parts.push(`<w:tc><w:tcPr>${looks.join('')}</w:tcPr>${blocks}</w:tc>`);
  }
  const before = shapes[0] === undefined ? 0 : columnAt(edges, shapes[0].left);
  const looks = `${before > 0 ? `<w:gridBefore w:val="${before}"/>` : ''}${end.heads ? '<w:tblHeader/>' : ''}`;
  return `<w:tr><w:trPr>${looks}</w:trPr>${parts.join('')}</w:tr>`;
}

/** A table of rows as WordprocessingML: columns are where cells of any row end. */
export function tableXml(rows: readonly DocRow[]): string {
  const shapes = rows.map(({ end }) => shapesOf(end.table));
  const edges = edgesOf(shapes);
  return `<w:tbl>${rows.map((row, at) => rowXml(row, shapes[at] ?? [], edges)).join('')}</w:tbl>`;
}
