import type { Span } from '../../document.ts';
import { isContentsLine, isContentsTitle, markerOf } from '../../text/korean-headings.ts';
import { type Rect, boundingRect, median, overlapLength } from './geometry.ts';
import { letteredItems } from './lettered.ts';
import type { LineJoiner } from './line-joiner.ts';
import { type Line, joinRow, rowsOf, wordsOf } from './lines.ts';
import { joinSpans, spansOfLine } from './spans.ts';
import { append } from '../../package/append.ts';
import { largest, smallest } from '../../package/extremes.ts';

/** Lines that make one paragraph. */
export interface Paragraph extends Rect {
  readonly kind: 'paragraph';
  readonly lines: readonly Line[];
  readonly spans: readonly Span[];
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly fixed: boolean;
  /** Name of the font of all its lines; empty where they differ. */
  readonly face: string;
  readonly hidden: boolean;
}

const bulletPattern = /^[•·∙▪■□▶▷►➢➤✓✔☐☑◦○●⚫⚪◼◾◽◆◇‣⁃❍❑❒❖★◻➔⇨☒\uE000-\uF8FF-](?=\s|[가-힣\u1100-\u11FFA-Z])/u;
const latinList = /^(?:\d{1,3}[.)]|[a-z]\)|\([a-z\d]{1,3}\)|[ivx]{1,5}[.)])\s/;

/** What begins an item of a list, with the blank behind it left out; null where nothing does. */
export function itemMark(text: string): string | null {
  const bullet = bulletPattern.exec(text)?.[0];
  if (bullet !== undefined) return bullet;
  const marker = markerOf(text);
  // `*NAME` is a name.
  if (marker?.style === 'note' && /^[*＊]+[^\s*＊]/.test(text)) return null;
  if (marker !== null && !/^(?:part|chapter|section|subsection|article|supplement)$/.test(marker.style))
    return marker.text;
  return latinList.exec(text)?.[0].trim() ?? null;
}

/** Dots that lead to a number are no longer; a longer row of them would be searched forever. */
const MAX_LEADER_LENGTH = 200;

/** An entry of a list of contents; pages before the first are numbered in Roman letters. */
export const isContents = (text: string): boolean =>
  isContentsLine(text) || /(?:[.·…‥․∙]\s*){4,}[ivxlc\d]{0,6}\s*$/i.test(text.slice(-MAX_LEADER_LENGTH));

/** Width of the first word of a line, in points. */
function firstWord(line: Line): number {
  const words = wordsOf(line);
  const end = words.findIndex(({ spaced }, at) => at > 0 && spaced);
  const last = words[(end === -1 ? words.length : end) - 1];
  return last === undefined ? 0 : last.glyph.x1 - line.x0;
}

/** Where lines of a column end for the most part, and how far they stand apart. */
interface Column {
  readonly left: number;
  readonly right: number;
  readonly pitch: number;
  /** Lines that letters with a point begin as items. */
  readonly lettered: ReadonlySet<Line>;
}

/** The right edge of the lines around a place. */
function rightEdge(lines: readonly Line[], at: number, edge: number): number {
  const here = lines[at]!;
  const near = lines
    .slice(Math.max(0, at - 8), at + 9)
    .filter(
      (line) =>
        Math.abs(line.x0 - here.x0) < 2.6 * here.size &&
        overlapLength(line.x0, line.x1, here.x0, here.x1) > 0.4 * Math.min(line.x1 - line.x0, here.x1 - here.x0),
    );
  return near.length >= 3 ? largest(near.map(({ x1 }) => x1)) : edge;
}

function columnOf(lines: readonly Line[], edge: number): Column {
  const pitches: number[] = [];
  for (let at = 1; at < lines.length; at++) {
    const step = (lines[at]!.base - lines[at - 1]!.base) / Math.max(1, lines[at]!.size);
    if (step > 0.8 && step < 2.6) pitches.push(step);
  }
  // Most frequent rather than middle: lines within paragraphs are nearer than paragraphs.
  const sorted = pitches.toSorted((a, b) => a - b);
  return {
    left: smallest(lines.map(({ x0 }) => x0)),
    right: edge,
    pitch: sorted[Math.floor(sorted.length * 0.4)] ?? 1.5,
    lettered: letteredItems(lines),
  };
}

/** A line of smaller or larger letters within an item of a list, whose line before is full: bodies squeeze lines to fit. */
function goesOnSmaller(open: readonly Line[], line: Line, column: Column): boolean {
  const [first, last] = [open[0]!, open.at(-1)!];
  const size = Math.max(last.size, line.size, 1);
  if (Math.abs(last.size - line.size) > 0.25 * size || itemMark(first.text) === null || itemMark(line.text) !== null)
    return false;
  const hangs = open.length === 1 ? line.x0 > first.x0 + 0.5 * size : Math.abs(line.x0 - last.x0) < 0.6 * size;
  return hangs && last.x1 > column.right - 0.6 * size;
}

/**
 * `다.` that ends the sentence of a full line above, where a line may end within a word; an item so called follows one that is called `나.`,
 * and what stands before an item seldom fills its line.
 */
const endsSentence = (open: readonly Line[], line: Line, column: Column): boolean => {
  const [first, last] = [open[0]!, open.at(-1)!];
  return (
    /^다\.(?:\s|$)/.test(line.text) &&
    /[가-힣]$/.test(last.text) &&
    !last.openEnd &&
    last.x1 > column.right - 0.8 * last.size &&
    itemMark(first.text) !== '나.'
  );
};

