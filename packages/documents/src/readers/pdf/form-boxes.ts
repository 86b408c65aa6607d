import { type Rect, heightOf, isCentredIn, overlapLength, widthOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { Graphics, Rule } from './graphics.ts';
import { type SmallShape, isBoxSized } from './small-shapes.ts';

/** A mark covers at least this share of its box, one way or the other. */
const MIN_MARK_SHARE = 0.3;
const MAX_MARK_SHARE = 1.6;
/** How far from its box a label may stand, in heights of the box. */
const MAX_LABEL_GAP = 1.6;
/** Boxes of one page; more are a drawing. */
const MAX_BOXES = 1_000;

/** A drawn box to tick. */
export interface FormBox extends Rect {
  readonly checked: boolean;
  readonly round: boolean;
}

const sideOf = (rect: Rect) => Math.max(widthOf(rect), heightOf(rect));

/** Letters that people put into a box to tick it. */
const tickLetters = /^[VvXx×✓✔√✗✘■●○OㅇＶv∨•]$/u;
export const isTickLetter = (text: string): boolean => tickLetters.test(text);

const isMarkIn = (mark: Rect, box: Rect): boolean => {
  const share = Math.max(widthOf(mark) / widthOf(box), heightOf(mark) / heightOf(box));
  return isCentredIn(mark, box, 1) && share >= MIN_MARK_SHARE && share <= MAX_MARK_SHARE;
};

/** True when a line of a table goes along an edge of the box and beyond it. */
function liesOnRule(box: Rect, { across, down }: Pick<Graphics, 'across' | 'down'>): boolean {
  const passes = (rules: readonly Rule[], edges: readonly number[], from: number, to: number) =>
    rules.some(
      (rule) =>
        edges.some((edge) => Math.abs(rule.at - edge) < 1) &&
        overlapLength(rule.from, rule.to, from, to) > 0 &&
        rule.to - rule.from > 1.5 * (to - from),
    );
  return passes(across, [box.y0, box.y1], box.x0, box.x1) || passes(down, [box.x0, box.x1], box.y0, box.y1);
}

const isSamePlace = (one: Rect, other: Rect) =>
  Math.abs(one.x0 - other.x0) +
    Math.abs(one.y0 - other.y0) +
    Math.abs(one.x1 - other.x1) +
    Math.abs(one.y1 - other.y1) <
  4;

/** Boxes side by side without a gap are places for the letters of a number. */
const isNeighbour = (one: Rect, other: Rect) =>
  one !== other &&
  overlapLength(one.y0, one.y1, other.y0, other.y1) > 0.7 * heightOf(one) &&
  Math.abs(overlapLength(one.x0, one.x1, other.x0, other.x1)) < 1.5;

/** Squares and circles that may be boxes, each place once. */
function candidates({ shapes }: Graphics): readonly SmallShape[] {
  const found: SmallShape[] = [];
  for (const shape of shapes) {
    if (shape.kind === 'mark' || shape.filled || !isBoxSized(shape) || found.length >= MAX_BOXES) continue;
    if (!found.some((other) => isSamePlace(other, shape))) found.push(shape);
  }
  // A box may be drawn twice, the one within the other.
  return found.filter(
    (box) => !found.some((other) => other !== box && sideOf(other) > sideOf(box) && isCentredIn(box, other)),
  );
}

/** The letter beside a box that its label begins or ends with: behind it, else before it. */
export function labelBeside(box: Rect, glyphs: readonly Glyph[]): Glyph | null {
  const reach = MAX_LABEL_GAP * heightOf(box);
  const middle = (box.y0 + box.y1) / 2;
  let [behind, before]: [Glyph | null, Glyph | null] = [null, null];
  for (const glyph of glyphs) {
    if (glyph.text.trim() === '' || glyph.hidden || glyph.look.quarter !== 0) continue;
    if (middle < glyph.y0 - 1 || middle > glyph.y1 + 1) continue;
    const [right, left] = [glyph.x0 - box.x1, box.x0 - glyph.x1];
    if (right > -2 && right < reach && (behind === null || glyph.x0 < behind.x0)) behind = glyph;
    if (left > -2 && left < reach && (before === null || glyph.x1 > before.x1)) before = glyph;
  }
  return behind ?? before;
}

/**
 * Boxes to tick that are drawn on a page, with their state: a mark or a filling within, or a letter such as `V`, which is taken out of
 * the text. A box stands beside words, or alone in a cell.
 */
export function formBoxesOf(
  graphics: Graphics,
  glyphs: readonly Glyph[],
  cells: readonly Rect[],
): { readonly boxes: readonly FormBox[]; readonly taken: ReadonlySet<Glyph> } {
  const all = candidates(graphics);
  if (all.length === 0) return { boxes: [], taken: new Set() };
  const boxes: FormBox[] = [];
  const taken = new Set<Glyph>();
  for (const box of all) {
    if (liesOnRule(box, graphics) || all.some((other) => isNeighbour(box, other))) continue;
    const inside = glyphs.filter((glyph) => glyph.text.trim() !== '' && isCentredIn(glyph, box));
    if (inside.some(({ text }) => !isTickLetter(text)) || inside.length > 1) continue;
    const rest = glyphs.filter((glyph) => !inside.includes(glyph));
    const alone = cells.some(
      (cell) =>
        isCentredIn(box, cell) && !rest.some((glyph) => isCentredIn(glyph, cell)) && sideOf(cell) > 1.3 * sideOf(box),
    );
    if (!alone && labelBeside(box, rest) === null) continue;
    const marked = graphics.shapes.some(
      (shape) => !isSamePlace(shape, box) && (shape.kind === 'mark' || shape.filled) && isMarkIn(shape, box),
    );
    for (const glyph of inside) taken.add(glyph);
    boxes.push({ ...box, checked: marked || inside.length > 0, round: box.kind === 'circle' });
  }
  // A circle is a bullet, unless there is one with a mark in it.
  const rounds = boxes.some(({ round, checked }) => round && checked);
  return { boxes: rounds ? boxes : boxes.filter(({ round }) => !round), taken };
}

/** Lines without the edges of these boxes. */
export function withoutBoxEdges(graphics: Graphics, boxes: readonly Rect[]): Graphics {
  if (boxes.length === 0) return graphics;
  const isEdge = (rule: Rule, [low, high]: readonly [number, number], [from, to]: readonly [number, number]) =>
    (Math.abs(rule.at - low) < 1 || Math.abs(rule.at - high) < 1 || (rule.at > low && rule.at < high)) &&
    rule.from > from - 1.5 &&
    rule.to < to + 1.5;
  return {
    ...graphics,
    fills: graphics.fills,
    images: graphics.images,
    painted: graphics.painted,
    shapes: graphics.shapes,
    across: graphics.across.filter((rule) => !boxes.some(({ x0, x1, y0, y1 }) => isEdge(rule, [y0, y1], [x0, x1]))),
    down: graphics.down.filter((rule) => !boxes.some(({ x0, x1, y0, y1 }) => isEdge(rule, [x0, x1], [y0, y1]))),
  };
}
