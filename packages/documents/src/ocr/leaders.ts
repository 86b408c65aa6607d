import { type GreyImage, type PixelRect, middleOf } from './grey.ts';
import type { Component } from './ink.ts';
import type { RecognisedLine } from './recognise.ts';
import type { DrawnLines } from './rules.ts';

// Rows of dots are no letters, and are taken for some: they are found by their shape. Those between a title and the number of its page
// are kept, those from one line of a table to others are lines of it.

/** Largest dot, and largest gap between two of them, in letter heights. */
const MAX_DOT_SIZE_LETTERS = 0.3;
const MAX_DOT_GAP_LETTERS = 0.95;
/** Dots of one row differ in height by no more, in letter heights. */
const MAX_ROW_OFFSET_LETTERS = 0.15;
const MIN_LEADER_DOTS = 6;
/** A line of dots goes on to a drawn one so near to it, in letter heights, and meets as many of them. */
const MAX_RULE_GAP_LETTERS = 0.6;
const MIN_MET_LINES = 2;

/** Dots beside each other, from left to right. */
export type Leader = readonly Component[];

/** Dots in a row, whatever stands around them; `letter` is the height of letters in pixels. */
function rowsOfDots(components: readonly Component[], letter: number): Component[][] {
  const dots = components.filter(
    ({ x0, x1, y0, y1 }) => x1 - x0 <= MAX_DOT_SIZE_LETTERS * letter && y1 - y0 <= MAX_DOT_SIZE_LETTERS * letter,
  );
  /** Rows by how high they stand, in steps that two rows of one line may not straddle twice. */
  const rows: { dots: Component[]; y: number }[] = [];
  for (const dot of dots.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    if (row !== undefined && middleOf(dot) - row.y <= MAX_ROW_OFFSET_LETTERS * letter) row.dots.push(dot);
    else rows.push({ dots: [dot], y: middleOf(dot) });
  }
  const found: Component[][] = [];
  for (const row of rows) {
    let open: Component[] = [];
    for (const dot of row.dots.toSorted((a, b) => a.x0 - b.x0)) {
      const last = open.at(-1);
      if (last === undefined || dot.x0 - last.x1 <= MAX_DOT_GAP_LETTERS * letter) open.push(dot);
      else {
        if (open.length >= MIN_LEADER_DOTS) found.push(open);
        open = [dot];
      }
    }
    if (open.length >= MIN_LEADER_DOTS) found.push(open);
  }
  return found;
}

/** Rows of dots beside text. */
export function leadersOf(components: readonly Component[], letter: number): Leader[] {
  // Dots of letters stand between letters; those of leaders stand alone.
  return rowsOfDots(components, letter).filter((leader) => isEmptyBetween(leader, components, letter));
}

/** Dots that are a line of a table. */
export interface DottedRule {
  readonly dots: Leader;
  readonly rule: PixelRect;
}

/** Lines of dots across a table: they meet lines that are drawn down. */
export function dottedRules(components: readonly Component[], { down }: DrawnLines, letter: number): DottedRule[] {
  const near = MAX_RULE_GAP_LETTERS * letter;
  return rowsOfDots(components, letter).flatMap((dots) => {
    const [first, last] = [dots[0]!, dots.at(-1)!];
    const y = middleOf(first);
    const met = down.filter(
      (line) => line.y0 <= y + near && line.y1 >= y - near && line.x1 >= first.x0 - near && line.x0 <= last.x1 + near,
    );
    if (met.length < MIN_MET_LINES) return [];
    const x0 = Math.min(first.x0, ...met.map((line) => line.x0));
    const x1 = Math.max(last.x1, ...met.map((line) => line.x1));
    return [{ dots, rule: { x0, x1, y0: first.y0, y1: first.y1 } }];
  });
}

function isEmptyBetween(leader: Leader, components: readonly Component[], letter: number): boolean {
  const [first, last] = [leader[0]!, leader.at(-1)!];
  const own = new Set(leader);
  const y = middleOf(first);
  return !components.some(
    (other) =>
      !own.has(other) &&
      other.x1 > first.x1 &&
      other.x0 < last.x0 &&
      other.y0 < y + 0.3 * letter &&
      other.y1 > y - 0.3 * letter,
  );
}

/** Paints the dots over. */
export function eraseDots({ width, data }: GreyImage, leaders: readonly Leader[]): void {
  for (const { x0, y0, x1, y1 } of leaders.flat())
    for (let y = Math.max(0, y0 - 1); y <= y1 && (y + 1) * width <= data.length; y++)
      data.fill(255, y * width + Math.max(0, x0 - 1), y * width + Math.min(width, x1 + 1));
}

/** Leaders as lines of dots, level with the text before or behind them; those without any are left out. */
export function leaderLines(leaders: readonly Leader[], lines: readonly RecognisedLine[]): RecognisedLine[] {
  return leaders.flatMap((leader) => {
    const [first, last] = [leader[0]!, leader.at(-1)!];
    const y = middleOf(first);
    const beside = lines.find(
      (line) => line.y0 < y && line.y1 > y && (line.x1 < first.x0 + 2 || line.x0 > last.x1 - 2),
    );
    if (beside === undefined) return [];
    return [
      {
        x0: first.x0,
        y0: beside.y0,
        x1: last.x1,
        y1: beside.y1,
        base: beside.base,
        confidence: 1,
        letters: leader.map(({ x0, x1 }) => ({
          x0,
          x1,
          y0: beside.y0,
          y1: beside.y1,
          text: '·',
          confidence: 1,
          spaced: false,
        })),
        like: beside,
      },
    ];
  });
}
