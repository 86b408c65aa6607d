import type { Box } from '../../document.ts';

// Where things stand on the paper. Lengths are 1/7200 inch from its upper left corner, and points in what leaves.

/** A sheet with its margins. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  /** Height of the body. */
  readonly body: number;
  readonly bodyTop: number;
  /** Left edge and width of the body; the width is 0 where margins leave nothing. */
  readonly bodyLeft: number;
  readonly bodyWidth: number;
}

/** Columns of a zone; `gap` is null where they are not all of one width, or begin at the right. */
export interface Columns {
  readonly count: number;
  readonly gap: number | null;
}

/** A part of the paper. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Place and size of a table, a picture or a drawing, as the file gives them. */
export interface ObjectPlace {
  /** Stands in the line like a letter. */
  readonly inline: boolean;
  readonly across: {
    readonly from: 'paper' | 'page' | 'column' | 'paragraph';
    readonly align: 'start' | 'center' | 'end';
    readonly offset: number;
  };
  readonly down: {
    readonly from: 'paper' | 'page' | 'paragraph';
    readonly align: 'start' | 'center' | 'end';
    readonly offset: number;
  };
  readonly width: number;
  readonly height: number;
  /** White around it: what is placed is the object together with that. */
  readonly margin: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
}

/** The first line of a paragraph where it stands. */
export interface LinePlace {
  readonly paper: Paper;
  /** Left edge and width of its column. */
  readonly column: { readonly x: number; readonly width: number };
  readonly line: Area;
}

const HWPUNIT_PER_POINT = 100;
/** How an in-line object stands in its line, by the alignment of the paragraph. Source: HWP 5.0 revision 1.3, table 44. */
const alignments: Readonly<Record<number, 'start' | 'center' | 'end'>> = { 2: 'end', 3: 'center' };

/** Left edge and width of a column; null where the file does not tell. */
export function columnArea(
  paper: Paper,
  { count, gap }: Columns,
  index: number,
): { readonly x: number; readonly width: number } | null {
  if (count === 1) return { x: paper.bodyLeft, width: paper.bodyWidth };
  if (gap === null) return index === 0 ? { x: paper.bodyLeft, width: paper.bodyWidth } : null;
  const width = (paper.bodyWidth - gap * (count - 1)) / count;
  return width > 0 ? { x: paper.bodyLeft + index * (width + gap), width } : null;
}

/** What holds both. */
export function around(one: Area | null, other: Area): Area {
  if (one === null) return other;
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

const points = (length: number): number => Math.round(length / 10) / (HWPUNIT_PER_POINT / 10);

/** A part of the paper as a box in points, cut at the edges of the sheet; null for one that does not lie on it. */
export function boxOf({ x, y, width, height }: Area, paper: Paper): Box | null {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const right = Math.min(paper.width, x + width);
  const bottom = Math.min(paper.height, y + height);
  if (!(right > left && bottom > top)) return null;
  return { x: points(left), y: points(top), width: points(right - left), height: points(bottom - top) };
}

/** Where something of a length begins that stands so in a range. */
function startIn(
  range: { readonly from: number; readonly length: number },
  length: number,
  align: 'start' | 'center' | 'end',
  offset: number,
): number {
  if (align === 'center') return range.from + (range.length - length) / 2 + offset;
  return align === 'end' ? range.from + range.length - length - offset : range.from + offset;
}

/** Where an object stands that hangs on a paragraph; `alignment` is the paragraph's. What goes over the foot of the body ends there. */
export function objectArea(place: ObjectPlace, { paper, column, line }: LinePlace, alignment: number): Area | null {
  const { width, across, down, margin } = place;
  if (width <= 0 || place.height <= 0 || (place.inline && line.width <= 0)) return null;
  const horizontal = {
    paper: { from: 0, length: paper.width },
    page: { from: paper.bodyLeft, length: paper.bodyWidth },
    column: { from: column.x, length: column.width },
    paragraph: { from: column.x, length: column.width },
  };
  const vertical = {
    paper: { from: 0, length: paper.height },
    page: { from: paper.bodyTop, length: paper.body },
    paragraph: { from: line.y, length: 0 },
  };
  const [outerWidth, outerHeight] = [width + margin.left + margin.right, place.height + margin.top + margin.bottom];
  const [left, top] = place.inline
    ? [startIn({ from: line.x, length: line.width }, outerWidth, alignments[alignment] ?? 'start', 0), line.y]
    : [
        startIn(horizontal[across.from], outerWidth, across.align, across.offset),
        startIn(vertical[down.from], outerHeight, down.align, down.offset),
      ];
  const [x, y] = [left + margin.left, top + margin.top];
  const isInBody = place.inline || down.from === 'paragraph';
  const height = isInBody ? Math.min(place.height, paper.bodyTop + paper.body - y) : place.height;
  return { x, y, width, height };
}
