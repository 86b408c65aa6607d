import { areaEntries } from './area.ts';
import type { Entry, PageContent, PageParts, TextEntry } from './content.ts';
import { type AreaContext, textEntry } from './entries.ts';
import { type Frame, type Rect, boundingRect, isCentredIn, frameOf, widthOf } from './geometry.ts';
import { drawnTextOf } from './drawn-text.ts';
import { drawingsOf, withoutDrawings } from './drawings.ts';
import { withBoxRows } from './box-rows.ts';
import { withoutPageFrames } from './frames.ts';
import { fieldGlyphs } from './field-glyphs.ts';
import { formBoxesOf, withoutBoxEdges } from './form-boxes.ts';
import { type Glyph, glyphsOf, prevailingTurn } from './glyphs.ts';
import { type Graphics, graphicsOf } from './graphics.ts';
import { type Grid, rulingOf } from './grid.ts';
import { type Line, joinRow, linesOf } from './lines.ts';
import { hasNumber, isPageNumber, marginLinesOf } from './margin-lines.ts';
import { headingMarks, linksOf } from './marks.ts';
import { noteMark, notesOf } from './notes.ts';
import type { LineJoiner } from './line-joiner.ts';
import { paragraphsOf } from './paragraphs.ts';
import type { Pdfium } from './pdfium.ts';
import { halvesOf, ofHalf } from './sheets.ts';
import type { AttachedFiles } from './attachments.ts';
import { type Widget, widgetsOf } from './widgets.ts';
import { withoutWordFrames } from './word-frames.ts';
import { append } from '../../package/append.ts';

export interface PageContext {
  readonly joiner: LineJoiner;
  readonly tagged: boolean;
  readonly countCells: (count: number) => void;
  readonly countText: (characters: number) => void;
  readonly mayNest: (depth: number) => boolean;
  /** Letters of a page that are read at most. */
  readonly maxLetters: number;
  /** Takes the files that are pinned to pages; left out where nobody asks for them. */
  readonly attached?: AttachedFiles | null;
}

/** Lines that end no further apart end at one place. */
const EDGE_SLACK_POINTS = 6;
/** A page with a larger share of letters that Unicode does not have cannot be read. */
const MAX_UNMAPPED_SHARE = 0.4;
/** From both of these on, unmapped letters are damage; fewer are signs that have no place in Unicode. */
const MIN_DAMAGED_LETTERS = 20;
const MIN_DAMAGED_SHARE = 0.02;

/** A page that can't be loaded. */
export class UnreadablePage extends Error {
  constructor(number: number) {
    super(`page ${number}`);
    this.name = 'UnreadablePage';
  }
}

/**
 * Reads one page (from 1), with letters that were recognised in its picture where there are any. What it took of the library's memory is given back.
 * Throws UnreadablePage.
 */
export function readPage(
  pdfium: Pdfium,
  document: number,
  number: number,
  context: PageContext & { readonly recognised?: readonly Glyph[] },
): PageContent {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new UnreadablePage(number);
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    return contentOf(pdfium, { document, page, text, number }, context);
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  }
}

interface Handles {
  readonly document: number;
  readonly page: number;
  readonly text: number;
  readonly number: number;
}

function frameOfPage(pdfium: Pdfium, page: number, turn: number): Frame {
  pdfium.FPDF_GetPageBoundingBox(page, pdfium.scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer, pdfium.scratch, 4);
  const usable = [left, top, right, bottom].every(Number.isFinite) && right > left && top > bottom;
  return frameOf(usable ? { left, top, right, bottom } : { left: 0, top: 792, right: 612, bottom: 0 }, turn);
}

