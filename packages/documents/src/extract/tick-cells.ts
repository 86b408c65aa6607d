import type { Table, TableCell } from '../document.ts';
import type { Choices } from './choices.ts';
import type { Findings, Heads } from './findings.ts';
import { hasLetters, markedLines } from './marks.ts';
import { cellRows, cellText } from './parts.ts';
import { type Place, placeWithin } from './places.ts';
import { goesOn, type TickGroup, TickReader } from './ticks.ts';

/** Columns to the left that are looked at for the label of boxes. */
const MAX_COLUMNS_LEFT = 50;

/** Words of cells without boxes: those that stand above and to the left as a table is walked through. */
class Words {
  readonly #columns: { readonly text: string; readonly end: number }[] = [];

  take(cell: TableCell, text: string): void {
    for (let column = cell.column; column < cell.column + Math.min(cell.columnSpan, MAX_COLUMNS_LEFT); column++)
      this.#columns[column] = { text, end: cell.row + cell.rowSpan };
  }

  above(column: number): string {
    return this.#columns[column]?.text ?? '';
  }

  /** Those of the row, the nearest first. */
  left({ row, column }: TableCell): readonly string[] {
    const words: string[] = [];
    for (let at = column - 1; at >= Math.max(0, column - MAX_COLUMNS_LEFT); at--) {
      const known = this.#columns[at];
      if (known !== undefined && known.end > row && words.at(-1) !== known.text) words.push(known.text);
    }
    return words;
  }
}

/** A box without words has those above it as caption, else those before it. */
const withCaptions = (group: TickGroup, captions: readonly string[]): TickGroup => ({
  ...group,
  ticks: group.ticks.map((tick) => (tick.captions.length > 0 ? tick : { ...tick, captions })),
});

/** Boxes in the cells of a table: their label stands in the cell, to its left, or above. */
export function findTickCells(
  table: Table,
  place: Place,
  { headsOf, findings, choices }: { headsOf: (cell: TableCell) => Heads; findings: Findings; choices: Choices },
): void {
  const isLabel = (text: string) => findings.isLabel(text);
  const words = new Words();
  for (const [, cells] of cellRows(table)) {
    /** Boxes of the cell before, which go on in the next one. */
    let row: TickGroup | null = null;
    for (const cell of cells) {
      const reader = new TickReader(isLabel);
      const groups = cell.blocks.flatMap(markedLines).flatMap((line) => reader.read(line));
      if (groups.length === 0) {
        const text = cellText(cell);
        if (!hasLetters(text)) continue;
        words.take(cell, text);
        row = null;
        continue;
      }
      const left = words.left(cell);
      const above = words.above(cell.column);
      for (const group of groups) {
        const isOwn = group.labels.length > 0;
        // A head that is a label asks for what the box says; else it is what the box says.
        const captions = isLabel(above) ? [] : [above, left[0] ?? ''].filter(hasLetters);
        const { ticks } = isOwn ? group : withCaptions(group, captions);
        if (!isOwn && row !== null && left.length > 0 && goesOn(row.ticks, ticks)) {
          row.ticks = [...row.ticks, ...ticks];
          continue;
        }
        const whole: TickGroup = { ticks, labels: [...group.labels, ...left.slice(0, 4), above].filter(hasLetters) };
        row = whole;
        choices.add({
          group: whole,
          heads: headsOf(cell),
          place: placeWithin(place, cell.page ?? place.page, cell.box),
        });
      }
    }
  }
}
