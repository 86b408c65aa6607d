import { type Frame, type TextShape, frameXml } from './frames.ts';
import { paragraphsXml } from './text.ts';

/** Edges no further apart are one: a twelfth of an inch. */
const EDGE_SLACK_UNITS = 48;

function edgesOf(places: readonly number[]): number[] {
  const edges: number[] = [];
  for (const place of places.toSorted((a, b) => a - b))
    if (edges.length === 0 || place - (edges.at(-1) ?? 0) > EDGE_SLACK_UNITS) edges.push(place);
  return edges;
}

function edgeAt(edges: readonly number[], place: number): number {
  let best = 0;
  for (const [at, edge] of edges.entries())
    if (Math.abs(edge - place) < Math.abs((edges[best] ?? 0) - place)) best = at;
  return best;
}

const frameOf = (frames: readonly Frame[]): Frame => ({
  left: Math.min(...frames.map(({ left }) => left)),
  top: Math.min(...frames.map(({ top }) => top)),
  right: Math.max(...frames.map(({ right }) => right)),
  bottom: Math.max(...frames.map(({ bottom }) => bottom)),
});

/** More come from damage. */
const MAX_CELLS = 2_000;

/** Shapes of a table, which are its cells and the lines between them, as a table of DrawingML. */
export function tableXml(shapes: readonly TextShape[]): string {
  const cells = shapes.filter(({ frame }) => frame.right > frame.left && frame.bottom > frame.top).slice(0, MAX_CELLS);
  if (cells.length === 0) return '';
  const columns = edgesOf(cells.flatMap(({ frame }) => [frame.left, frame.right]));
  const rows = edgesOf(cells.flatMap(({ frame }) => [frame.top, frame.bottom]));
  const [width, height] = [columns.length - 1, rows.length - 1];
  if (width < 1 || height < 1 || width * height > MAX_CELLS) return '';
  const grid: string[][] = Array.from({ length: height }, () => Array.from({ length: width }, () => ''));
  for (const { frame, text } of cells) {
    const [left, top] = [edgeAt(columns, frame.left), edgeAt(rows, frame.top)];
    const columnSpan = Math.max(1, edgeAt(columns, frame.right) - left);
    const rowSpan = Math.max(1, edgeAt(rows, frame.bottom) - top);
    const line = grid[top];
    if (line === undefined || line[left] !== '') continue;
    for (let row = top; row < Math.min(height, top + rowSpan); row++)
      for (let column = left; column < Math.min(width, left + columnSpan); column++)
        grid[row]![column] = `<a:tc${row > top ? ' vMerge="1"' : ' hMerge="1"'}/>`;
    const body = text === null ? '' : paragraphsXml(text);
    line[left] = `<a:tc gridSpan="${columnSpan}" rowSpan="${rowSpan}"><a:txBody>${body}</a:txBody></a:tc>`;
  }
  const lines = grid.map((line) => `<a:tr>${line.map((cell) => cell || '<a:tc><a:txBody/></a:tc>').join('')}</a:tr>`);
  const frame = frameXml(frameOf(cells.map((cell) => cell.frame)), 'p:xfrm');
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="0" name=""/><p:nvPr/></p:nvGraphicFramePr>${frame}<a:graphic><a:graphicData><a:tbl><a:tblPr/>${lines.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}
