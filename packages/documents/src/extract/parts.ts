import type { Table, TableCell } from '../document.ts';
import { blockText } from '../render/text.ts';
import { type Findings, type Heads, MAX_LABEL_LETTERS } from './findings.ts';

export const cellText = (cell: TableCell): string => cell.blocks.map(blockText).join('\n').trim();

/** The parts of a document as their titles begin them, from the top to where it is read. */
export class Parts {
  readonly #findings: Findings;
  readonly #around: Heads;
  #headings: { readonly level: number; readonly keys: readonly string[] }[] = [];
  #line: readonly string[] = [];

  constructor(findings: Findings, around: Heads = []) {
    this.#findings = findings;
    this.#around = around;
  }

  get heads(): Heads {
    return [...this.#around, ...this.#headings.map(({ keys }) => keys), this.#line].filter((keys) => keys.length > 0);
  }

  heading(level: number, title: string): void {
    if (!this.#findings.hasObjects) return;
    this.#headings = this.#headings.filter((one) => one.level < level);
    this.#headings.push({ level, keys: this.#findings.headKeys(title) });
    this.#line = [];
  }

  /** A line that is the name of an object, such as `갑:`, begins its part; another title of that kind ends it. */
  line(text: string): void {
    if (!this.#findings.hasObjects) return;
    const colon = /[:：]/u.exec(text.slice(0, MAX_LABEL_LETTERS * 2));
    const title = colon === null ? text : text.slice(0, colon.index);
    if (this.#findings.isLabel(title)) return;
    const keys = this.#findings.headKeys(title);
    const isTitle = colon !== null && text.slice(colon.index + 1).trim() === '';
    if (keys.length > 0 || isTitle) this.#line = keys;
  }
}

/** Columns to the left that are looked at for the title of a row. */
const MAX_COLUMNS_LEFT = 50;

/** A table as it is walked through, row by row: what stands above and to the left of a cell. */
class TableTitles {
  readonly #findings: Findings;
  readonly #table: Table;
  /** Of each column the merged cell above. */
  readonly #above: (readonly string[])[] = [];
  /** Of each column the last cell with words. */
  readonly #left: (readonly string[])[] = [];

  constructor(findings: Findings, table: Table) {
    this.#findings = findings;
    this.#table = table;
  }

  take(cell: TableCell, isAlone: boolean): void {
    const text = cellText(cell);
    if (text === '') return;
    const { columns } = this.#table;
    const keys = this.#findings.headKeys(text);
    const isWide = columns > 1 && cell.columnSpan >= columns;
    if (keys.length > 0 && (isWide || isAlone || cell.columnSpan > 1)) {
      const end = isAlone ? columns : Math.min(columns, cell.column + cell.columnSpan);
      for (let column = cell.column; column < end; column++) this.#above[column] = keys;
    } else if (isWide) this.#above.length = 0;
    if (isWide) this.#left.length = 0;
    else this.#left[cell.column] = keys;
  }

  /** The nearest titles to the left, and those right before them. */
  headsOf({ column }: TableCell): Heads {
    const titles: (readonly string[])[] = [];
    for (let at = column - 1; at >= Math.max(0, column - MAX_COLUMNS_LEFT); at--) {
      const keys = this.#left[at];
      if (keys === undefined) continue;
      if (keys.length > 0) titles.unshift(keys);
      else if (titles.length > 0) break;
    }
    const above = this.#above[column];
    return above === undefined ? titles : [above, ...titles];
  }
}

/** Cells of each row, from left to right. */
export function cellRows({ cells }: Table): (readonly [number, readonly TableCell[]])[] {
  const rows = Map.groupBy(cells, ({ row }) => row);
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .map(([row, inRow]) => [row, inRow.toSorted((a, b) => a.column - b.column)] as const);
}

/** The titles of the parts of a table that each of its cells stands in; nothing where the schema has no objects. */
export function tableHeads(table: Table, findings: Findings, around: Heads): (cell: TableCell) => Heads {
  if (!findings.hasObjects) return () => around;
  const byCell = new Map<TableCell, Heads>();
  const titles = new TableTitles(findings, table);
  for (const [, cells] of cellRows(table)) {
    const filled = cells.filter((cell) => cellText(cell) !== '');
    for (const cell of filled) {
      const heads = titles.headsOf(cell);
      if (heads.length > 0) byCell.set(cell, [...around, ...heads]);
      titles.take(cell, filled.length === 1 && cell.column === 0 && cell.rowSpan === 1);
    }
  }
  return (cell) => byCell.get(cell) ?? around;
}