function contentOf(
  pdfium: Pdfium,
  { document, page, text, number }: Handles,
  context: PageContext & { readonly recognised?: readonly Glyph[] },
): PageContent {
  const rotation = Math.max(0, pdfium.FPDFPage_GetRotation(page));
  // The rotation of the page turns clockwise; text that is written sideways is turned back.
  const prevailing = text === 0 ? 0 : prevailingTurn(pdfium, text);
  const sideways = (prevailing + rotation) % 4;
  const turn = (rotation + 4 - sideways) % 4;
  const frame = frameOfPage(pdfium, page, turn);
  const drawn = graphicsOf(pdfium, page, frame);
  const found =
    text === 0
      ? { glyphs: [], unmapped: 0, letters: 0, recognised: false }
      : glyphsOf(pdfium, text, { frame, turn, graphics: drawn, most: context.maxLetters });
  const { unmapped, recognised } = found;
  const widgets = widgetsOf(pdfium, document, page, frame);
  context.attached?.takeFromPage(pdfium, page, number);
  const { glyphs: own, graphics, added } = withFields(found.glyphs, drawn, widgets);
  const seen = lettersBetween(context.recognised ?? [], own);
  const glyphs = seen.length === 0 ? own : [...own, ...seen];
  const letters = found.letters + added + seen.length;
  const usable = unmapped <= MAX_UNMAPPED_SHARE * letters;
  const levels: ReadonlyMap<number, number> = context.tagged ? headingMarks(pdfium, page) : new Map<number, number>();
  const area: AreaContext = {
    joiner: context.joiner,
    linkOf: linksOf(pdfium, document, page, frame),
    page: number,
    fills: graphics.fills,
    levelOf: (mark) => levels.get(mark),
    countCells: context.countCells,
    mayNest: context.mayNest,
  };
  context.countText(usable ? letters : 0);
  // Where a page lies on its side its picture does not.
  const drawnText = sideways === 0 && context.recognised === undefined ? drawnTextOf(drawn.letterShapes, own) : null;
  const [parts, beside] = sheetParts(usable ? glyphs : [], graphics, frame, { ...area, recognised });
  return {
    number,
    // As it is read, and as its picture is drawn: turned where its text is written sideways.
    width: Math.round(frame.width * 100) / 100,
    height: Math.round(frame.height * 100) / 100,
    letters: usable ? letters - unmapped : 0,
    recognised: usable && recognised,
    damaged: usable && unmapped >= MIN_DAMAGED_LETTERS && unmapped > MIN_DAMAGED_SHARE * letters,
    ...parts,
    ...(drawnText === null ? {} : { drawnText }),
    ...(beside === undefined ? {} : { beside }),
  };
}

/** Recognised letters that stand where no others do. */
function lettersBetween(recognised: readonly Glyph[], own: readonly Glyph[]): readonly Glyph[] {
  if (recognised.length === 0) return [];
  const places = own.filter(({ text }) => text.trim() !== '');
  return recognised.filter((glyph) => !places.some((other) => isCentredIn(glyph, other)));
}

