import { type LetterShape, MAX_BOX_POINTS, type SmallShape, isBoxSized } from './small-shapes.ts';
import {
  type Frame,
  type Matrix,
  type Rect,
  heightOf,
  identity,
  rectInFrame,
  multiplyMatrices,
  widthOf,
} from './geometry.ts';
import type { Pdfium } from './pdfium.ts';
import { largest, smallest } from '../../package/extremes.ts';

/** A straight line along the page or down it. */
export interface Rule {
  /** y of a line along the page, x of one down it. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Fill extends Rect {
  /** 0xRRGGBB. */
  readonly colour: number;
}

/** A line that goes neither along nor down the page, or an area with such edges: a part of a drawing. */
export interface Slant extends Rect {
  /** One straight line, as strikes out a cell. */
  readonly single: boolean;
  /** Painted inside, in a colour that is not white. */
  readonly filled: boolean;
}

export interface Graphics {
  readonly across: readonly Rule[];
  readonly down: readonly Rule[];
  readonly fills: readonly Fill[];
  readonly images: readonly Rect[];
  /** Places of paintings that are no plain rectangles; colours within them are not known. */
  readonly painted: readonly Rect[];
  /** What is as small as a letter, and may be a box to tick or the mark in one. */
  readonly shapes: readonly SmallShape[];
  readonly slants: readonly Slant[];
}

/** What is drawn on a page of a file. */
export interface PageGraphics extends Graphics {
  /** In the order of the file: letters, where a file has them as shapes. */
  readonly letterShapes: readonly LetterShape[];
}

const OBJECT_TYPE = { path: 2, image: 3, shading: 4, form: 5 } as const;
const SEGMENT_TYPE = { line: 0, curve: 1, move: 2 } as const;

/** Drawings with more parts than this are pictures; what a table needs is far below. */
const MAX_OBJECTS = 60_000;
const MAX_SEGMENTS = 200_000;
const MAX_RULES = 6_000;
const MAX_LETTER_SHAPES = 30_000;
/** Letters that are drawn as shapes are within these. */
const MIN_LETTER_POINTS = 0.4;
const MAX_LETTER_POINTS = 48;
const MAX_FORM_DEPTH = 12;
/** Marks and letters that are drawn are smaller than parts of drawings. */
const MIN_SLANT_POINTS = 8;
/** A filled rectangle no thicker than this is a line. */
const MAX_RULE_THICKNESS_POINTS = 3;
/** The ends of a line along or down the page may differ by this in the other direction. */
const MAX_RULE_SKEW_POINTS = 0.8;

export const WHITE_RGB = 0xff_ff_ff;

/** Lines, filled rectangles and pictures of a page. */
export function graphicsOf(pdfium: Pdfium, page: number, frame: Frame): PageGraphics {
  const reader = new GraphicsReader(pdfium, frame);
  reader.readAll(page);
  return reader;
}

interface Outline {
  readonly points: readonly (readonly [number, number])[];
  readonly curved: boolean;
}

function boundsOf(points: Outline['points']): Rect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  }
  return { x0, y0, x1, y1 };
}

/** True when all points are corners of a rectangle. */
const isAlongEdges = (points: Outline['points'], rect: Rect): boolean =>
  points.every(
    ([x, y]) =>
      Math.min(Math.abs(x - rect.x0), Math.abs(x - rect.x1)) <= MAX_RULE_SKEW_POINTS &&
      Math.min(Math.abs(y - rect.y0), Math.abs(y - rect.y1)) <= MAX_RULE_SKEW_POINTS,
  );

/** True when a step goes neither along nor down the page, and not all points lie on the edges around them. */
function isSlanted(points: Outline['points'], { x0, y0, x1, y1 }: Rect): boolean {
  const near = (one: number, other: number) => Math.abs(one - other) <= MAX_RULE_SKEW_POINTS;
  let inside = points.length === 2;
  let slanted = false;
  for (const [at, [x, y]] of points.entries()) {
    inside ||= !near(x, x0) && !near(x, x1) && !near(y, y0) && !near(y, y1);
    const before = points[at - 1];
    slanted ||= before !== undefined && !near(x, before[0]) && !near(y, before[1]);
    if (inside && slanted) return true;
  }
  return false;
}

class GraphicsReader implements PageGraphics {
  readonly across: Rule[] = [];
  readonly down: Rule[] = [];
  readonly fills: Fill[] = [];
  readonly images: Rect[] = [];
  readonly painted: Rect[] = [];
  readonly shapes: SmallShape[] = [];
  readonly letterShapes: LetterShape[] = [];
  readonly slants: Slant[] = [];
  readonly #pdfium: Pdfium;
  readonly #frame: Frame;
  #segments = 0;

