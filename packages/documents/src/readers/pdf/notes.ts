import { type Frame, median } from './geometry.ts';
import type { Rule } from './graphics.ts';
import type { Ruling } from './grid.ts';
import type { Line } from './lines.ts';
import { append } from '../../package/append.ts';
import { largest, smallest } from '../../package/extremes.ts';

/** Columns are few; a drawing may have any number of lines. */
const MAX_NOTE_RULES = 40;
/** Footnotes stand below this share of the height of a page. */
const MIN_NOTE_Y_SHARE = 0.5;

/** The mark that a note begins with. */
export const noteMark = /^(?:\d{1,3}[).]?|[*∗†‡§]{1,3}|[①-⑳])(?=\s|[^\d\s.,])/;

/** True when the mark of a note may follow that of another: a note may hold points with marks of their own. */
function countsOn(before: Line, line: Line): boolean {
  const [one, next] = [before, line].map(({ text }) => noteMark.exec(text)?.[0] ?? '');
  const shapeOf = (mark = '') =>
    mark
      .replace(/\d+/, '#')
      .replace(/^[①-⑳]$/, '①')
      .replace(/^[*∗†‡§]+$/, '*');
  if (shapeOf(one) !== shapeOf(next)) return false;
  return !/^\d/.test(one ?? '') || Number.parseInt(next ?? '', 10) > Number.parseInt(one ?? '', 10);
}

/** Lines at the foot of a page below a short line, or raised numbers before small letters. */
export function notesOf(lines: readonly Line[], loose: Ruling['loose'], frame: Frame): Line[][] {
  const size = median(lines.flatMap((line) => (line.glyphs.length > 8 ? [line.size] : [])));
  const isNote = (line: Line) => {
    const [first] = line.glyphs;
    const raised =
      first !== undefined && first.look.size < 0.82 * line.size && first.base < line.base - 0.1 * line.size;
    return noteMark.test(line.text) && (raised || line.size <= 0.97 * size);
  };
  const all: Line[][] = [];
  const taken = new Set<Line>();
  // Each column may have its own.
  const isWide = ({ from, to }: Rule) => to - from > 0.45 * frame.width;
  const short = loose.filter(
    (rule) => rule.at >= MIN_NOTE_Y_SHARE * frame.height && !isWide(rule) && rule.to - rule.from >= 20,
  );
  for (const rule of short.toSorted((a, b) => a.at - b.at).slice(0, MAX_NOTE_RULES)) {
    // Text below a line across the page belongs to the page and to no column.
    const floor = smallest([
      frame.height,
      ...loose.flatMap((one) => (isWide(one) && one.at > rule.at ? [one.at] : [])),
    ]);
    const under = lines.filter(
      (line) => line.base > rule.at + 2 && line.base < floor && line.x0 > rule.from - 12 && !taken.has(line),
    );
    // The column ends where the lines end that begin below the rule.
    const edge = largest([rule.to, ...under.flatMap((line) => (line.x0 < rule.from + 40 ? [line.x1] : []))]);
    const below = under.filter((line) => line.x1 < edge + 4).toSorted((a, b) => a.base - b.base || a.x0 - b.x0);
    const clear = under.every((line) => below.includes(line) || line.x0 > edge - 4);
    const [first] = below;
    if (first === undefined || !clear || first.base - rule.at > 4 * first.size || !isNote(first)) continue;
    const notes: Line[][] = [];
    let last = first;
    for (const line of below) {
      // Text apart below the notes is a footer.
      if (line.base - last.base > 2.4 * last.size) break;
      const before = notes.at(-1)?.[0];
      if (before === undefined || (isNote(line) && countsOn(before, line))) notes.push([line]);
      else notes.at(-1)!.push(line);
      taken.add(line);
      last = line;
    }
    append(all, notes);
  }
  return all;
}
