import type { Glyph, Look } from '../readers/pdf/glyphs.ts';
import type { Graphics, Rule } from '../readers/pdf/graphics.ts';
import type { Rect } from '../readers/pdf/geometry.ts';
import type { Core } from './core.ts';
import { isDrawing } from './drawings.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import type { Component } from './ink.ts';
import { evenSizes, mendedSpaces, lettersInOrder } from './letters.ts';
import { leaderLines, leadersOf, eraseDots } from './leaders.ts';
import { type Lie, inPoints } from './place.ts';
import { withPoints } from './points.ts';
import { type Seen, preparedPage } from './prepare.ts';
import { PageReader } from './read.ts';
import type { Letter, RecognisedLine } from './recognise.ts';
import { joinedLetters, regionsOf } from './regions.ts';
import type { DrawnLines } from './rules.ts';
import { type TakenSigns, signGlyphs, takeSigns } from './taken-signs.ts';
import { eraseTriangles, trianglesOf, withTriangles } from './triangles.ts';
import { turnedUpright } from './turn.ts';

/** A recognised stretch of text: its place and confidence. */
export interface Recognised extends Rect {
  /** 0 to 1. */
  readonly confidence: number;
  readonly letters: number;
}

/** A recognised page, in the form in which pages with text of their own are read; places are in points of the page as its text is upright. */
export interface RecognisedPage {
  readonly width: number;
  readonly height: number;
  /** The page as it was given. */
  readonly sheet: { readonly width: number; readonly height: number };
  /** How it was given; left out where it stood upright and straight. */
  readonly lie?: Lie;
  /** Its width in pixels of the picture. */
  readonly pixelWidth: number;
  readonly glyphs: readonly Glyph[];
  readonly graphics: Graphics;
  readonly stretches: readonly Recognised[];
  /** True when there is anything on it, be it text or not. */
  readonly inked: boolean;
  /** True when its time ran out before all of it was read. */
  readonly cut: boolean;
}

/** Options of the recognition of a page. */
export interface Recognising {
  /** Null where it is not known. */
  readonly dotsPerInch: number | null;
  /** The resolution is certain, and need not be checked against the size of the letters. */
  readonly exact: boolean;
  /** The page is known to be upright and straight; looked for when left out. */
  readonly upright?: boolean;
  /** True when the time of the page has run out. */
  readonly isSpent: () => boolean;
}

/** Usual size of type, for pictures that do not state their resolution. */
const USUAL_TYPE_SIZE_POINTS = 10.5;
/** Type of most text is within these; a resolution that says otherwise is wrong. */
const MIN_TYPE_SIZE_POINTS = 5;
const MAX_TYPE_SIZE_POINTS = 24;
/** Number of regions, the widest first, that are read to find the orientation of a page. */
const ORIENTATION_SAMPLE_REGIONS = 6;
/** Regions of a page that are read at most. */
const MAX_REGIONS = 4_000;
/** Text below this confidence is part of a picture, or dirt; lines of signs alone need more. */
const MIN_TEXT_CONFIDENCE = 0.35;
const MIN_SIGNS_CONFIDENCE = 0.65;
/** A page with a larger share of its ink in one drawing is a drawing; words upon it are as long and as clear as this. */
const MIN_DRAWN_SHARE = 0.5;
const MIN_CLEAR_LETTERS = 4;
const MIN_CLEAR_CONFIDENCE = 0.75;
/** Ink higher than this, in letter heights, is a drawing. */
const MAX_TEXT_HEIGHT_LETTERS = 8;

const isText = ({ x0, y0, x1, y1, area }: Component, letter: number) =>
  area > 4 && y1 - y0 <= MAX_TEXT_HEIGHT_LETTERS * letter && (x1 - x0 > 0.06 * letter || y1 - y0 > 0.06 * letter);

/** False for text that was recognised in dirt or in a picture. */
function isReal({ letters, confidence }: RecognisedLine): boolean {
  if (confidence < MIN_TEXT_CONFIDENCE) return false;
  const words = letters.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return words ? letters.length > 2 || confidence > 0.5 : confidence > MIN_SIGNS_CONFIDENCE;
}

