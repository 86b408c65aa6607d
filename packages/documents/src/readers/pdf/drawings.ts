import { barsOf } from './bars.ts';
import { turnedEntries, type AreaContext } from './entries.ts';
import { type Rect, boundingRect, heightOf, isCentredIn, median, overlapLength, widthOf } from './geometry.ts';
import { type Graphics, type Slant, WHITE_RGB } from './graphics.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid, Ruling } from './grid.ts';
import { type Line, rowsOf } from './lines.ts';
import { itemMark } from './paragraphs.ts';
import { proseOf } from './prose.ts';
import { captionStart, sourceStart } from './captions.ts';

/** A chart that is drawn with lines and areas, and the letters that belong to it. */
export interface Drawing extends Rect {
  /** What stands in it and around it, a row each. */
  readonly words: readonly string[];
  readonly glyphs: ReadonlySet<Glyph>;
}

/** More drawings than this on one page are decoration. */
const MAX_DRAWINGS = 60;
/** Slants and areas that are looked at, and cells that may be struck out. */
const MAX_PARTS = 1_500;
const MAX_STRUCK_CELLS = 2_000;
/** Parts that are nearer to each other are of one drawing. */
const JOIN_POINTS = 12;
/** Lines and areas that touch a drawing belong to it. */
const TOUCH_POINTS = 6;
/** What is larger than the drawing by more than this is the frame of something else. */
const MAX_GROWTH = 1.7;
const MAX_GROWTH_POINTS = 20;
/** An axis stands so far below the lowest point of a line, as a share of its height, and so far aside of it, of its width. */
const AXIS_REACH = 1.5;
const AXIS_REACH_ASIDE = 0.3;
/** A grid of which a larger share of cells has text is a table. */
const MIN_TABLE_SHARE = 0.4;
const MAX_ACROSS_SHARE = 0.15;
/** A pie is about as high as wide, and has some parts; it may say nothing but their names. */
const MIN_PIE_PARTS = 3;
const MAX_PIE_RATIO = 1.5;
const MAX_PIE_LABEL_POINTS = 12;
/** Parts that a drawing is tried to grow by at most. */
const MAX_TRIES = 200;
/** The rings of letters around a plot: figures, names, and what the axes are called. */
const LABEL_RINGS = 3;
const MIN_WIDTH_POINTS = 60;
const MIN_HEIGHT_POINTS = 40;
const MIN_LABELS = 3;
const MIN_FIGURES = 2;
const MAX_PROSE_SHARE = 0.25;
/** Lines that each one is compared with. */
const MAX_COMPARED_LINES = 60;

const grown = ({ x0, y0, x1, y1 }: Rect, by: number): Rect => ({ x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by });
const touches = (one: Rect, other: Rect): boolean =>
  overlapLength(one.x0, one.x1, other.x0, other.x1) >= 0 && overlapLength(one.y0, one.y1, other.y0, other.y1) >= 0;
const holds = (outer: Rect, inner: Rect): boolean =>
  inner.x0 >= outer.x0 - 2 && inner.x1 <= outer.x1 + 2 && inner.y0 >= outer.y0 - 2 && inner.y1 <= outer.y1 + 2;

/** True for a line along the whole of a core and not too far from it: an axis, or a line of the grid behind it. */
function isAxisOf(core: Rect, part: Rect): boolean {
  const along = part.x0 <= core.x0 + 3 && part.x1 >= core.x1 - 3;
  const down = part.y0 <= core.y0 + 3 && part.y1 >= core.y1 - 3;
  const aside = Math.max(0, core.x0 - part.x1, part.x0 - core.x1);
  const apart = Math.max(0, core.y0 - part.y1, part.y0 - core.y1);
  return (
    (along && heightOf(part) < 1 && apart <= AXIS_REACH * heightOf(core) + MAX_GROWTH_POINTS) ||
    (down && widthOf(part) < 1 && aside <= AXIS_REACH_ASIDE * widthOf(core) + 10)
  );
}

/** Rectangles put together that lie near each other. */
function clustersOf(parts: readonly Rect[]): Rect[] {
  const clusters: Rect[] = [];
  for (const part of parts) {
    let whole: Rect = part;
    for (let at = clusters.findIndex((other) => touches(grown(whole, JOIN_POINTS), other)); at !== -1;) {
      whole = boundingRect([whole, clusters[at]!]);
      clusters.splice(at, 1);
      at = clusters.findIndex((other) => touches(grown(whole, JOIN_POINTS), other));
    }
    if (clusters.length < MAX_DRAWINGS) clusters.push(whole);
  }
  return clusters;
}

/** True when most cells of a grid have lines in them. Those of large ones are a sample. */
function isFilled(cells: readonly Rect[], lines: readonly Line[]): boolean {
  const sample = cells.slice(0, MAX_COMPARED_LINES);
  const filled = sample.filter((cell) => lines.some((line) => isCentredIn(line, cell)));
  return filled.length >= MIN_TABLE_SHARE * sample.length;
}

