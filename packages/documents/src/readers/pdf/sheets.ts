import type { PageContent } from './content.ts';
import { type Frame, type Rect, boundingRect, heightOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { Graphics } from './graphics.ts';
import { type Line, linesOf } from './lines.ts';

/** Sheets that two pages are printed on, side by side, are wider than high. */
const MIN_SHEET_RATIO = 1.2;
/** Both pages keep so far away from the fold, as a share of the width of the sheet. */
const MIN_MARGIN_SHARE = 0.02;
/** What is at the same place of both pages differs by no more. */
const SAME_PLACE_POINTS = 6;
/** Numbers of pages stand below this share of the height. */
const MIN_NUMBER_Y_SHARE = 0.78;
/** Pages without numbers have some lines, over much of their height. */
const MIN_LINES = 8;
const MIN_HEIGHT_SHARE = 0.5;
const pageNumber = /^[^\p{L}\p{N}]*(\d{1,4})(?:\s*\/\s*\d{1,4})?[^\p{L}\p{N}]*$/u;

/** Numbers that are the last line of a page. */
const numbersOf = (lines: readonly Line[], height: number) =>
  lines.flatMap((line) => {
    const value = line.base > MIN_NUMBER_Y_SHARE * height ? pageNumber.exec(line.text)?.[1] : undefined;
    const isLast = lines.every(({ base, size }) => base < line.base + size);
    return value === undefined || !isLast
      ? []
      : [{ value: Number(value), base: line.base, middle: (line.x0 + line.x1) / 2 }];
  });

const isNear = (one: number, other: number) => Math.abs(one - other) <= SAME_PLACE_POINTS;

/** True when both have numbers that count on, at the same place or at the outer edges. */
const areNumbered = (left: readonly Line[], right: readonly Line[], { width, height }: Frame): boolean =>
  numbersOf(left, height).some((one) =>
    numbersOf(right, height).some(
      (next) =>
        next.value === one.value + 1 &&
        isNear(next.base, one.base) &&
        (isNear(next.middle - one.middle, width / 2) || isNear(next.middle + one.middle, width)),
    ),
  );

/** True when both have the same margins, the inner ones too: columns of one page are nearer to each other than to its edges. */
function areAlike(left: readonly Line[], right: readonly Line[], { width, height }: Frame): boolean {
  const [one, next] = [boundingRect(left), boundingRect(right)];
  return (
    Math.min(left.length, right.length) >= MIN_LINES &&
    Math.min(heightOf(one), heightOf(next)) >= MIN_HEIGHT_SHARE * height &&
    isNear(next.x0 - one.x0, width / 2) &&
    isNear(next.x1 - one.x1, width / 2)
  );
}

/** The halves of a sheet that two pages are printed on, side by side; null for a page of its own. */
export function halvesOf(glyphs: readonly Glyph[], graphics: Graphics, frame: Frame): readonly [Rect, Rect] | null {
  const { width, height } = frame;
  if (width < MIN_SHEET_RATIO * height) return null;
  const [fold, margin] = [width / 2, MIN_MARGIN_SHARE * width];
  const crosses = ({ x0, x1 }: { x0: number; x1: number }) => x0 < fold + margin && x1 > fold - margin;
  const isAcross = (from: number, to: number) => from < fold - margin && to > fold + margin;
  const seen = glyphs.filter(({ hidden, text }) => !hidden && text.trim() !== '');
  if (seen.some(crosses) || graphics.across.some(({ from, to }) => isAcross(from, to))) return null;
  if (graphics.images.some(({ x0, x1 }) => isAcross(x0, x1))) return null;
  const upright = seen.filter(({ look }) => look.quarter === 0);
  const left = linesOf(upright.filter(({ x0 }) => x0 < fold));
  const right = linesOf(upright.filter(({ x0 }) => x0 >= fold));
  if (left.length === 0 || right.length === 0) return null;
  if (!areNumbered(left, right, frame) && !areAlike(left, right, frame)) return null;
  return [
    { x0: 0, y0: 0, x1: fold, y1: height },
    { x0: fold, y0: 0, x1: width, y1: height },
  ];
}

/** What of the letters and lines of a sheet belongs to a half of it. */
export function ofHalf(
  half: Rect,
  glyphs: readonly Glyph[],
  graphics: Graphics,
): { readonly glyphs: readonly Glyph[]; readonly graphics: Graphics } {
  const at = (x: number) => x >= half.x0 && x < half.x1;
  const isWithin = ({ x0, x1 }: Rect) => at((x0 + x1) / 2);
  return {
    glyphs: glyphs.filter(isWithin),
    graphics: {
      across: graphics.across.filter(({ from, to }) => at((from + to) / 2)),
      down: graphics.down.filter((rule) => at(rule.at)),
      fills: graphics.fills.filter(isWithin),
      images: graphics.images.filter(isWithin),
      painted: graphics.painted.filter(isWithin),
      shapes: graphics.shapes.filter(isWithin),
      slants: graphics.slants.filter(isWithin),
    },
  };
}

/** A page as it is read: of a sheet with two of them each is one. */
export interface Leaf extends Omit<PageContent, 'beside'> {
  /** Counts the pages, where sheets hold two; `number` is that of the sheet. */
  readonly order: number;
  /** Where it begins on its sheet. */
  readonly left: number;
}

/** The pages of a document in their order. */
export function leavesOf(pages: readonly PageContent[]): Leaf[] {
  if (pages.every(({ beside }) => beside === undefined))
    return pages.map((page) => ({ ...page, order: page.number, left: 0 }));
  const leaves: Leaf[] = [];
  let [order, before] = [0, 0];
  for (const { beside, ...page } of pages) {
    // Pages that are left out between two have their numbers too.
    order += 2 * (page.number - before) - 1;
    before = page.number;
    leaves.push({ ...page, order, left: 0 });
    if (beside === undefined) continue;
    order++;
    leaves.push({ ...page, ...beside, order, left: page.width / 2 });
  }
  return leaves;
}