/** Words upon a page that is a drawing, and not some of its strokes. */
const isClear = ({ letters, confidence }: RecognisedLine) =>
  letters.length >= MIN_CLEAR_LETTERS && confidence >= MIN_CLEAR_CONFIDENCE;

const inkWithin = ({ x0, x1, y0, y1 }: PixelRect, components: readonly Component[]) =>
  components.filter((one) => one.x0 >= x0 && one.x1 <= x1 && one.y0 >= y0 && one.y1 <= y1).length;

/** Blanks between words, and letters of one word beside each other. */
function glyphsOf(line: RecognisedLine, size: number, perPoint: number): Glyph[] {
  const glyphs: Glyph[] = [];
  const points = size / perPoint;
  const base = line.base / perPoint;
  const look: Look = {
    size: Math.round(points * 10) / 10,
    bold: false,
    italic: false,
    fixed: false,
    signs: false,
    colour: 0,
    invisible: false,
    quarter: 0,
    mark: -1,
  };
  const y = { y0: base - 0.8 * points, y1: base + 0.2 * points };
  const letters = lettersInOrder(mendedSpaces(line.letters, size), size);
  for (const [at, { text, spaced, x0, x1 }] of letters.entries()) {
    const next: Letter | undefined = letters[at + 1];
    // No white is left within a word: blanks are where they were found, and nowhere else.
    const end = next === undefined || next.spaced || next.x0 - x1 > 0.9 * size ? x1 : Math.max(x0 + 1, next.x0);
    const common = { base, look, hidden: false, apart: spaced };
    if (spaced) glyphs.push({ text: ' ', x0: glyphs.at(-1)?.x1 ?? x0 / perPoint, x1: x0 / perPoint, ...y, ...common });
    glyphs.push({ text, x0: x0 / perPoint, x1: end / perPoint, ...y, ...common });
  }
  return glyphs;
}

const rulesOf = ({ across, down }: DrawnLines, perPoint: number): { across: Rule[]; down: Rule[] } => ({
  across: across.map(({ x0, x1, y0, y1 }) => ({
    at: (y0 + y1) / 2 / perPoint,
    from: x0 / perPoint,
    to: x1 / perPoint,
  })),
  down: down.map(({ x0, x1, y0, y1 }) => ({ at: (x0 + x1) / 2 / perPoint, from: y0 / perPoint, to: y1 / perPoint })),
});

/** Pixels a point on a page that may not tell, or tell wrongly, how large it is. */
function pixelsPerPoint(dotsPerInch: number | null, letter: number): number {
  const type = dotsPerInch === null ? 0 : (letter * 72) / dotsPerInch;
  return dotsPerInch !== null && type >= MIN_TYPE_SIZE_POINTS && type <= MAX_TYPE_SIZE_POINTS
    ? dotsPerInch / 72
    : letter / USUAL_TYPE_SIZE_POINTS;
}

/** Places on the page with text, and rows of dots. */
function placesOf({ image, components, lines, letter }: Seen) {
  const leaders = leadersOf(components, letter);
  eraseDots(image, leaders);
  const dots = new Set(leaders.flat());
  const text = components.filter((component) => isText(component, letter) && !dots.has(component));
  const { regions, aside } = regionsOf(text, lines, letter);
  const drawn = regions.filter((region) => region.several && isDrawing(region, text, letter));
  const gone = new Set(drawn);
  const kept = regions.filter((one) => !gone.has(one)).slice(0, MAX_REGIONS);
  const isDrawn = text.length > 0 && drawn.some((place) => inkWithin(place, text) > MIN_DRAWN_SHARE * text.length);
  return { leaders, aside, isDrawn, regions: joinedLetters(kept, lines, letter) };
}

/** Mean confidence of lines, weighted by letters. */
function confidenceOf(lines: readonly RecognisedLine[]): number {
  const letters = lines.reduce((sum, line) => sum + line.letters.length, 0);
  return lines.reduce((sum, line) => sum + line.confidence * line.letters.length, 0) / Math.max(1, letters);
}

