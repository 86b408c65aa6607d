import type { CellEntry, TableEntry } from './content.ts';
import { type Margins, isRepeated, textShape } from './margins.ts';
import type { Leaf } from './sheets.ts';

/** Tables that stand at one end of a page lie within this share of its height. */
const EDGE_SHARE = 0.25;
/** Corners that differ by no more are at one place. */
const MAX_DIFFERENCE_POINTS = 6;
/** Two alike may be two forms; of so many, on most of the pages between the first and the last, each is a header. */
const MIN_PAGES = 3;
const MIN_SHARE_OF_PAGES = 0.5;
/** Larger ones are no headers. */
const MAX_CELLS = 60;

/** Tables that are the header or footer of pages: name of the body, title and version of the report, in boxes. */
export interface RepeatedTables {
  /** `header` or `footer`, and whether it is the first of those that are alike; null for every other table. */
  roleOf(table: TableEntry): { readonly type: 'header' | 'footer'; readonly first: boolean } | null;
}

const cellText = ({ row, column, entries }: CellEntry): string =>
  `${row} ${column} ${entries.map((entry) => (entry.kind === 'text' ? entry.text : '')).join(' ')}`;

const textOf = ({ cells }: TableEntry): string => cells.map(cellText).join('\n');

/** The table above all text of a page, or the one below it; headers and footers in words may stand outside of it. */
function atEdge(page: Leaf, side: 'top' | 'bottom', isMargin: Margins['isMargin']): TableEntry | undefined {
  const outer = page[side].rows.filter((entry) => !isMargin(entry));
  const texts = [...outer, ...page.entries.filter(({ kind }) => kind === 'text')];
  return page.entries.find((entry): entry is TableEntry => {
    if (entry.kind !== 'table' || entry.cells.length > MAX_CELLS) return false;
    if (side === 'top')
      return entry.y1 < EDGE_SHARE * page.height && texts.every(({ y0 }) => y0 > entry.y1 - MAX_DIFFERENCE_POINTS);
    return entry.y0 > (1 - EDGE_SHARE) * page.height && texts.every(({ y1 }) => y1 < entry.y0 + MAX_DIFFERENCE_POINTS);
  });
}

/** `offset`: how much further to the right the page of the other begins on its sheet. */
const isAtPlaceOf = (one: TableEntry, other: TableEntry, offset: number): boolean =>
  one.rows === other.rows &&
  one.columns === other.columns &&
  (['x0', 'y0', 'x1', 'y1'] as const).every(
    (edge) => Math.abs(one[edge] + (edge.startsWith('x') ? offset : 0) - other[edge]) <= MAX_DIFFERENCE_POINTS,
  );

/** Finds tables that say the same at the same place of most pages, but for numbers that count the pages. */
export function repeatedTablesOf(pages: readonly Leaf[], { isMargin }: Margins): RepeatedTables {
  interface Kind {
    readonly first: TableEntry;
    readonly left: number;
    readonly tables: { page: number; text: string; table: TableEntry }[];
  }
  const roles = new Map<TableEntry, { type: 'header' | 'footer'; first: boolean }>();
  for (const side of ['top', 'bottom'] as const) {
    const kinds = new Map<string, Kind>();
    for (const page of pages) {
      const table = atEdge(page, side, isMargin);
      const text = table === undefined ? '' : textOf(table);
      const shape = textShape(text);
      if (table === undefined || !/\p{L}/u.test(shape)) continue;
      const kind = kinds.get(shape) ?? { first: table, left: page.left, tables: [] };
      if (!isAtPlaceOf(kind.first, table, page.left - kind.left)) continue;
      kind.tables.push({ page: page.order, text, table });
      kinds.set(shape, kind);
    }
    for (const { first, tables } of kinds.values()) {
      const between = (tables.at(-1)?.page ?? 0) - (tables[0]?.page ?? 0) + 1;
      if (tables.length < MIN_PAGES || tables.length < MIN_SHARE_OF_PAGES * between || !isRepeated(tables)) continue;
      const type = side === 'top' ? 'header' : 'footer';
      for (const { table } of tables) roles.set(table, { type, first: table === first });
    }
  }
  return { roleOf: (table) => roles.get(table) ?? null };
}