/** True when a paragraph ends with a line, as seen from the next one. */
function endsParagraph(open: readonly Line[], line: Line, column: Column): boolean {
  const last = open.at(-1)!;
  const first = open[0]!;
  const size = Math.max(last.size, line.size, 1);
  const step = (line.base - last.base) / size;
  if (step < 0.4 || step > Math.max(column.pitch * 1.3, column.pitch + 0.25)) return true;
  if (Math.abs(last.size - line.size) > 0.07 * size && !goesOnSmaller(open, line, column)) return true;
  if (last.hidden !== line.hidden || last.fixed !== line.fixed) return true;
  if (isContents(last.text) || isContents(line.text) || isContentsTitle(last.text)) return true;
  // Lines of code belong together however long they are.
  if (line.fixed) return false;
  if (endsSentence(open, line, column)) return false;
  const mark = itemMark(line.text);
  // A dash or a number within text begins nothing where the line above is full and at the same place.
  const between =
    mark !== null && /^[·∙•-]$/.test(mark) && itemMark(first.text) !== mark && last.text.includes(` ${mark} `);
  // `2020.` and then `3. 11.`: a date.
  const dated = /(?:^|\D)\d{4}\.(?:\s*\d{1,2}\.)?$/.test(last.text) && /^\d{1,2}\./.test(line.text);
  if (
    mark !== null &&
    !between &&
    !dated &&
    (markerOf(line.text)?.rank !== 18 || line.x0 < first.x0 - 1 || itemMark(first.text) !== null)
  )
    return true;
  if (markerOf(line.text)?.always === true || column.lettered.has(line)) return true;
  const aligned = Math.abs(last.x0 - line.x0) < 0.6 * size;
  const middle = (column.left + column.right) / 2;
  const middled =
    Math.abs((last.x0 + last.x1) / 2 - (line.x0 + line.x1) / 2) < 0.5 * size &&
    Math.abs((line.x0 + line.x1) / 2 - middle) < Math.max(size, 0.1 * (column.right - column.left));
  if (last.bold !== line.bold && !(open.length > 1 && aligned) && last.x1 < column.right - 4 * size) return true;
  // The next word would have had room.
  if (last.x1 + firstWord(line) + 0.35 * size < column.right - 0.5 * size && !(middled && !aligned)) return true;
  if (middled && !aligned) return false;
  // The first line of a paragraph goes in, or the others do.
  const indent = (line.x0 - (open.length === 1 ? first.x0 : last.x0)) / size;
  if (open.length > 1 && indent > 0.7) return true;
  const hangs =
    itemMark(first.text) !== null || column.lettered.has(first) || /^(?:[A-Z]|[IVX]{1,4})[.)]\s/.test(first.text);
  if (open.length === 1 && indent > 0.7 && !hangs && indent < 4) return true;
  return open.length > 1 && indent < -6;
}

const hasRoom = (above: Line, below: Line, width: number) =>
  above.x1 - above.x0 + firstWord(below) + 0.8 * above.size < width;

export interface ParagraphContext {
  readonly joiner: LineJoiner;
  readonly linkOf: (rect: Rect) => string | undefined;
}

export function paragraphOf(lines: readonly Line[], { joiner, linkOf }: ParagraphContext, width = 0): Paragraph {
  const first = lines[0]!;
  const widest = largest([width, ...lines.map((line) => line.x1 - line.x0)]);
  const ends = lines.slice(0, -1).map(({ x1 }) => x1);
  const ragged = ends.length > 1 && largest(ends) - smallest(ends) > 0.5 * first.size;
  const spans: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1];
    const between =
      above === undefined ? '' : joiner.between(above, line, { ragged, room: hasRoom(above, line, widest) });
    if (between === null) {
      const last = spans.pop()!;
      spans.push({ ...last, text: last.text.slice(0, -1) });
    }
    if (between === ' ') {
      const last = spans.pop()!;
      spans.push({ ...last, text: `${last.text} ` });
    }
    append(spans, spansOfLine(line, linkOf));
  }
  const joined = joinSpans(spans);
  const letters = lines.reduce((sum, { glyphs }) => sum + glyphs.length, 0);
  const share = (of: (line: Line) => boolean) =>
    lines.reduce((sum, line) => sum + (of(line) ? line.glyphs.length : 0), 0) > letters * 0.6;
  return {
    ...boundingRect(lines),
    kind: 'paragraph',
    lines,
    spans: joined,
    text: joined.map(({ text }) => text).join(''),
    size: median(lines.map(({ size }) => size)),
    bold: share(({ bold }) => bold),
    fixed: share(({ fixed }) => fixed),
    face: lines.every(({ face }) => face === first.face) ? first.face : '',
    hidden: first.hidden,
  };
}

/** Paragraphs of the lines of one column, which ends at `edge`. */
export function paragraphsOf(lines: readonly Line[], edge: number, context: ParagraphContext): Paragraph[] {
  const ordered = rowsOf(lines).map(joinRow);
  const column = columnOf(ordered, edge);
  const groups: Line[][] = [];
  for (const [at, line] of ordered.entries()) {
    const open = groups.at(-1);
    const right = at === 0 ? edge : rightEdge(ordered, at - 1, edge);
    if (open === undefined || endsParagraph(open, line, { ...column, right })) groups.push([line]);
    else open.push(line);
  }
  return groups.map((group) =>
    paragraphOf(group, context, Number.isFinite(edge) ? edge - smallest(group.map(({ x0 }) => x0)) : 0),
  );
}
