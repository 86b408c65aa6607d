import type { GreyImage } from '../../ocr/grey.ts';
import { type Rect, boundingRect, heightOf, isCentredIn, overlapLength, widthOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { LetterShape } from './small-shapes.ts';

// Programs write letters of fonts that may not be put into a file, and designers all letters, as shapes: the page shows words that the file does not
// hold as text.

/** Shapes that follow each other in the file stand beside each other in a line of text: how far apart, and how far back an inner part may begin. */
const MAX_GAP_EM = 1.5;
const MAX_STEP_BACK_EM = 1.2;
/** Parts of a line are no lower and no higher than the line by more. */
const MAX_GROWTH = 1.35;
const MIN_LINE_POINTS = 3.5;
const MAX_LINE_POINTS = 40;
/** Letters of a line at least, and how many of its shapes are no plain rectangles, as those of bars and bar codes are. */
const MIN_LETTERS = 3;
const MIN_CURVED_SHARE = 0.35;
/** Where fewer of the shapes of a page stand in lines they are a drawing. */
const MIN_SHAPES_IN_LINES_SHARE = 0.5;
/** A line with letters of its own over so many of its shapes is those letters, drawn once more. */
const MAX_COVERED_SHARE = 0.3;
/** Lines of one page; more are a drawing. */
const MAX_LINES = 1_500;
/** A page with fewer letters of this kind has a sign or a logo. */
const MIN_PAGE_LETTERS = 8;

/** Text of a page that is drawn as shapes. */
export interface DrawnText {
  readonly letters: number;
  /** Where it stands: its lines, and letters alone. */
  readonly places: readonly Rect[];
}

interface Run extends Rect {
  readonly shapes: LetterShape[];
}

/** Stretches of shapes that follow each other along a line. */
function runsOf(shapes: readonly LetterShape[]): Run[] {
  const runs: Run[] = [];
  let open: (Rect & { shapes: LetterShape[] }) | null = null;
  for (const shape of shapes) {
    if (open !== null) {
      const em = Math.max(heightOf(open), heightOf(shape), 1);
      const whole = boundingRect([open, shape]);
      const least = Math.max(heightOf(open), MIN_LINE_POINTS);
      const beside =
        overlapLength(open.y0, open.y1, shape.y0, shape.y1) > -0.3 * em &&
        shape.x0 > open.x1 - MAX_STEP_BACK_EM * em &&
        shape.x0 < open.x1 + MAX_GAP_EM * em;
      // The first shape of a line may be a full stop.
      if (
        beside &&
        (open.shapes.length < 3 || heightOf(whole) <= MAX_GROWTH * least) &&
        heightOf(whole) <= MAX_LINE_POINTS
      ) {
        open.shapes.push(shape);
        Object.assign(open, whole);
        continue;
      }
      runs.push(open);
    }
    open = { ...rectOf(shape), shapes: [shape] };
  }
  if (open !== null) runs.push(open);
  return runs;
}

const rectOf = ({ x0, y0, x1, y1 }: Rect): Rect => ({ x0, y0, x1, y1 });

/** Shapes that stand over each other, as parts of one letter do, put together. */
function lettersOf(shapes: readonly LetterShape[]): Rect[] {
  const letters: Rect[] = [];
  for (const shape of shapes.toSorted((a, b) => a.x0 - b.x0)) {
    const last = letters.at(-1);
    if (last !== undefined && shape.x0 < last.x1) letters[letters.length - 1] = boundingRect([last, shape]);
    else letters.push(rectOf(shape));
  }
  return letters;
}

/** How many letters a stretch is; 0 for bars, dots and the like. */
function countLetters({ shapes, ...place }: Run): number {
  const height = heightOf(place);
  if (height < MIN_LINE_POINTS || height > MAX_LINE_POINTS || widthOf(place) < 1.2 * height) return 0;
  if (shapes.filter(({ plain }) => !plain).length < MIN_CURVED_SHARE * shapes.length) return 0;
  const letters = lettersOf(shapes);
  const sizes = new Set(letters.map((one) => `${Math.round(4 * widthOf(one))} ${Math.round(4 * heightOf(one))}`));
  return letters.length < MIN_LETTERS || sizes.size < MIN_LETTERS ? 0 : letters.length;
}

/** Text of a page whose letters are shapes; null where there is little of it, or the shapes are a drawing. */
export function drawnTextOf(shapes: readonly LetterShape[], glyphs: readonly Glyph[]): DrawnText | null {
  if (shapes.length < MIN_PAGE_LETTERS) return null;
  const runs = runsOf(shapes).map((run) => ({ run, letters: countLetters(run) }));
  const found = runs.filter(({ letters }) => letters > 0);
  const inLines = found.reduce((sum, { run }) => sum + run.shapes.length, 0);
  if (found.length > MAX_LINES || inLines < MIN_SHAPES_IN_LINES_SHARE * shapes.length) return null;
  const isCovered = (place: Rect, letters: number) =>
    glyphs.filter((glyph) => isCentredIn(glyph, place)).length > MAX_COVERED_SHARE * letters;
  const lines = found.filter(({ run, letters }) => !isCovered(run, letters));
  const letters = lines.reduce((sum, one) => sum + one.letters, 0);
  if (letters < MIN_PAGE_LETTERS) return null;
  // Words of a letter or two, and letters behind a wide blank.
  const alone = runs.filter(({ run, letters }) => letters === 0 && run.shapes.some(({ plain }) => !plain));
  const rest = alone.slice(0, MAX_LINES).filter(({ run }) => !isCovered(run, 1));
  return { letters, places: [...lines, ...rest].map(({ run }) => rectOf(run)) };
}

/** The picture of a page with these places alone, and white around them. */
export function picturedPlaces(
  { width, height, data }: GreyImage,
  places: readonly Rect[],
  perPoint: number,
): GreyImage {
  const shown = new Uint8Array(width * height).fill(255);
  for (const place of places) {
    const margin = 0.15 * heightOf(place);
    const [x0, x1] = [place.x0 - margin, place.x1 + margin].map((x) =>
      Math.min(width, Math.max(0, Math.round(x * perPoint))),
    );
    const [y0, y1] = [place.y0 - margin, place.y1 + margin].map((y) =>
      Math.min(height, Math.max(0, Math.round(y * perPoint))),
    );
    for (let y = y0!; y < y1!; y++) shown.set(data.subarray(y * width + x0!, y * width + x1!), y * width + x0!);
  }
  return { width, height, data: shown };
}
