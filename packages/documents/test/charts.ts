import { type PdfPage, textWidth } from './pdf.ts';

/** Charts as office programs draw them: lines and areas for the figures, letters for what stands around them. */

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const SIZE = 7;
/** Room at the left for the figures of the axis, and below for its names. */
const AXIS = 24;
const FOOT = 16;
const STEPS = 4;
const MOST = 80;

const colours = [
  [0.2, 0.4, 0.7],
  [0.8, 0.4, 0.2],
  [0.5, 0.7, 0.3],
  [0.9, 0.8, 0.3],
] as const;

const plotOf = ({ x, y, width, height }: Place): Place => ({
  x: x + AXIS,
  y: y + 12,
  width: width - AXIS,
  height: height - FOOT - 12,
});

const centred = (page: PdfPage, x: number, y: number, text: string) =>
  page.text(x - textWidth(text, SIZE) / 2, y, text, { size: SIZE });

/** The axes with their figures and unit; lines across the plot where there is a grid. */
function axes(page: PdfPage, place: Place, grid: boolean): void {
  const { x, y, width, height } = plotOf(place);
  page.line(x, y, x, y + height).line(x, y + height, x + width, y + height);
  for (let step = 0; step <= STEPS; step++) {
    const at = y + height - (step * height) / STEPS;
    const text = String((step * MOST) / STEPS);
    page.text(x - 4 - textWidth(text, SIZE), at + 2.5, text, { size: SIZE });
    if (grid && step > 0) page.line(x, at, x + width, at);
  }
  page.text(place.x, place.y + 4, '(억 달러)', { size: SIZE });
}

/** Lines over names, with a legend in the upper right corner. */
export function drawLines(
  page: PdfPage,
  place: Place,
  names: readonly string[],
  series: readonly Series[],
  { grid = false } = {},
): void {
  axes(page, place, grid);
  const { x, y, width, height } = plotOf(place);
  const step = width / names.length;
  for (const [at, name] of names.entries()) centred(page, x + (at + 0.5) * step, y + height + 10, name);
  for (const [index, { name, values }] of series.entries()) {
    const points = names.map(
      (_, at) => [x + (at + 0.5) * step, y + height - ((values[at] ?? 0) / MOST) * height] as const,
    );
    page.path(points, { stroke: colours[index % colours.length]! });
    const legend = x + width - 46 * (series.length - index);
    page.line(legend, y - 6, legend + 12, y - 6).text(legend + 15, y - 3.5, name, { size: SIZE });
  }
}

/** Bars that stand, or lie (`across`), with their figures where they are asked for. */
export function drawBars(
  page: PdfPage,
  place: Place,
  names: readonly string[],
  values: readonly number[],
  { across = false, values: shown = false } = {},
): void {
  const { x, y, width, height } = plotOf(place);
  if (!across) axes(page, place, false);
  else page.line(x, y, x, y + height);
  const step = (across ? height : width) / names.length;
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? 0;
    if (across) {
      page.fill(x, y + (at + 0.2) * step, (value / MOST) * width, 0.6 * step, colours[0]);
      page.text(x - 4 - textWidth(name, SIZE), y + (at + 0.6) * step, name, { size: SIZE });
    } else {
      const top = y + height - (value / MOST) * height;
      page.fill(x + (at + 0.25) * step, top, 0.5 * step, (value / MOST) * height, colours[0]);
      centred(page, x + (at + 0.5) * step, y + height + 10, name);
      if (shown) centred(page, x + (at + 0.5) * step, top - 3, String(value));
    }
  }
}

/** A pie with the names and shares of its parts beside it. */
export function drawPie(page: PdfPage, place: Place, parts: readonly (readonly [name: string, share: number])[]): void {
  const radius = Math.min(place.width, place.height) / 2 - 14;
  const [cx, cy] = [place.x + place.width / 2, place.y + place.height / 2];
  let from = 0;
  for (const [index, [name, share]] of parts.entries()) {
    const to = from + (share / 100) * 2 * Math.PI;
    page.wedge(cx, cy, radius, from, to, colours[index % colours.length]!);
    const middle = (from + to) / 2;
    const [lx, ly] = [cx + 1.25 * radius * Math.cos(middle), cy + 1.25 * radius * Math.sin(middle)];
    const text = `${name} ${share}%`;
    page.text(Math.cos(middle) < 0 ? lx - textWidth(text, SIZE) : lx, ly + 2.5, text, { size: SIZE });
    from = to;
  }
}
