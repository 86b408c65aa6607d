import { type OutlinePoint, pretendard } from './font.ts';

/** Steps of a path along a contour, each bend as a curve of the third degree, as PDF has them. */
function steps(contour: readonly OutlinePoint[], place: (point: { x: number; y: number }) => string): string {
  const middle = (one: OutlinePoint, other: OutlinePoint): OutlinePoint => ({
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    on: true,
  });
  // Between two points that bend the line it goes through their middle.
  const points = contour.flatMap((point, at) => {
    const next = contour[(at + 1) % contour.length]!;
    return point.on || next.on ? [point] : [point, middle(point, next)];
  });
  const from = points.findIndex(({ on }) => on);
  const order = [...points.slice(from), ...points.slice(0, from + 1)];
  const path = [`${place(order[0]!)} m`];
  for (let at = 1; at < order.length; at++) {
    const [before, point] = [order[at - 1]!, order[at]!];
    if (point.on) {
      if (before.on) path.push(`${place(point)} l`);
      continue;
    }
    const next = order[at + 1]!;
    const towards = (end: OutlinePoint) => ({
      x: end.x + (2 / 3) * (point.x - end.x),
      y: end.y + (2 / 3) * (point.y - end.y),
    });
    path.push(`${place(towards(before))} ${place(towards(next))} ${place(next)} c`);
  }
  return `${path.join(' ')} h`;
}

/** A line of text whose letters are shapes, as steps of the content of a page; `y` counts from the foot of the page. */
export function drawnLetters(x: number, y: number, text: string, size: number): string {
  const font = pretendard();
  const scale = size / 1_000;
  let left = x;
  const paths: string[] = [];
  for (const letter of text) {
    const glyph = font.glyphOf(letter.codePointAt(0)!);
    const place = (point: { x: number; y: number }) =>
      `${(left + point.x * scale).toFixed(2)} ${(y + point.y * scale).toFixed(2)}`;
    const contours = font.outline(glyph);
    if (contours.length > 0) paths.push(`${contours.map((contour) => steps(contour, place)).join(' ')} f`);
    left += font.width(glyph) * scale;
  }
  return paths.join('\n');
}