/** True where words stand across lines, as the names below an axis do; those of a table stand between its lines. */
function isBehindPlot(grid: Grid, lines: readonly Line[]): boolean {
  const within = lines.filter((line) => isCentredIn(line, grid)).slice(0, MAX_COMPARED_LINES);
  const across = within.filter((line) => !grid.cells.some((cell) => holds(cell, line)));
  return across.length > MAX_ACROSS_SHARE * within.length;
}

/** Parts by the core that they are nearest to. */
function byNearest(parts: readonly Rect[], cores: readonly Rect[]): Map<Rect, Rect[]> {
  const found = new Map(cores.map((core) => [core, [] as Rect[]]));
  const gap = (one: Rect, other: Rect) =>
    Math.max(0, -overlapLength(one.x0, one.x1, other.x0, other.x1)) +
    Math.max(0, -overlapLength(one.y0, one.y1, other.y0, other.y1));
  for (const part of parts) {
    let [nearest, least] = [cores[0]!, Infinity];
    for (const core of cores) {
      const here = gap(part, core);
      if (here < least) [nearest, least] = [core, here];
    }
    found.get(nearest)!.push(part);
  }
  return found;
}

class Finder {
  readonly #lines: readonly Line[];
  readonly #prose: ReadonlySet<Line>;
  readonly #parts: ReadonlyMap<Rect, readonly Rect[]>;
  readonly #grids: readonly Grid[];
  /** Lines and areas of tables. */
  readonly #tabled: ReadonlySet<Rect>;

  constructor(lines: readonly Line[], graphics: Graphics, grids: readonly Grid[], cores: readonly Rect[]) {
    this.#lines = lines;
    this.#prose = proseOf(lines);
    this.#grids = grids.filter((grid) => !isBehindPlot(grid, lines));
    const tables = this.#grids.filter(({ cells }) => cells.length > 3 && isFilled(cells, lines));
    const ofTable = (part: Rect) => tables.some((table) => holds(table, part));
    const parts: Rect[] = [
      ...graphics.across.map(({ at, from, to }) => ({ x0: from, x1: to, y0: at, y1: at })),
      ...graphics.down.map(({ at, from, to }) => ({ x0: at, x1: at, y0: from, y1: to })),
      ...graphics.fills.filter(({ colour }) => colour !== WHITE_RGB),
      ...graphics.painted,
    ];
    this.#tabled = new Set(tables.length === 0 ? [] : parts.filter(ofTable));
    this.#parts = byNearest(parts, cores);
  }