/** Letters of a page with those of its fields, and its lines without the edges of boxes to tick. */
function withFields(
  glyphs: readonly Glyph[],
  graphics: Graphics,
  widgets: readonly Widget[],
): { readonly glyphs: readonly Glyph[]; readonly graphics: Graphics; readonly added: number } {
  const cells = graphics.shapes.length === 0 ? [] : rulingOf(graphics).grids.flatMap((grid) => grid.cells);
  const { boxes, taken } = formBoxesOf(graphics, glyphs, cells);
  if (boxes.length === 0 && widgets.length === 0) return { glyphs, graphics, added: 0 };
  const rest = taken.size === 0 ? glyphs : glyphs.filter((glyph) => !taken.has(glyph));
  const fields = fieldGlyphs(widgets, boxes, rest);
  return {
    glyphs: [...rest, ...fields],
    graphics: withoutBoxEdges(graphics, boxes),
    added: fields.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** Lines that end at one place, of all that do, from which on they say where the text of a page ends. */
const MIN_EDGE_LINES = 3;

/** Where the text of a page ends on the right: many of its lines do there, what stands further right is apart. */
function textEdge(lines: readonly Line[]): number {
  const ends = lines.map(({ x1 }) => x1).toSorted((a, b) => b - a);
  return ends.find((end, at) => end - (ends[at + MIN_EDGE_LINES - 1] ?? -Infinity) < EDGE_SLACK_POINTS) ?? Infinity;
}

/** The parts of a page, and those of a second one that is printed beside it on the same sheet. */
function sheetParts(
  glyphs: readonly Glyph[],
  graphics: Graphics,
  frame: Frame,
  context: AreaContext & { readonly recognised: boolean },
): readonly [PageParts, PageParts?] {
  const halves = halvesOf(glyphs, graphics, frame);
  if (halves === null) return [partsOf(glyphs, graphics, frame, context)];
  const partsIn = (half: Rect) => {
    const own = ofHalf(half, glyphs, graphics);
    return partsOf(own.glyphs, own.graphics, { ...frame, width: widthOf(half) }, context);
  };
  return [partsIn(halves[0]), partsIn(halves[1])];
}

/** Puts letters of a page in order, whatever they come from. */
export function partsOf(
  letters: readonly Glyph[],
  graphics: Graphics,
  frame: Frame,
  { recognised, ...context }: AreaContext & { readonly recognised: boolean },
): PageParts {
  const { grids, loose } = rulingOf(graphics);
  const linesIn = (some: readonly Glyph[]) => linesOf(some.filter(({ look }) => look.quarter === 0));
  const given = linesIn(letters);
  const { grids: boxes, glyphs } = withoutWordFrames(withBoxRows(grids), given, letters);
  const lines = glyphs === letters ? given : linesIn(glyphs);
  const all = { loose, grids: withoutPageFrames(boxes, boundingRect(glyphs)) };
  const sheet = { x0: 0, y0: 0, x1: frame.width, y1: frame.height };
  const drawings = recognised ? [] : drawingsOf(graphics, { lines, glyphs, grids: all.grids, sheet }, context);
  const drawn = new Set(drawings.flatMap((drawing) => [...drawing.glyphs]));
  const ruling = withoutDrawings(all, drawings);
  const upright = drawn.size === 0 ? lines : lines.filter((line) => !drawn.has(line.glyphs[0]!));
  const inGrid = (line: Line) => ruling.grids.some((grid: Grid) => grid.cells.length > 1 && isCentredIn(line, grid));
  const isNumber = (line: Line) => isPageNumber([line], frame);
  const notes = notesOf(
    upright.filter((line) => !inGrid(line) && !isNumber(line)),
    ruling.loose,
    frame,
  );
  const noted = new Set(notes.flat());
  const { top, bottom } = marginLinesOf(
    upright.filter((line) => !noted.has(line)),
    ruling,
    graphics,
    frame,
  );
  const gone = new Set([...drawn, ...[...top, ...bottom].flat().flatMap((line) => line.glyphs)]);
  for (const glyph of notes.flat().flatMap((line) => line.glyphs)) gone.add(glyph);
  const edge = textEdge(upright.filter((line) => !inGrid(line)));
  const entryOf = (some: readonly Line[]): TextEntry[] =>
    paragraphsOf(some, edge, context).map((paragraph) => textEntry(paragraph, context, edge));
  const rowEntry = (row: readonly Line[]) =>
    entryOf([joinRow(row)]).map((entry) => ({ ...entry, numbered: row.length > 1 && hasNumber(row) }));
  const entries: Entry[] = areaEntries(
    {
      glyphs: glyphs.filter((glyph) => !gone.has(glyph)),
      grids: ruling.grids,
      // The picture of a page whose text was recognised shows that text.
      images: recognised ? [] : graphics.images,
      drawings,
      loose: ruling.loose,
    },
    context,
  );
  for (const note of notes) {
    const mark = noteMark.exec(note[0]!.text)?.[0] ?? '';
    const parts = entryOf(note);
    append(
      entries,
      parts.map((entry, at) => (at === 0 ? { ...entry, note: mark } : { ...entry, note: '' })),
    );
  }
  return {
    top: { rows: top.flatMap(rowEntry), paragraphs: entryOf(top.flat()) },
    bottom: { rows: bottom.flatMap(rowEntry), paragraphs: entryOf(bottom.flat()) },
    entries,
  };
}