  constructor(pdfium: Pdfium, frame: Frame) {
    this.#pdfium = pdfium;
    this.#frame = frame;
  }

  readAll(page: number): void {
    const pdfium = this.#pdfium;
    const stack: { object: number; matrix: Matrix; depth: number }[] = [];
    for (let at = Math.min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS) - 1; at >= 0; at--)
      stack.push({ object: pdfium.FPDFPage_GetObject(page, at), matrix: identity, depth: 0 });
    let seen = 0;
    for (let entry = stack.pop(); entry !== undefined && seen < MAX_OBJECTS; entry = stack.pop(), seen++) {
      const { object, matrix, depth } = entry;
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type === OBJECT_TYPE.path) this.#path(object, matrix);
      else if (type === OBJECT_TYPE.image) this.#image(object, matrix);
      // The bounds of a shading are not known: it may lie behind anything.
      else if (type === OBJECT_TYPE.shading)
        this.painted.push({ x0: 0, y0: 0, x1: this.#frame.width, y1: this.#frame.height });
      else if (type === OBJECT_TYPE.form && depth < MAX_FORM_DEPTH) {
        const inner = multiplyMatrices(this.#matrix(object), matrix);
        const count = Math.min(pdfium.FPDFFormObj_CountObjects(object), MAX_OBJECTS - seen);
        for (let at = count - 1; at >= 0; at--)
          stack.push({ object: pdfium.FPDFFormObj_GetObject(object, at), matrix: inner, depth: depth + 1 });
      }
    }
  }

  #matrix(object: number): Matrix {
    const { scratch, memory } = this.#pdfium;
    if (this.#pdfium.FPDFPageObj_GetMatrix(object, scratch) === 0) return identity;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = new Float32Array(memory.buffer, scratch, 6);
    return [a, b, c, d, e, f];
  }

  #colour(call: (object: number, r: number, g: number, b: number, a: number) => number, object: number) {
    const { scratch, memory } = this.#pdfium;
    if (call(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return { colour: 0, seen: true };
    const [red = 0, green = 0, blue = 0, alpha = 255] = new Uint32Array(memory.buffer, scratch, 4);
    return { colour: (red << 16) | (green << 8) | blue, seen: alpha > 8 };
  }

  #image(object: number, outer: Matrix): void {
    const [a, b, c, d, e, f] = multiplyMatrices(this.#matrix(object), outer);
    const xs = [e, a + e, c + e, a + c + e];
    const ys = [f, b + f, d + f, b + d + f];
    const rect = rectInFrame(this.#frame, smallest(xs), smallest(ys), largest(xs), largest(ys));
    const { width, height } = this.#frame;
    const seen = {
      x0: Math.max(0, rect.x0),
      y0: Math.max(0, rect.y0),
      x1: Math.min(width, rect.x1),
      y1: Math.min(height, rect.y1),
    };
    if (widthOf(seen) > 0 && heightOf(seen) > 0 && this.images.length < MAX_RULES) this.images.push(seen);
  }

  #path(object: number, outer: Matrix): void {
    const pdfium = this.#pdfium;
    const { scratch } = pdfium;
    const count = pdfium.FPDFPath_CountSegments(object);
    if (count < 2 || this.#segments + count > MAX_SEGMENTS) return;
    this.#segments += count;
    if (pdfium.FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0) return;
    const [filling = 0, stroked = 0] = new Int32Array(pdfium.memory.buffer, scratch, 2);
    const fill = filling === 0 ? null : this.#colour(pdfium.FPDFPageObj_GetFillColor, object);
    const stroke = stroked === 0 ? null : this.#colour(pdfium.FPDFPageObj_GetStrokeColor, object);
    if (fill?.seen !== true && stroke?.seen !== true) return;
    const matrix = multiplyMatrices(this.#matrix(object), outer);
    const filled = fill?.seen === true && fill.colour !== WHITE_RGB;
    for (const { points, curved } of this.#outlines(object, count, matrix)) {
      this.#shape(points, curved, stroke?.seen === true, filled);
      if (filled) this.#letterShape(points, curved);
      if (filled || (stroke?.seen === true && stroke.colour !== WHITE_RGB)) this.#slant(points, filled);
      if (curved) {
        if (fill?.seen === true && this.painted.length < MAX_RULES) this.painted.push(boundsOf(points));
        continue;
      }
      if (stroke?.seen === true && stroke.colour !== WHITE_RGB)
        for (let at = 1; at < points.length; at++) this.#rule(points[at - 1]!, points[at]!);
      if (fill?.seen === true) this.#fill(points, fill.colour);
    }
  }

  /** Outlines of a path, and whether they have curves. */
  *#outlines(object: number, count: number, [a, b, c, d, e, f]: Matrix): Generator<Outline> {
    const pdfium = this.#pdfium;
    const { scratch } = pdfium;
    let points: (readonly [number, number])[] = [];
    let curved = false;
    for (let at = 0; at < count; at++) {
      const segment = pdfium.FPDFPath_GetPathSegment(object, at);
      const type = pdfium.FPDFPathSegment_GetType(segment);
      if (pdfium.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
      const [x = 0, y = 0] = new Float32Array(pdfium.memory.buffer, scratch, 2);
      if (type === SEGMENT_TYPE.move) {
        if (points.length > 1) yield { points, curved };
        points = [];
        curved = false;
      } else if (type === SEGMENT_TYPE.curve) curved = true;
      points.push(this.#frame.place(a * x + c * y + e, b * x + d * y + f));
      if (pdfium.FPDFPathSegment_GetClose(segment) !== 0 && points[0] !== undefined) points.push(points[0]);
    }
    if (points.length > 1) yield { points, curved };
  }

  #shape(points: Outline['points'], curved: boolean, stroked: boolean, filled: boolean): void {
    const rect = boundsOf(points);
    const side = Math.max(widthOf(rect), heightOf(rect));
    if (side > MAX_BOX_POINTS || side < 2 || (!stroked && !filled) || this.shapes.length >= MAX_RULES) return;
    const closed = points.length >= 4 && points[0] === points.at(-1);
    const square = !curved && closed && points.length <= 6 && isAlongEdges(points, rect);
    const kind =
      stroked && isBoxSized(rect) && (square || (curved && closed)) ? (square ? 'square' : 'circle') : 'mark';
    this.shapes.push({ ...rect, kind, filled });
  }

  #letterShape(points: Outline['points'], curved: boolean): void {
    const rect = boundsOf(points);
    const side = Math.max(widthOf(rect), heightOf(rect));
    if (!(side >= MIN_LETTER_POINTS && side <= MAX_LETTER_POINTS) || this.letterShapes.length >= MAX_LETTER_SHAPES)
      return;
    this.letterShapes.push({ ...rect, plain: !curved && isAlongEdges(points, rect) });
  }

  /** Circles and boxes with round corners lie along the edges around them. */
  #slant(points: Outline['points'], filled: boolean): void {
    if (this.slants.length >= MAX_RULES) return;
    const rect = boundsOf(points);
    if (Math.max(widthOf(rect), heightOf(rect)) < MIN_SLANT_POINTS || !isSlanted(points, rect)) return;
    this.slants.push({ ...rect, single: points.length === 2, filled });
  }

  #rule([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): void {
    const [width, height] = [Math.abs(ax - bx), Math.abs(ay - by)];
    if (!Number.isFinite(width + height)) return;
    if (height <= MAX_RULE_SKEW_POINTS && width > MAX_RULE_THICKNESS_POINTS && this.across.length < MAX_RULES)
      this.across.push({ at: (ay + by) / 2, from: Math.min(ax, bx), to: Math.max(ax, bx) });
    else if (width <= MAX_RULE_SKEW_POINTS && height > MAX_RULE_THICKNESS_POINTS && this.down.length < MAX_RULES)
      this.down.push({ at: (ax + bx) / 2, from: Math.min(ay, by), to: Math.max(ay, by) });
  }

  #fill(points: readonly (readonly [number, number])[], colour: number): void {
    const rect = boundsOf(points);
    const [width, height] = [widthOf(rect), heightOf(rect)];
    if (!Number.isFinite(width + height)) return;
    if (!isAlongEdges(points, rect) || points.length > 8) {
      if (this.painted.length < MAX_RULES) this.painted.push(rect);
      return;
    }
    if (Math.min(width, height) > MAX_RULE_THICKNESS_POINTS) {
      if (this.fills.length < MAX_RULES) this.fills.push({ ...rect, colour });
    } else if (colour !== WHITE_RGB) {
      const [x, y] = [(rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2];
      if (width > height) this.#rule([rect.x0, y], [rect.x1, y]);
      else this.#rule([x, rect.y0], [x, rect.y1]);
    }
  }
}
