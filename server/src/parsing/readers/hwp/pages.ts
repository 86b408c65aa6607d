import type { Page } from '../../document.ts';
import { i32At, u16At, u32At } from './bytes.ts';

/** A line as it was last laid out: where it begins in the text, and where it stands below the top of its page or column. */
export interface Line {
  readonly start: number;
  readonly top: number;
  readonly height: number;
}

/** Tells the page that each paragraph of the body stands on, by the places of its lines. Lengths are 1/7200 inch. */
export interface PageTracker {
  /** Page of the paragraph that is being read, from 1. */
  readonly page: () => number;
  /** Where its first line stands. */
  readonly top: () => number;
  /** That page is told by lines of its own, not guessed from what was before. */
  readonly certain: () => boolean;
  readonly bodyHeight: () => number;
  readonly beginSection: () => void;
  readonly pageDef: (data: Uint8Array) => void;
  readonly columns: (count: number) => void;
  readonly paragraph: (lines: readonly Line[], breaks: { readonly page: boolean; readonly column: boolean }) => void;
  /** A table went on over so many pages and ended so far below the top of the last one. */
  readonly carryOver: (pages: number, bottom: number) => void;
  readonly pages: () => readonly Page[];
}

/** Of one line, in bytes. */
export const lineSize = 36;
const unitsPerPoint = 100;
const standardHeight = 66_000;
/** Of places, against rounding. */
const tolerance = 300;

export const readLines = (data: Uint8Array): Line[] =>
  Array.from({ length: Math.floor(data.length / lineSize) }, (_, index) => ({
    start: u32At(data, index * lineSize),
    top: i32At(data, index * lineSize + 4),
    height: i32At(data, index * lineSize + 8),
  }));

interface Paper {
  readonly width: number;
  readonly height: number;
  readonly body: number;
}

const readPaper = (data: Uint8Array): Paper => {
  const length = (index: number): number => u32At(data, index * 4);
  const landscape = (length(9) & 1) !== 0;
  const [width, height] = landscape ? [length(1), length(0)] : [length(0), length(1)];
  const margins = landscape ? length(2) + length(3) : length(4) + length(5);
  const body = height - margins - length(6) - length(7);
  return { width, height, body: body > 1000 ? body : standardHeight };
};

/** `onPage` is told whenever one more page is begun; it may throw. */
export const createPageTracker = (onPage: (pages: number) => void): PageTracker => {
  const pages: Page[] = [];
  let paper: Paper | null = null;
  let columns = 1;
  let column = 0;
  /** Top of the last line; below any line where a page or column was just begun. */
  let last = Number.NEGATIVE_INFINITY;
  let top = 0;
  let first = 1;
  let certain = false;

  const turn = (): void => {
    column = 0;
    last = Number.NEGATIVE_INFINITY;
    const number = pages.length + 1;
    pages.push(
      paper === null
        ? { number }
        : { number, width: paper.width / unitsPerPoint, height: paper.height / unitsPerPoint },
    );
    onPage(pages.length);
  };
  const turnColumn = (): void => {
    column += 1;
    last = Number.NEGATIVE_INFINITY;
    if (column >= columns) turn();
  };

  /** A line below the foot of the page was moved to the next one, as titles that stay with their text are. */
  const isPushed = (line: Line): boolean =>
    paper !== null && line.top > 0 && line.height * 4 < paper.body && line.top + line.height > paper.body + tolerance;

  return {
    page: () => first,
    top: () => top,
    certain: () => certain,
    bodyHeight: () => paper?.body ?? standardHeight,
    beginSection: () => {
      columns = 1;
      paper = null;
      turn();
      first = pages.length;
    },
    pageDef: (data) => {
      paper = readPaper(data);
      const number = pages.length;
      if (number > 0)
        pages[number - 1] = { number, width: paper.width / unitsPerPoint, height: paper.height / unitsPerPoint };
    },
    columns: (count) => {
      columns = Math.max(1, Math.min(count, 255));
      column = 0;
    },
    paragraph: (lines, breaks) => {
      // A break before the first line of a page is that page's own beginning.
      if (breaks.page && last !== Number.NEGATIVE_INFINITY) turn();
      else if (breaks.column && last !== Number.NEGATIVE_INFINITY) turnColumn();
      first = pages.length;
      certain = lines.length > 0;
      for (const [index, line] of lines.entries()) {
        if (line.top < last || (index === 0 && line.top === last)) turnColumn();
        last = line.top;
        if (isPushed(line)) {
          turnColumn();
          last = 0;
        }
        if (index === 0) {
          first = pages.length;
          top = line.top;
        }
      }
    },
    carryOver: (count, bottom) => {
      for (let step = 0; step < count; step += 1) turn();
      // The line after the table stands below it, or on a page of its own.
      last = Math.max(0, bottom - 2000);
    },
    pages: () => pages,
  };
};

/** How many columns a definition of columns asks for. */
export const columnsOf = (data: Uint8Array): number => (u16At(data, 4) >>> 2) & 0xff;
