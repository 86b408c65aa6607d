import type { CellAddress, CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { plain, textOf } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { Budget } from '../budget.ts';
import type { Area } from '../xlsx/cell-references.ts';
import type { Comment } from '../xlsx/drawings-and-comments.ts';
import { type NumberKind, kindOf, numberText } from '../xlsx/formats.ts';
import { withLink } from '../xlsx/links.ts';
import { type Cell, type Grid, withinUse } from '../xlsx/sheet.ts';

/** A sheet as the library reads it. */
export interface BookSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly grid: Grid;
  readonly comments: readonly Comment[];
}

/** What the sheets of a workbook share. */
interface Shared {
  readonly from1904: boolean;
  readonly budget: Budget;
  readonly kindOfFormat: (format: string) => NumberKind;
  /** What people call a place: `C5`. */
  readonly nameOf: (place: CellAddress) => string;
}

/** A number of its own, as those that the format has keep theirs. */
const CUSTOM_FORMAT = 164;

/** The kind of value that a format shows; a sheet has few formats. */
function kindsByFormat(): (format: string) => NumberKind {
  const known = new Map<string, NumberKind>();
  return (format) => {
    const kind = known.get(format) ?? kindOf(CUSTOM_FORMAT, new Map([[CUSTOM_FORMAT, format]]));
    known.set(format, kind);
    return kind;
  };
}

function spansOf(cell: CellObject, { from1904, kindOfFormat }: Shared): Pick<Cell, 'spans' | 'isNumber'> {
  const { t: type, v: value, z: format } = cell;
  if (type !== 'n') return { spans: plain(cell.w ?? String(value ?? '')), isNumber: false };
  const kind = kindOfFormat(String(format ?? 'General'));
  return { spans: plain(numberText(String(value ?? ''), kind, from1904)), isNumber: kind.kind !== 'date' };
}

const areasOf = (sheet: WorkSheet): Area[] =>
  (sheet['!merges'] ?? [])
    .map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c }))
    // A damaged file may have one that ends before it begins.
    .filter(({ top, left, bottom, right }) => top <= bottom && left <= right);

/** Places in a list of what is known of rows or columns that are hidden. */
const hiddenIn = (all: readonly ({ readonly hidden?: boolean } | undefined)[] | undefined): ReadonlySet<number> =>
  new Set((all ?? []).flatMap((one, at) => (one?.hidden === true ? [at] : [])));

function sheetOf(sheet: WorkSheet, shared: Shared): Pick<BookSheet, 'grid' | 'comments'> {
  const { budget, nameOf } = shared;
  const cells: Cell[] = [];
  const comments: Comment[] = [];
  const rows = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  for (const [row, held] of rows.entries()) {
    for (const [column, cell] of (held ?? []).entries()) {
      if (cell === undefined) continue;
      const { spans, isNumber } = spansOf(cell, shared);
      const text = textOf(spans);
      const link = cell.l?.Target;
      if (text.trim() !== '') {
        budget.cells(1);
        budget.text(text.length);
        cells.push({
          row,
          column,
          spans: link !== undefined && /^\w+:/u.test(link) ? withLink(spans, link) : spans,
          isNumber,
        });
      }
      for (const { a: author = '', t: said = '' } of cell.c ?? [])
        comments.push({ reference: nameOf({ r: row, c: column }), author, text: said });
    }
  }
  const grid: Grid = {
    cells,
    merged: withinUse(areasOf(sheet), cells),
    hiddenRows: hiddenIn(sheet['!rows']),
    hiddenColumns: hiddenIn(sheet['!cols']),
    frozenRows: 0,
  };
  return { grid, comments };
}

/** Runs `call`, which says to the console what it does not know, with words of the file. */
function quietly<Result>(call: () => Result): Result {
  const { log, error, warn } = console;
  const silent = () => undefined;
  Object.assign(console, { log: silent, error: silent, warn: silent });
  try {
    return call();
  } finally {
    Object.assign(console, { log, error, warn });
  }
}

const reading = {
  type: 'array',
  dense: true,
  cellNF: true,
  cellStyles: true,
  cellHTML: false,
  cellFormula: false,
} as const;

/** Reads the records of a workbook of Excel 95 to 2003. Throws ParseError: `ENCRYPTED`, `CORRUPTED`, `TOO_LARGE`. */
export async function readBook(records: Uint8Array, budget: Budget): Promise<readonly BookSheet[]> {
  const [{ read, set_cptable: useCodePages, utils }, codePages] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/cpexcel.full.mjs'),
  ]);
  // Texts of Excel 95 are in the code page of their country.
  useCodePages(codePages);
  let book: WorkBook;
  try {
    book = quietly(() => read(records, reading));
  } catch (cause) {
    if (cause instanceof Error && /password|encrypt/iu.test(cause.message))
      throw new ParseError('ENCRYPTED', 'The workbook is protected by a password. Save it without one and try again.', {
        cause,
      });
    throw new ParseError('CORRUPTED', 'The workbook is damaged and cannot be read.', { cause });
  }
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  const shared: Shared = {
    from1904,
    budget,
    kindOfFormat: kindsByFormat(),
    nameOf: (place) => utils.encode_cell(place),
  };
  return book.SheetNames.map((name, at): BookSheet => {
    const sheet = book.Sheets[name] ?? {};
    return { name, hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0, ...sheetOf(sheet, shared) };
  });
}
