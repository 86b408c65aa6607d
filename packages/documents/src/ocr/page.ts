import type { Glyph, Look } from '../readers/pdf/glyphs.ts';
import type { Graphics, Rule } from '../readers/pdf/graphics.ts';
import type { Rect } from '../readers/pdf/geometry.ts';
import type { Core } from './core.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import type { Component } from './ink.ts';
import { evenSizes, mendedSpaces, placed } from './letters.ts';
import { leaderLines, leadersOf, wipeDots } from './leaders.ts';
import { type Seen, prepared } from './prepare.ts';
import { PageReader } from './read.ts';
import type { Letter, RecognisedLine } from './recognise.ts';
import { regionsOf } from './regions.ts';
import type { DrawnLines } from './rules.ts';
import { upright } from './turn.ts';

/** How well a stretch of text was recognised, and where it is. */
export interface Recognised extends Rect {
  /** 0 to 1. */
  readonly confidence: number;
  readonly letters: number;
}

/** What was recognised on a page, as pages with text of their own are read: places are points. */
export interface RecognisedPage {
  readonly width: number;
  readonly height: number;
  /** Its width in pixels of the picture. */
  readonly pixelWidth: number;
  readonly glyphs: readonly Glyph[];
  readonly graphics: Graphics;
  readonly stretches: readonly Recognised[];
  /** Whether there is anything on it, be it text or not. */
  readonly inked: boolean;
  /** Whether it had had its time before all of it was read. */
  readonly cut: boolean;
}

/** How pages are recognised. */
export interface Recognising {
  /** Null where it is not known. */
  readonly dotsPerInch: number | null;
  /** Whether that is believed. */
  readonly exact: boolean;
  /** Whether the page has had its time. */
  readonly isSpent: () => boolean;
}

/** Usual size of type, in points, for pictures that do not tell how large they are. */
const USUAL_TYPE = 10.5;
/** Type of most text is within these, in points; a resolution that says otherwise is wrong. */
const MIN_TYPE = 5;
const MAX_TYPE = 24;
/** Lines by which it is known how a page lies. */
const SAMPLE = 6;
/** So many places on a page are looked at. */
const MAX_REGIONS = 4_000;
/** What is recognised with less than this is a picture, or dirt. */
const MIN_CONFIDENCE = 0.35;
const MIN_OF_SIGNS = 0.65;
/** Ink higher than so many letters is a drawing. */
const HIGH = 8;

const isText = ({ x0, y0, x1, y1, area }: Component, letter: number) =>
  area > 4 && y1 - y0 <= HIGH * letter && (x1 - x0 > 0.06 * letter || y1 - y0 > 0.06 * letter);

/** What is recognised in the dirt of a page, or in a picture. */
function isReal({ letters, confidence }: RecognisedLine): boolean {
  if (confidence < MIN_CONFIDENCE) return false;
  const words = letters.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return words ? letters.length > 2 || confidence > 0.5 : confidence > MIN_OF_SIGNS;
}

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
  const letters = placed(mendedSpaces(line.letters, size), size);
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

const scaled = ({ x0, y0, x1, y1 }: PixelRect, perPoint: number): Rect => ({
  x0: x0 / perPoint,
  y0: y0 / perPoint,
  x1: x1 / perPoint,
  y1: y1 / perPoint,
});

const rulesOf = ({ across, down }: DrawnLines, perPoint: number): { across: Rule[]; down: Rule[] } => ({
  across: across.map(({ x0, x1, y0, y1 }) => ({
    at: (y0 + y1) / 2 / perPoint,
    from: x0 / perPoint,
    to: x1 / perPoint,
  })),
  down: down.map(({ x0, x1, y0, y1 }) => ({ at: (x0 + x1) / 2 / perPoint, from: y0 / perPoint, to: y1 / perPoint })),
});

