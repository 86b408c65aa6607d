import type { GreyImage, PixelRect } from './grey.ts';
import type { Component, Ink } from './ink.ts';
import type { Letter, RecognisedLine } from './recognise.ts';

// The sign △, which stands before figures that are less than nothing in tables of Korean offices. The recogniser has no such letter: it
// takes it for 스 or A, and the figures behind it for others.

/** Height of the sign in letter heights, and its width in heights. */
const MIN_HEIGHT_LETTERS = 0.4;
const MAX_HEIGHT_LETTERS = 1.1;
const MIN_WIDTH_HEIGHTS = 0.95;
const MAX_WIDTH_HEIGHTS = 1.5;
/** Its sides are straight: they are off by this share of its width at most, in nearly all rows. */
const MAX_OFFSET_SHARE = 0.12;
const MIN_STRAIGHT_SHARE = 0.9;
/** Its foot is drawn along this share of its width, within this share of its height from below. */
const MIN_FOOT_SHARE = 0.85;
const FOOT_HEIGHT_SHARE = 0.2;
/** Rows above the foot cross two strokes, which are thin and have nothing between them; near its top they are one. */
const TOP_HEIGHT_SHARE = 0.4;
const MAX_STROKE_SHARE = 0.28;
/** White beside the sign within a number or a word at most, in heights of it. */
const MAX_GAP_HEIGHTS = 0.45;
/** How far from the end of a line the sign may stand to be a part of it, in heights of it. */
const MAX_DISTANCE_HEIGHTS = 1.2;

/** Stretches of ink of a row between two columns: from, to (outside). */
function strokesOf({ width, data }: Ink, y: number, x0: number, x1: number): (readonly [from: number, to: number])[] {
  const strokes: (readonly [number, number])[] = [];
  for (let x = x0, from = -1; x <= x1; x++) {
    const isInk = x < x1 && data[y * width + x] === 1;
    if (isInk && from === -1) from = x;
    else if (!isInk && from !== -1) {
      strokes.push([from, x]);
      from = -1;
    }
  }
  return strokes;
}

function isTriangle(ink: Ink, { x0, y0, x1, y1 }: Component, letter: number): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  if (height < MIN_HEIGHT_LETTERS * letter || height > MAX_HEIGHT_LETTERS * letter) return false;
  if (width < MIN_WIDTH_HEIGHTS * height || width > MAX_WIDTH_HEIGHTS * height) return false;
  const foot = y1 - Math.max(2, Math.round(FOOT_HEIGHT_SHARE * height));
  let straight = 0;
  for (let y = y0; y < foot; y++) {
    const strokes = strokesOf(ink, y, x0, x1);
    const [first, last] = [strokes[0], strokes.at(-1)];
    if (first === undefined || last === undefined || strokes.length > 2) return false;
    const share = (y - y0) / height;
    if (share > TOP_HEIGHT_SHARE && strokes.some(([from, to]) => to - from > MAX_STROKE_SHARE * width)) return false;
    if (share > TOP_HEIGHT_SHARE && strokes.length !== 2) return false;
    const half = (share * width) / 2;
    const off = Math.max(Math.abs(first[0] - (x0 + width / 2 - half)), Math.abs(last[1] - (x0 + width / 2 + half)));
    if (off <= MAX_OFFSET_SHARE * width) straight++;
  }
  if (straight < MIN_STRAIGHT_SHARE * (foot - y0)) return false;
  for (let y = foot; y < y1; y++)
    if (strokesOf(ink, y, x0, x1).some(([from, to]) => to - from >= MIN_FOOT_SHARE * width)) return true;
  return false;
}

/** The signs △ of a page; `letter` is the height of its letters in pixels. */
export const trianglesOf = (ink: Ink, components: readonly Component[], letter: number): Component[] =>
  components.filter((component) => isTriangle(ink, component, letter));

/** Paints them over with the paper beside them, so that what stands behind them is read by itself. */
export function eraseTriangles({ width, data }: GreyImage, triangles: readonly Component[]): void {
  for (const { x0, y0, x1, y1 } of triangles) {
    let paper = 0;
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) paper = Math.max(paper, data[y * width + x]!);
    for (let y = y0; y < y1; y++) data.fill(paper, y * width + x0, y * width + x1);
  }
}

const heightOf = ({ y0, y1 }: PixelRect) => y1 - y0;

function withTriangle(line: RecognisedLine, triangle: Component): RecognisedLine {
  const near = MAX_GAP_HEIGHTS * heightOf(triangle);
  const before = line.letters.filter(({ x0, x1 }) => (x0 + x1) / 2 < (triangle.x0 + triangle.x1) / 2);
  const [next, ...behind] = line.letters.slice(before.length);
  const last = before.at(-1);
  const { x0, y0, x1, y1 } = triangle;
  const sign: Letter = { x0, y0, x1, y1, text: '△', confidence: 1, spaced: last !== undefined && x0 - last.x1 > near };
  const following = next === undefined ? [] : [{ ...next, spaced: next.spaced && next.x0 - x1 > near }, ...behind];
  return { ...line, x0: Math.min(line.x0, x0), x1: Math.max(line.x1, x1), letters: [...before, sign, ...following] };
}

/** Lines with the signs among their letters; those that stand alone are lines of their own. */
export function withTriangles(lines: readonly RecognisedLine[], triangles: readonly Component[]): RecognisedLine[] {
  const result = [...lines];
  for (const triangle of triangles) {
    const middle = (triangle.y0 + triangle.y1) / 2;
    const far = MAX_DISTANCE_HEIGHTS * heightOf(triangle);
    const at = result.findIndex(
      ({ x0, y0, x1, y1 }) => y0 < middle && y1 > middle && triangle.x1 > x0 - far && triangle.x0 < x1 + far,
    );
    const line = result[at];
    if (line) result[at] = withTriangle(line, triangle);
    else {
      const { x0, y0, x1, y1 } = triangle;
      const letters = [{ x0, y0, x1, y1, text: '△', confidence: 1, spaced: false }];
      result.push({ x0, y0, x1, y1, letters, confidence: 1, base: y1 });
    }
  }
  return result;
}