  #isOther(line: Line): boolean {
    return this.#prose.has(line) || captionStart.test(line.text) || sourceStart.test(line.text);
  }

  /** The cell of a table that a drawing stands in with its labels. */
  #homeOf(core: Rect): Rect | null {
    for (const grid of this.#grids) {
      const cell = grid.cells.length < 2 ? undefined : grid.cells.find((one) => holds(one, core));
      if (cell !== undefined && this.#lines.filter((line) => isCentredIn(line, cell)).length >= MIN_LABELS) return cell;
    }
    return null;
  }

  /** Axes, lines of a grid, and other areas that touch a drawing, as long as they bring no sentences with them. */
  #withParts(core: Rect, home: Rect | null): Rect {
    let whole = core;
    let tries = 0;
    for (let grew = true; grew;) {
      grew = false;
      for (const part of this.#parts.get(core) ?? []) {
        if (holds(whole, part) || !(touches(grown(whole, TOUCH_POINTS), part) || isAxisOf(core, part))) continue;
        if (home === null ? this.#tabled.has(part) : !holds(home, part)) continue;
        if (
          widthOf(part) > MAX_GROWTH * widthOf(whole) + MAX_GROWTH_POINTS ||
          heightOf(part) > (widthOf(part) < 1 ? 2 * MAX_GROWTH : MAX_GROWTH) * heightOf(whole) + MAX_GROWTH_POINTS
        )
          continue;
        if (++tries > MAX_TRIES) return whole;
        const next = boundingRect([whole, part]);
        if (this.#lines.some((line) => isCentredIn(line, next) && !isCentredIn(line, whole) && this.#isOther(line)))
          continue;
        whole = next;
        grew = true;
      }
    }
    return whole;
  }

  #isLabel(line: Line, plot: Rect, size: number): boolean {
    if (this.#isOther(line) || line.size > 1.2 * size || itemMark(line.text) !== null) return false;
    const [top, bottom] = [line.base - 0.8 * line.size, line.base + 0.2 * line.size];
    const aside = Math.max(0, plot.x0 - line.x1, line.x0 - plot.x1);
    const apart = Math.max(0, plot.y0 - bottom, top - plot.y1);
    if (aside > 0) return aside <= 1.6 * line.size && apart <= 0.6 * line.size;
    const middle = (line.x0 + line.x1) / 2;
    return (
      apart <= 1.3 * line.size &&
      widthOf(line) <= 1.1 * widthOf(plot) + 4 * line.size &&
      middle >= plot.x0 - line.size &&
      middle <= plot.x1 + line.size
    );
  }

  /** The drawing around a core, with its labels; null where it is none, or holds sentences. */
  around(core: Rect, turned: readonly Glyph[], isPie: boolean): { rect: Rect; lines: Line[]; turned: Glyph[] } | null {
    const home = this.#homeOf(core);
    const plot = this.#withParts(core, home);
    if (widthOf(plot) < MIN_WIDTH_POINTS || heightOf(plot) < MIN_HEIGHT_POINTS) return null;
    const near = this.#lines.filter(
      (line) => !line.hidden && isCentredIn(line, home ?? grown(plot, 100)) && (home === null || holds(home, line)),
    );
    const inside = near.filter((line) => isCentredIn(line, plot));
    const lengthOf = (some: readonly Line[]) => some.reduce((sum, { text }) => sum + text.length, 0);
    if (lengthOf(inside.filter((line) => this.#isOther(line))) > MAX_PROSE_SHARE * lengthOf(inside)) return null;
    const found = new Set(inside);
    let whole = plot;
    for (let ring = 0; ring < LABEL_RINGS; ring++) {
      const size = found.size === 0 ? Infinity : median([...found].map((line) => line.size));
      const labels = near.filter((line) => !found.has(line) && this.#isLabel(line, whole, size));
      for (const label of labels) found.add(label);
      whole = boundingRect([whole, ...labels]);
    }
    const aside = turned.filter((glyph) => isCentredIn(glyph, grown(whole, 1.5 * glyph.look.size)));
    const figures = [...found].filter(({ text }) => /\d/.test(text)).length;
    if (found.size === 0 || (!isPie && (found.size < MIN_LABELS || figures < MIN_FIGURES))) return null;
    return { rect: boundingRect([whole, ...aside]), lines: [...found], turned: aside };
  }
}

/** Charts of a page whose `lines` of upright letters are known. `grids` are those of its tables. */
export function drawingsOf(
  graphics: Graphics,
  {
    lines,
    glyphs,
    grids,
    sheet,
  }: {
    lines: readonly Line[];
    glyphs: readonly Glyph[];
    grids: readonly Grid[];
    sheet: Rect;
  },
  context: AreaContext,
): Drawing[] {
  const cells = grids.flatMap((grid) => (grid.cells.length < 2 ? [] : grid.cells)).slice(0, MAX_STRUCK_CELLS);
  const struck = (slant: Slant) => slant.single && cells.some((cell) => holds(cell, slant));
  const large = (rect: Rect) => widthOf(rect) > 0.9 * widthOf(sheet) || heightOf(rect) > 0.8 * heightOf(sheet);
  const holdsText = (fill: Rect) => lines.some((line) => isCentredIn(line, fill) && widthOf(line) <= widthOf(fill));
  const bars = barsOf(graphics.fills.slice(0, MAX_PARTS), holdsText);
  const slants = graphics.slants.slice(0, MAX_PARTS).filter((slant) => !large(slant) && !struck(slant));
  const seeds = [...slants, ...bars];
  if (seeds.length === 0) return [];
  const cores = clustersOf(seeds);
  const finder = new Finder(lines, graphics, grids, cores);
  const isPie = (core: Rect) =>
    Math.max(widthOf(core), heightOf(core)) <= MAX_PIE_RATIO * Math.min(widthOf(core), heightOf(core)) &&
    slants.filter((slant) => slant.filled && holds(core, slant)).length >= MIN_PIE_PARTS &&
    !lines.some((line) => isCentredIn(line, core) && line.size > MAX_PIE_LABEL_POINTS);
  const turned = glyphs.filter(({ look }) => look.quarter !== 0);
  const drawings: Drawing[] = [];
  for (const core of cores) {
    const found = large(core) ? null : finder.around(core, turned, isPie(core));
    if (found === null || drawings.some((other) => touches(other, found.rect) && isCentredIn(found.rect, other)))
      continue;
    const taken = new Set([...found.lines.flatMap((line) => line.glyphs), ...found.turned]);
    drawings.push({
      ...found.rect,
      glyphs: taken,
      words: [
        ...rowsOf(found.lines).map((row) => row.map(({ text }) => text).join(' ')),
        ...turnedEntries(found.turned, context).map(({ text }) => text),
      ],
    });
  }
  return drawings;
}

/** Lines of a page without those of its drawings. */
export function withoutDrawings({ grids, loose }: Ruling, drawings: readonly Drawing[]): Ruling {
  if (drawings.length === 0) return { grids, loose };
  const drawn = (rect: Rect) => drawings.some((drawing) => holds(drawing, rect));
  return {
    grids: grids.filter((grid) => !drawn(grid)),
    loose: loose.filter(({ at, from, to }) => !drawn({ x0: from, x1: to, y0: at, y1: at })),
  };
}
