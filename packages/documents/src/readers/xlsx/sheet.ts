import { type Span, plain, textOf } from '../../document.ts';
import type { OfficePackage } from '../../package/office.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';
import { largest } from '../../package/extremes.ts';
import type { Budget } from '../budget.ts';
import { numberText } from './formats.ts';
import { formulaLink, withLink, withLinks } from './links.ts';
import { type Area, MAX_COLUMNS, MAX_ROWS, cellArea, cellPosition } from './cell-references.ts';
import { type Workbook, richText } from './workbook.ts';

/** A cell that holds something. Rows and columns begin at 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly spans: readonly Span[];
  readonly isNumber: boolean;
}

/** The cells of a sheet and how they are shown. */
export interface Grid {
  /** By row, then column. */
  readonly cells: readonly Cell[];
  readonly merged: readonly Area[];
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: ReadonlySet<number>;
  /** Rows at the top that stay when the sheet is scrolled. */
  readonly frozenRows: number;
}

export interface Sheet extends Grid {
  /** The sheet without its rows. */
  readonly root: XmlElement;
}

const isOn = (value: string | undefined) => value === '1' || value === 'true';

function valueOf(cell: XmlElement, workbook: Workbook): { spans: readonly Span[]; isNumber: boolean } {
  const type = attributeOf(cell, 't') ?? 'n';
  const valueElement = childOf(cell, 's:v');
  const value = innerText(valueElement);
  const formula = innerText(childOf(cell, 's:f')).trim();
  // Programs that do not calculate write formulas without what they come to; an empty text has an empty value.
  if (valueElement === undefined && formula !== '' && type !== 'inlineStr')
    return { spans: plain(`=${formula}`), isNumber: false };
  if (type === 's') return { spans: workbook.strings[Number(value)] ?? [], isNumber: false };
  if (type === 'inlineStr') return { spans: richText(childOf(cell, 's:is')), isNumber: false };
  if (type === 'b') return { spans: value === '' ? [] : plain(isOn(value) ? 'TRUE' : 'FALSE'), isNumber: false };
  if (type !== 'n') return { spans: plain(value), isNumber: false };
  const kind = workbook.kinds[Number(attributeOf(cell, 's') ?? 0)] ?? { kind: 'number' };
  return { spans: plain(numberText(value, kind, workbook.from1904)), isNumber: kind.kind !== 'date' && value !== '' };
}

/** A damaged sheet may have two cells in one place: what both hold is kept. */
function mergeDuplicateCells(cells: readonly Cell[]): Cell[] {
  const result: Cell[] = [];
  for (const cell of cells) {
    const last = result.at(-1);
    if (last?.row !== cell.row || last.column !== cell.column) result.push(cell);
    else result[result.length - 1] = { ...last, spans: [...last.spans, { text: ' ' }, ...cell.spans] };
  }
  return result;
}

/** A title is often merged over whole rows or columns: as far as a usual table goes, beyond what the sheet holds. */
const MAX_CELLS_BEYOND_SHEET = 255;

/** Merged places, cut to what of the sheet is used; of two that begin at one place the first. */
export function withinUse(merged: readonly Area[], cells: readonly Cell[]): Area[] {
  const right = largest(cells.map(({ column }) => column));
  const bottom = largest(cells.map(({ row }) => row));
  return merged.map((area) => ({
    ...area,
    right: Math.min(area.right, Math.max(right, area.left + MAX_CELLS_BEYOND_SHEET)),
    bottom: Math.min(area.bottom, Math.max(bottom, area.top + MAX_CELLS_BEYOND_SHEET)),
  }));
}

/** Reads a sheet, of which only cells that hold something are kept. Throws ParseError `TOO_LARGE`. */
export async function readSheet(
  office: OfficePackage,
  part: string,
  workbook: Workbook,
  budget: Budget,
): Promise<Sheet | null> {
  const content = await office.pack.read(part);
  if (content === null) return null;
  workbook.held.sheet(content);
  const cells: Cell[] = [];
  const hiddenRows = new Set<number>();
  let nextRow = 0;
  const root = office.stream(part, content, 's:sheetData', (line) => {
    const row = Math.min(MAX_ROWS - 1, Math.max(0, Number(attributeOf(line, 'r') ?? nextRow + 1) - 1 || 0));
    nextRow = row + 1;
    if (isOn(attributeOf(line, 'hidden'))) hiddenRows.add(row);
    let nextColumn = 0;
    for (const cell of childrenOf(line, 's:c')) {
      budget.cells(1);
      const column = cellPosition(attributeOf(cell, 'r'))?.column ?? nextColumn;
      nextColumn = column + 1;
      const { spans, isNumber } = valueOf(cell, workbook);
      const link = formulaLink(cell);
      if (textOf(spans).trim() !== '')
        cells.push({ row, column, spans: link === undefined ? spans : withLink(spans, link), isNumber });
    }
  });
  const hiddenColumns = new Set<number>();
  for (const column of childrenOf(childOf(root, 's:cols'), 's:col')) {
    if (!isOn(attributeOf(column, 'hidden'))) continue;
    const [from, to] = [
      Number(attributeOf(column, 'min')) - 1,
      Math.min(Number(attributeOf(column, 'max')), MAX_COLUMNS),
    ];
    for (let at = Math.max(0, from); at < to; at++) hiddenColumns.add(at);
  }
  const merged = [...childrenOf(childOf(root, 's:mergeCells'), 's:mergeCell')].flatMap((one) => {
    const area = cellArea(attributeOf(one, 'ref'));
    return area === null ? [] : [area];
  });
  const pane = childOf(childOf(childOf(root, 's:sheetViews'), 's:sheetView'), 's:pane');
  const frozen =
    attributeOf(pane, 'state')?.startsWith('frozen') === true ? Number(attributeOf(pane, 'ySplit') ?? 0) : 0;
  const sorted = mergeDuplicateCells(cells.toSorted((a, b) => a.row - b.row || a.column - b.column));
  return {
    cells: withLinks(sorted, root, await office.relations(part)),
    merged: withinUse(merged, sorted),
    hiddenRows,
    hiddenColumns,
    frozenRows: Number.isInteger(frozen) ? frozen : 0,
    root,
  };
}
