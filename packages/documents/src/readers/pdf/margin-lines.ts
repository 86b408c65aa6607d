import { type Frame, isCentredIn, median } from './geometry.ts';
import { type Graphics, WHITE_RGB } from './graphics.ts';
import type { Ruling } from './grid.ts';
import { type Line, joinRow, rowsOf } from './lines.ts';
import { labelsBeside } from './word-frames.ts';
import { largest, smallest } from '../../package/extremes.ts';

/** Headers stand above the first share of the height of a page, footers below the second. */
const MAX_HEADER_Y_SHARE = 0.13;
const MIN_FOOTER_Y_SHARE = 0.87;
/** Page numbers may stand higher than other footers. */
const MIN_PAGE_NUMBER_Y_SHARE = 0.78;
const loneNumber = /^[^\p{L}\p{N}]*\d{1,4}[^\p{L}\p{N}]*$/u;
const MAX_MARGIN_ROWS = 3;
/** Rows at an edge that stand further apart are not of the text. */
const MAX_PITCH_EM = 2;
const MAX_COLUMN_PITCH_EM = 3.4;
/** Rows up to so much further apart than most of the page are not apart: text may have two lines for one. */
const SAME_PITCH = 1.15;
const MAX_TEXT_PITCH_EM = 2.6;
const MIN_STEPS = 10;
/** The number of a page alone in its middle is its footer from this pitch on. */
const MIN_NUMBER_PITCH_EM = 1.5;
const MAX_OFF_MIDDLE_SHARE = 0.05;

/** Rows at one end of a page that stand apart from the rest. */
function marginRows(
  outer: readonly Line[][],
  inner: Line[] | undefined,
  apart: (inner: Line[], outer: Line[]) => boolean,
): Line[][] {
  let found: Line[][] = [];
  for (let count = 1; count <= Math.min(MAX_MARGIN_ROWS, outer.length); count++) {
    const next = outer[count] ?? inner;
    if (next === undefined || apart(next, outer[count - 1]!)) found = outer.slice(0, count);
  }
  return found;
}

/** True when the number of the page stands at either end of a row, away from what else stands there. */
export const hasNumber = (row: readonly Line[]) =>
  [row[0], row.at(-1)].some((line) => line !== undefined && /^(?:\d{1,4}|[ivxl]{1,6})$/.test(line.text));

/** True for a row of a number alone, low on its page. */
export const isPageNumber = (row: readonly Line[], frame: Frame): boolean =>
  middleOf(row[0]!) > MIN_PAGE_NUMBER_Y_SHARE * frame.height && loneNumber.test(joinRow(row).text);

const middleOf = (line: Line) => line.base - 0.3 * line.size;

/** True when rows are those of columns of text: lines that begin below each other. Headers are set to the right on the right. */
const beginColumns = (upper: readonly Line[], lower: readonly Line[]): boolean =>
  upper.length > 1 && upper.every((line) => lower.some(({ x0 }) => Math.abs(x0 - line.x0) < line.size));

/** Lines above and below the text of a page: its headers and footers, and what looks like them. */
export function marginLinesOf(
  lines: readonly Line[],
  { loose, grids }: Ruling,
  graphics: Graphics,
  frame: Frame,
): { readonly top: readonly Line[][]; readonly bottom: readonly Line[][] } {
  const rows = rowsOf(lines.filter((line) => !grids.some((grid) => isCentredIn(line, grid))));
  const steps = rows.slice(1).map(([line], at) => line!.base - rows[at]![0]!.base);
  const usual = steps.length < MIN_STEPS ? 0 : SAME_PITCH * median(steps);
  const frames = grids.filter(({ cells }) => cells.length === 1);
  const fills = graphics.fills.filter(
    (fill) => fill.colour !== WHITE_RGB && !frames.some((frame) => isCentredIn(fill, frame)),
  );
  /** Whether a line, or the edge of something painted, parts two rows: it stands between them, over or under one of their lines. */
  const ruled = (upper: readonly Line[], lower: readonly Line[]) => {
    const [from, to] = [middleOf(upper[0]!), middleOf(lower[0]!)];
    const meets = (x0: number, x1: number) => [...upper, ...lower].some((line) => line.x0 < x1 && line.x1 > x0);
    const between = (at: number) => at > from && at < to;
    return (
      loose.some((rule) => between(rule.at) && meets(rule.from, rule.to)) ||
      fills.some(({ x0, x1, y0, y1 }) => (between(y0) || between(y1)) && meets(x0, x1))
    );
  };
  /** Where what stands above a row ends: its last line, or a frame with text of its own that stands over the row. */
  const endOf = (above: Line, lower: readonly Line[]) =>
    largest([
      above.base,
      ...frames.flatMap(({ x0, x1, y1 }) =>
        y1 < lower[0]!.base && lower.some((line) => line.x0 < x1 && line.x1 > x0) ? [y1] : [],
      ),
    ]);
  const apart = (upper: Line[], lower: Line[]) => {
    const [above, below] = [upper[0]!, lower[0]!];
    const size = Math.max(above.size, below.size);
    const text = Math.max(MAX_PITCH_EM * size, Math.min(usual, MAX_TEXT_PITCH_EM * size));
    const most = isNumberInMiddle(lower)
      ? MIN_NUMBER_PITCH_EM * size
      : beginColumns(upper, lower)
        ? MAX_COLUMN_PITCH_EM * size
        : text;
    return below.base - endOf(above, lower) > most || ruled(upper, lower);
  };
  const isNumberInMiddle = ([line, ...others]: readonly Line[]) =>
    line !== undefined &&
    others.length === 0 &&
    loneNumber.test(line.text) &&
    Math.abs(line.x0 + line.x1 - frame.width) < 2 * MAX_OFF_MIDDLE_SHARE * frame.width;
  const headersEnd = MAX_HEADER_Y_SHARE * frame.height;
  // What stands beside a table of the text belongs to the text.
  const textBegins = smallest(grids.flatMap(({ y0, y1 }) => (y1 > headersEnd ? [y0] : [])).concat(headersEnd));
  const high = rows.filter(([line]) => middleOf(line!) < textBegins);
  const foot = rows.at(-1);
  const low = rows.filter(
    (row) => middleOf(row[0]!) > MIN_FOOTER_Y_SHARE * frame.height || (row === foot && isPageNumber(row, frame)),
  );
  const after = rows[high.length];
  const before = rows[rows.length - low.length - 1];
  const top = marginRows(high, after, (inner, outer) => apart(outer, inner));
  const bottom = marginRows(low.toReversed(), before, apart).toReversed();
  const withLabels = (found: readonly Line[][]) => [
    ...found,
    ...labelsBeside(found, lines, grids).map((line) => [line]),
  ];
  return { top: withLabels(top), bottom: withLabels(bottom) };
}
