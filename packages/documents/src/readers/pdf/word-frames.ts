import { boundingRect, heightOf, isCentredIn } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import type { Grid } from './grid.ts';
import type { Line } from './lines.ts';

/** A frame around words of a line is lower than this. */
const MAX_HEIGHT_EM = 2.2;
/** The line goes on outside of the frame within so much. */
const MAX_GAP_EM = 0.4;
/** Letters inside and outside that are no further from each other are of one word. */
const MAX_PADDING_EM = 0.32;
/** Labels of an annex stand in boxes beside its title, which they belong to. */
const annexLabel = /^(?:참\s*고|붙\s*임|별\s*첨|별\s*지|서\s*식)\s*\d{0,2}$/u;
/** What stands alone in the box of a chapter's number. */
const chapterNumber = /^(?:[\p{N}IVX]{1,4}|제\s?\d{1,2}\s?[장절편부])[.)]?$/u;

/** True for a box of one line, whatever it holds. */
const isLow = (grid: Grid, { size }: { readonly size: number }) =>
  grid.cells.length === 1 && heightOf(grid) < MAX_HEIGHT_EM * size;

const isBlank = (glyph: Glyph) => glyph.text.trim() === '';

/** Letters of a line in a frame, and those right before and behind it where the line goes on there; null for a frame of another kind. */
function wordsIn(
  line: Line,
  grid: Grid,
): { readonly inside: readonly Glyph[]; readonly beside: readonly Glyph[] } | null {
  const letters = line.glyphs.filter((glyph) => !isBlank(glyph));
  const inside = letters.filter((glyph) => isCentredIn(glyph, grid));
  if (inside.length === 0 || inside.length === letters.length) return null;
  const words = inside.map(({ text }) => text).join('');
  if (annexLabel.test(words) || chapterNumber.test(words)) return null;
  const near = (gap: number) => Math.abs(gap) < MAX_GAP_EM * line.size;
  const beside = letters.filter(
    (glyph) =>
      !isCentredIn(glyph, grid) &&
      Math.abs(glyph.look.size - inside[0]!.look.size) < 0.1 * line.size &&
      (near(glyph.x0 - grid.x1) || near(grid.x0 - glyph.x1)),
  );
  return beside.length === 0 ? null : { inside, beside };
}

/** Letters that a frame alone sets apart from those within it, put to them. */
function closedUp(line: Line, inside: readonly Glyph[], beside: readonly Glyph[]): Map<Glyph, Glyph> {
  const { x0, x1 } = boundingRect(inside);
  const isClose = (gap: number) => gap > 0 && gap < MAX_PADDING_EM * line.size;
  const first = inside[0]!;
  const moved = new Map<Glyph, Glyph>();
  for (const glyph of beside) {
    if (isClose(glyph.x0 - x1)) moved.set(glyph, { ...glyph, x0: x1, apart: false });
    else if (isClose(x0 - glyph.x1)) moved.set(glyph, { ...glyph, x1: x0 }).set(first, { ...first, apart: false });
  }
  return moved;
}

/**
 * Grids without frames around words of a line, such as the name of a button or a term that a question is about, which stay in their line; and the
 * letters without the white that such a frame makes.
 */
export function withoutWordFrames(
  grids: readonly Grid[],
  lines: readonly Line[],
  glyphs: readonly Glyph[],
): { readonly grids: readonly Grid[]; readonly glyphs: readonly Glyph[] } {
  const moved = new Map<Glyph, Glyph>();
  const kept = grids.filter((grid) => {
    if (grid.cells.length > 1) return true;
    for (const line of lines) {
      if (!isLow(grid, line) || line.base <= grid.y0 || line.base >= grid.y1) continue;
      const words = wordsIn(line, grid);
      if (words === null) continue;
      for (const [from, to] of closedUp(line, words.inside, words.beside)) moved.set(from, to);
      return false;
    }
    return true;
  });
  return kept.length === grids.length
    ? { grids, glyphs }
    : { grids: kept, glyphs: glyphs.map((glyph) => moved.get(glyph) ?? glyph) };
}

/** Lines that stand alone in a frame of their own at the height of one of these rows, such as the kind of a paper beside its name. */
export function labelsBeside(
  rows: readonly (readonly Line[])[],
  lines: readonly Line[],
  grids: readonly Grid[],
): Line[] {
  const frames = grids.filter((grid) => grid.cells.length === 1);
  if (rows.length === 0 || frames.length === 0) return [];
  const taken = new Set(rows.flat());
  return lines.filter((line) => {
    if (taken.has(line) || annexLabel.test(line.text) || chapterNumber.test(line.text)) return false;
    const frame = frames.find((one) => isLow(one, line) && isCentredIn(line, one));
    return (
      frame !== undefined &&
      lines.every((other) => other === line || !isCentredIn(other, frame)) &&
      rows.some((row) => row.some(({ base, size }) => base > frame.y0 && base - 0.7 * size < frame.y1))
    );
  });
}