/** Pixels a point on a page that may not tell, or tell wrongly, how large it is. */
function resolution(dotsPerInch: number | null, letter: number): number {
  const type = dotsPerInch === null ? 0 : (letter * 72) / dotsPerInch;
  return dotsPerInch !== null && type >= MIN_TYPE && type <= MAX_TYPE ? dotsPerInch / 72 : letter / USUAL_TYPE;
}

/** Places on the page with text, and rows of dots. */
function placesOf({ image, components, lines, letter }: Seen) {
  const leaders = leadersOf(components, letter);
  wipeDots(image, leaders);
  const dots = new Set(leaders.flat());
  const text = components.filter((component) => isText(component, letter) && !dots.has(component));
  const { regions, aside } = regionsOf(text, lines, letter);
  return { leaders, aside, regions: regions.slice(0, MAX_REGIONS) };
}

/** How clear the text is, by letters. */
function clarityOf(lines: readonly RecognisedLine[]): number {
  const letters = lines.reduce((sum, line) => sum + line.letters.length, 0);
  return lines.reduce((sum, line) => sum + line.confidence * line.letters.length, 0) / Math.max(1, letters);
}

/** How clear the text of a page would be, by the longest lines of it. */
function sampled(core: Core, image: GreyImage, isSpent: () => boolean): number {
  const { seen } = prepared(image);
  if (seen === null) return 0;
  const { regions, aside } = placesOf(seen);
  const widest = regions.toSorted((a, b) => b.x1 - b.x0 - (a.x1 - a.x0)).slice(0, SAMPLE);
  return (1 - aside) * clarityOf(new PageReader(core, seen.image, isSpent).read(widest));
}

interface ReadPage {
  readonly image: GreyImage;
  readonly inked: boolean;
  readonly seen: Seen | null;
  readonly lines: readonly RecognisedLine[];
  readonly cut: boolean;
}

/** Reads a page as it lies, or as it should. */
function readUpright(core: Core, given: GreyImage, isSpent: () => boolean): ReadPage {
  const read = (image: GreyImage) => {
    const { seen, inked } = prepared(image);
    if (seen === null) return { image, inked, seen, all: [], leaders: [], aside: 0, cut: false };
    const { leaders, regions, aside } = placesOf(seen);
    const reader = new PageReader(core, seen.image, isSpent);
    const all = reader.read(regions);
    return { image, inked, seen, leaders, aside, all, cut: reader.isCut };
  };
  let found = read(given);
  if (found.seen !== null && !isSpent()) {
    const image = upright(given, (1 - found.aside) * clarityOf(found.all), (turned) => sampled(core, turned, isSpent));
    if (image !== given) found = read(image);
  }
  const real = found.all.filter(isReal);
  return { ...found, lines: [...real, ...leaderLines(found.leaders, real)] };
}

/**
 * Recognises the text of a page. Places are points at its resolution; the size of the page, which is turned where its text lies on its side, says by how many pixels a point it was decided.
 */
export function recognisePage(
  core: Core,
  given: GreyImage,
  { dotsPerInch, exact, isSpent }: Recognising,
): RecognisedPage {
  const { image, inked, seen, lines, cut } = readUpright(core, given, isSpent);
  const known = exact && dotsPerInch !== null ? dotsPerInch / 72 : null;
  const own = known ?? (seen === null ? 1 : resolution(dotsPerInch, seen.letter / seen.scale));
  const page = { width: image.width / own, height: image.height / own, pixelWidth: image.width, inked, cut };
  const nothing: Graphics = { across: [], down: [], fills: [], images: [], painted: [] };
  if (seen === null) return { ...page, glyphs: [], graphics: nothing, stretches: [] };
  const perPoint = own * seen.scale;
  const sizes = evenSizes(lines);
  return {
    ...page,
    glyphs: lines.flatMap((line, at) => glyphsOf(line, sizes[at]!, perPoint)),
    graphics: { ...nothing, ...rulesOf(seen.lines, perPoint) },
    stretches: lines.map((line) => ({
      ...scaled(line, perPoint),
      confidence: line.confidence,
      letters: line.letters.length,
    })),
  };
}
