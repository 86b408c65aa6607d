import { type Rect, boundingRect, widthOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import { type Line, lineOf, rowsOf } from './lines.ts';
import { append } from '../../package/append.ts';

/** Options of a question that stand beside each other, each with its lines, in the order of their numbers. */
export interface Options extends Rect {
  readonly items: readonly (readonly Line[])[];
  /** All lines that it is made of; one may hold several options. */
  readonly lines: ReadonlySet<Line>;
}

const CIRCLED_ONE = 0x24_60;
const option = /^[①-⑳]/u;
const MIN_OPTIONS = 4;
/** Options are short; paragraphs of laws that are numbered so are not. */
const MAX_OPTION_EM = 28;
const MAX_ROW_PITCH_EM = 3.2;
const MAX_LINE_PITCH_EM = 2;
/** The lines of an option begin below its words, or no further to the right. */
const MIN_HANG_EM = 0.4;
const MAX_HANG_EM = 2.5;
/** White between options on one line at least. */
const MIN_PARTED_EM = 0.45;
/** Options begin below each other. */
const MAX_ASIDE_EM = 0.6;
/** Lines below an option that are looked at: hostile pages stack thousands upon each other. */
const MAX_COMPARED_LINES = 100;
/** Questions whose options stand on the same lines: columns of a page are few. */
const MAX_OPEN_GROUPS = 8;

interface Group {
  readonly first: Line;
  readonly lines: Line[];
  rows: number;
  wide: boolean;
  bottom: number;
}

const numberOf = (line: Line): number => line.text.charCodeAt(0) - CIRCLED_ONE + 1;

/** A line of options that stand near each other, parted before each number. */
function partedLine(line: Line): Line[] {
  const { glyphs } = line;
  const starts: number[] = [];
  let before: Glyph | null = null;
  for (const [at, glyph] of glyphs.entries()) {
    if (option.test(glyph.text) && (before === null || glyph.x0 - before.x1 >= MIN_PARTED_EM * line.size))
      starts.push(at);
    if (glyph.text.trim() !== '') before = glyph;
  }
  if (starts.length < 2) return [line];
  return starts.flatMap((start, at) => lineOf(glyphs.slice(start, starts[at + 1])) ?? []);
}

/** Marked lines by the ① that they follow: the nearest on their left that is not too far above. */
function groupsOf(marked: readonly Line[]): Group[] {
  const groups: Group[] = [];
  let open: Group[] = [];
  for (const row of rowsOf(marked)) {
    const base = row[0]!.base;
    open = open.filter(({ bottom, first }) => base - bottom <= MAX_ROW_PITCH_EM * first.size).slice(-MAX_OPEN_GROUPS);
    const parts = new Map<Group, Line[]>();
    for (const line of row) {
      if (numberOf(line) === 1) {
        // It begins what follows below those on its left.
        open = open
          .filter(({ first }) => Math.abs(first.x0 - line.x0) > MAX_ASIDE_EM * line.size)
          .slice(1 - MAX_OPEN_GROUPS);
        const made: Group = { first: line, lines: [], rows: 0, wide: false, bottom: base };
        groups.push(made);
        open.push(made);
      }
      const owner = open
        .filter(({ first }) => first.x0 <= line.x0 + MAX_ASIDE_EM * line.size)
        .reduce<Group | null>((best, one) => (best === null || one.first.x0 > best.first.x0 ? one : best), null);
      const owned = owner === null ? undefined : parts.get(owner);
      if (owned !== undefined) owned.push(line);
      else if (owner !== null) parts.set(owner, [line]);
    }
    for (const [group, lines] of parts) {
      append(group.lines, lines);
      group.rows++;
      group.wide ||= lines.length > 1;
      group.bottom = base;
    }
  }
  return groups;
}

/** The first of lines in the order of their bases that stands below a base. */
function firstBelow(lines: readonly Line[], base: number): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (lines[middle]!.base <= base) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** What may go on with options: lines in the order of their bases, down to the last of these. */
interface Rest {
  readonly lines: readonly Line[];
  readonly until: number;
}

/** Lines without a number below an option, which go on with it. */
function withRest(item: Line, { lines: rest, until }: Rest, taken: ReadonlySet<Line>): Line[] {
  const lines = [item];
  const from = firstBelow(rest, item.base);
  for (const line of rest.slice(from, from + MAX_COMPARED_LINES)) {
    const last = lines.at(-1)!;
    const step = line.base - last.base;
    if (line.base > until) break;
    if (step <= 0.5 * item.size || taken.has(line)) continue;
    if (step > MAX_LINE_PITCH_EM * item.size) break;
    const hang = (line.x0 - item.x0) / item.size;
    if (hang >= MIN_HANG_EM && hang <= MAX_HANG_EM && Math.abs(line.size - item.size) < 0.1 * item.size)
      lines.push(line);
  }
  return lines;
}

/**
 * Options that stand beside each other in two rows or more, whichever way they are counted (① ② above ③ ④, or ① ③ above ② ④).
 * Those that stand below each other alone need no help.
 */
export function optionsOf(lines: readonly Line[]): Options[] {
  const wholes = new Map<Line, Line>();
  for (const line of lines)
    if (option.test(line.text) && !line.hidden)
      for (const part of partedLine(line)) if (widthOf(part) <= MAX_OPTION_EM * part.size) wholes.set(part, line);
  const marked = [...wholes.keys()];
  if (marked.length < MIN_OPTIONS) return [];
  const rest = lines.filter((line) => !option.test(line.text) && !line.hidden).toSorted((a, b) => a.base - b.base);
  const taken = new Set<Line>();
  const found: Options[] = [];
  for (const group of groupsOf(marked)) {
    const items = group.lines.toSorted((a, b) => numberOf(a) - numberOf(b));
    if (items.length < MIN_OPTIONS || group.rows < 2 || !group.wide) continue;
    if (items.some((line, at) => numberOf(line) !== at + 1)) continue;
    const until = group.bottom + MAX_LINE_PITCH_EM * group.first.size;
    const whole = items.map((item) => {
      const own = withRest(item, { lines: rest, until }, taken);
      for (const line of own) taken.add(line);
      return own;
    });
    const all = whole.flat();
    found.push({ ...boundingRect(all), items: whole, lines: new Set(all.map((line) => wholes.get(line) ?? line)) });
  }
  return found;
}
