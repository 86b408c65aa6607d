import type { Box, Page } from '../../document.ts';
import { i32At, u16At, u32At } from './bytes.ts';
import { type Area, type Columns, type LinePlace, type Paper, around, boxOf, columnArea } from './places.ts';

/** A line as it was last laid out: where it begins in the text, and where it stands in its page or column. */
export interface Line {
  readonly start: number;
  readonly top: number;
  readonly height: number;
  readonly left: number;
  /** 0 where the file does not tell. */
  readonly width: number;
}

/** Tells the page that each paragraph of the body stands on, by the places of its lines. Lengths are 1/7200 inch. */
export interface PageTracker {
  /** Page of the paragraph that is being read, from 1. */
  readonly page: () => number;
  /** Where its first line stands. */
  readonly top: () => number;
  /** Its lines go on at the top of a further page or column. */
  readonly crosses: () => boolean;
  /** That page follows from lines of its own, and is not guessed from the ones before. */
  readonly certain: () => boolean;
  /** Height of the column so many steps after the one that it stands in. */
  readonly columnHeight: (step: number) => number;
  /** Pages from its own to the one of that column. */
  readonly pagesTo: (step: number) => number;
  /** From the upper edge of the paper to the body. */
  readonly bodyTop: () => number;
  readonly beginSection: () => void;
  readonly pageDef: (data: Uint8Array) => void;
  readonly columns: (columns: Columns) => void;
  readonly paragraph: (lines: readonly Line[], breaks: { readonly page: boolean; readonly column: boolean }) => void;
  /** A table went on over so many columns, or none, and ended so far below the top of the last one. */
  readonly carryOver: (steps: number, bottom: number) => void;
  readonly pages: () => readonly Page[];
  /** What the lines of the paragraph take of its first page; null where the file does not tell. */
  readonly box: () => Box | null;
  /** Where its first line stands; null where the file does not tell. */
  readonly firstLine: () => LinePlace | null;
}

/** Of one line, in bytes. */
export const LINE_BYTES = 36;
const HWPUNIT_PER_POINT = 100;
const DEFAULT_BODY_HEIGHT_HWPUNIT = 66_000;
/** Lines above it begin a page. */
const MAX_PAGE_TOP_HWPUNIT = 2000;
/** Of places, against rounding. */
const MAX_ROUNDING_ERROR_HWPUNIT = 300;

/** Lines of a paragraph; none where they were only filled in, not laid out: then all stand at the top and bear no marks. */
export const readLines = (data: Uint8Array): Line[] => {
  let marks = 0;
  const lines = Array.from({ length: Math.floor(data.length / LINE_BYTES) }, (_, index): Line => {
    const at = index * LINE_BYTES;
    marks |= u32At(data, at + 32);
    return {
      start: u32At(data, at),
      top: i32At(data, at + 4),
      height: i32At(data, at + 8),
      left: i32At(data, at + 24),
      width: Math.max(0, i32At(data, at + 28)),
    };
  });
  return marks === 0 && lines.length > 1 && lines.every(({ top }) => top === 0) ? [] : lines;
};

const readPaper = (data: Uint8Array): Paper => {
  const length = (index: number): number => u32At(data, index * 4);
  // A sheet that lies on its side keeps its margins: the upper one is still the upper one.
  const landscape = (length(9) & 1) !== 0;
  const [width, height] = landscape ? [length(1), length(0)] : [length(0), length(1)];
  const body = height - length(4) - length(5) - length(6) - length(7);
  const bodyTop = length(4) + length(6);
  const bodyLeft = length(2) + length(8);
  const bodyWidth = Math.max(0, width - bodyLeft - length(3));
  return { width, height, body: body > 1000 ? body : DEFAULT_BODY_HEIGHT_HWPUNIT, bodyTop, bodyLeft, bodyWidth };
};