/** Confidence of the widest regions of a page, as an estimate for all of it. */
function sampledConfidence(core: Core, image: GreyImage, isSpent: () => boolean): number {
  const { seen } = preparedPage(image);
  if (seen === null) return 0;
  const { regions, aside } = placesOf(seen);
  const widest = regions.toSorted((a, b) => b.x1 - b.x0 - (a.x1 - a.x0)).slice(0, ORIENTATION_SAMPLE_REGIONS);
  return (1 - aside) * confidenceOf(new PageReader(core, seen.image, isSpent).read(widest));
}

const noSigns: TakenSigns = { boxes: [], bullets: [] };

interface ReadPage {
  readonly image: GreyImage;
  /** Of a turn to the right, by which its text came to stand upright. */
  readonly quarters: number;
  readonly inked: boolean;
  readonly seen: Seen | null;
  readonly lines: readonly RecognisedLine[];
  readonly signs: TakenSigns;
  readonly cut: boolean;
}

/** Reads a page as it lies, or as it should. */
function readUpright(core: Core, given: GreyImage, isSpent: () => boolean, known: boolean): ReadPage {
  const read = (image: GreyImage) => {
    const prepared = preparedPage(image, known);
    const { inked } = prepared;
    if (prepared.seen === null)
      return { image, inked, seen: null, all: [], signs: noSigns, leaders: [], aside: 0, isDrawn: false, cut: false };
    const { seen } = prepared;
    const signs = takeSigns(core, seen, isSpent);
    const triangles = trianglesOf(seen.ink, seen.components, seen.letter);
    eraseTriangles(seen.image, triangles);
    const { leaders, regions, aside, isDrawn } = placesOf(seen);
    const reader = new PageReader(core, seen.image, isSpent);
    const all = withTriangles(withPoints(reader.read(regions), seen.components), triangles);
    return { image, inked, seen, signs, leaders, aside, isDrawn, all, cut: reader.isCut };
  };
  let found = read(given);
  let quarters = 0;
  if (!known && found.seen !== null && !isSpent()) {
    const upright = turnedUpright(given, (1 - found.aside) * confidenceOf(found.all), (turned) =>
      sampledConfidence(core, turned, isSpent),
    );
    if (upright.quarters !== 0) found = read(upright.image);
    quarters = upright.quarters;
  }
  const real = found.all.filter((line) => isReal(line) && (!found.isDrawn || isClear(line)));
  return {
    ...found,
    quarters,
    signs: found.isDrawn ? noSigns : found.signs,
    lines: [...real, ...leaderLines(found.leaders, real)],
  };
}

/**
 * Recognises the text of a page. Places are points at its resolution, of the page as its text is upright; `lie` says how that was given.
 */
export function recognisePage(
  core: Core,
  given: GreyImage,
  { dotsPerInch, exact, upright = false, isSpent }: Recognising,
): RecognisedPage {
  const { image, quarters, inked, seen, lines, signs, cut } = readUpright(core, given, isSpent, upright);
  const known = exact && dotsPerInch !== null ? dotsPerInch / 72 : null;
  const own = known ?? (seen === null ? 1 : pixelsPerPoint(dotsPerInch, seen.letter / seen.scale));
  const page = {
    width: image.width / own,
    height: image.height / own,
    sheet: { width: given.width / own, height: given.height / own },
    pixelWidth: image.width,
    inked,
    cut,
  };
  const nothing: Graphics = { across: [], down: [], fills: [], images: [], painted: [], shapes: [], slants: [] };
  if (seen === null) return { ...page, glyphs: [], graphics: nothing, stretches: [] };
  const perPoint = own * seen.scale;
  const sizes = evenSizes(lines);
  const lie: Lie = { degrees: seen.skew, quarters, width: page.width, height: page.height };
  const glyphs = lines.flatMap((line, at) => glyphsOf(line, sizes[at]!, perPoint));
  return {
    ...page,
    ...(seen.skew === 0 && quarters === 0 ? {} : { lie }),
    glyphs: [...glyphs, ...signGlyphs(signs, glyphs, perPoint)],
    graphics: { ...nothing, ...rulesOf(seen.lines, perPoint) },
    stretches: lines.map((line) => ({
      ...inPoints(line, perPoint),
      confidence: line.confidence,
      letters: line.letters.length,
    })),
  };
}