/** `onPage` is called whenever one more page begins; it may throw. */
export const createPageTracker = (onPage: (pages: number) => void): PageTracker => {
  const pages: Page[] = [];
  let paper: Paper | null = null;
  let columns: Columns = { count: 1, gap: 0 };
  let column = 0;
  /** Top of the last line; below any line where a page or column was just begun. */
  let last = Number.NEGATIVE_INFINITY;
  let top = 0;
  let first = 1;
  let certain = false;
  let crosses = false;
  /** Columns of another number begin a zone of their own on the page: places within it count from its top. */
  let isNewZone = false;
  let zoneTop = 0;
  let zoneHeight = 0;
  /** Where the last table that went over to this page ends, and the line that it hangs on. */
  let carried: { anchor: number; bottom: number } | null = null;
  let anchor = 0;
  /** Of the paragraph that is being read. */
  let area: Area | null = null;
  let firstPlace: LinePlace | null = null;

  const bodyHeight = (): number => paper?.body ?? DEFAULT_BODY_HEIGHT_HWPUNIT;
  const turn = (): void => {
    column = 0;
    last = Number.NEGATIVE_INFINITY;
    zoneTop = 0;
    zoneHeight = 0;
    const number = pages.length + 1;
    pages.push(
      paper === null
        ? { number }
        : { number, width: paper.width / HWPUNIT_PER_POINT, height: paper.height / HWPUNIT_PER_POINT },
    );
    onPage(pages.length);
  };
  const turnColumn = (): void => {
    column += 1;
    last = Number.NEGATIVE_INFINITY;
    if (column >= columns.count) turn();
  };

  /** A line below the foot of the page was moved to the next one, as titles that stay with their text are. */
  const isPushed = ({ top: place, height }: Line): boolean =>
    paper !== null &&
    zoneTop + place > 0 &&
    height * 4 < paper.body &&
    zoneTop + place + height > paper.body + MAX_ROUNDING_ERROR_HWPUNIT;
  const beginZone = (): void => {
    zoneTop += zoneHeight;
    zoneHeight = 0;
    last = Number.NEGATIVE_INFINITY;
  };
  /** A line that is left at the foot of the page before, while the table that hangs on it follows the one that went over. */
  const isLeftBehind = (line: Line): boolean =>
    carried !== null && line.top > carried.anchor && line.top - carried.bottom > bodyHeight() / 4;
  const placeLine = (line: Line, isFirst: boolean): void => {
    if (isFirst && carried !== null) {
      if (isLeftBehind(line)) {
        carried.anchor = line.top;
        return;
      }
      carried = null;
    }
    if (line.top < last || (isFirst && line.top === last)) turnColumn();
    last = line.top;
    if (isPushed(line)) {
      const isZoneStart = zoneTop > 0 && zoneHeight === 0;
      if (isZoneStart) turn();
      else turnColumn();
      last = isZoneStart ? line.top : 0;
    }
    zoneHeight = Math.max(zoneHeight, line.top + line.height);
  };

  /** Where the line that was placed last stands; what follows a table that went over a page is not known. */
  const placeOf = (line: Line): LinePlace | null => {
    const within = paper === null || carried !== null ? null : columnArea(paper, columns, column);
    if (paper === null || within === null) return null;
    const y = paper.bodyTop + zoneTop + last;
    return { paper, column: within, line: { x: within.x + line.left, y, width: line.width, height: line.height } };
  };

  return {
    page: () => first,
    top: () => top,
    crosses: () => crosses,
    certain: () => certain,
    columnHeight: (step) => bodyHeight() - (column + step < columns.count ? zoneTop : 0),
    pagesTo: (step) => Math.floor((column + step) / columns.count),
    bodyTop: () => paper?.bodyTop ?? 0,
    beginSection: () => {
      columns = { count: 1, gap: 0 };
      isNewZone = false;
      paper = null;
      turn();
      first = pages.length;
    },
    pageDef: (data) => {
      paper = readPaper(data);
      const number = pages.length;
      if (number > 0)
        pages[number - 1] = {
          number,
          width: paper.width / HWPUNIT_PER_POINT,
          height: paper.height / HWPUNIT_PER_POINT,
        };
    },
    columns: ({ count, gap }) => {
      columns = { count: Math.max(1, Math.min(count, 255)), gap };
      column = 0;
      isNewZone = true;
    },
    paragraph: (lines, breaks) => {
      // A break before the first line of a page is that page's own beginning.
      const begun = last !== Number.NEGATIVE_INFINITY;
      if (breaks.page || breaks.column || isNewZone) carried = null;
      if (breaks.page && begun) turn();
      else if (isNewZone) beginZone();
      else if (breaks.column && begun) turnColumn();
      isNewZone = false;
      first = pages.length;
      certain = lines.length > 0;
      crosses = lines.some((line, at) => at > 0 && line.top < (lines[at - 1]?.top ?? 0));
      area = null;
      firstPlace = null;
      let known = true;
      for (const [index, line] of lines.entries()) {
        placeLine(line, index === 0);
        if (index === 0) first = pages.length;
        const place = pages.length === first ? placeOf(line) : null;
        // A line that a table takes the room of has no width, but a place.
        if (place === null || line.width === 0) known &&= pages.length !== first;
        else area = around(area, place.line);
        if (!known) area = null;
        if (index > 0) continue;
        firstPlace = place;
        top = carried?.bottom ?? line.top;
        anchor = line.top;
      }
    },
    carryOver: (count, bottom) => {
      if (count > 0 || carried !== null) carried = { anchor, bottom };
      if (count === 0) return;
      for (let step = 0; step < count; step += 1) turnColumn();
      // The line after the table stands below it, wherever that really is, or at the top of a page of its own.
      last = Math.max(bottom > 2 * MAX_PAGE_TOP_HWPUNIT ? MAX_PAGE_TOP_HWPUNIT : 0, bottom - bodyHeight() / 2);
    },
    pages: () => pages,
    box: () => (area === null || firstPlace === null ? null : boxOf(area, firstPlace.paper)),
    firstLine: () => firstPlace,
  };
};

/** The columns that a definition asks for. Source: HWP 5.0 revision 1.3, table 139. */
export const columnsOf = (data: Uint8Array): Columns => {
  const properties = u16At(data, 4);
  const isEven = (properties & 0x1000) !== 0 && (properties & 0xc00) === 0;
  return { count: (properties >>> 2) & 0xff, gap: isEven ? u16At(data, 6) : null };
};
