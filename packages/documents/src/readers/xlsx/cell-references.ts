/** A rectangle of cells. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Largest of the format. Source: specifications of Excel. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

const columnNumber = (text: string) =>
  Array.from(text).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Place of `C5`; null for what is none. */
export function cellPosition(reference: string | undefined): { readonly row: number; readonly column: number } | null {
  const found = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '');
  if (found === null) return null;
  const [column, row] = [columnNumber(found[1] ?? ''), Number(found[2]) - 1];
  return row >= 0 && row < MAX_ROWS && column < MAX_COLUMNS ? { row, column } : null;
}

/** Rectangle of `A1:C5`; null for what is none. */
export function cellArea(reference: string | undefined): Area | null {
  const [first, last] = (reference ?? '').split(':');
  const [a, b] = [cellPosition(first), cellPosition(last ?? first)];
  if (a === null || b === null) return null;
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    left: Math.min(a.column, b.column),
    right: Math.max(a.column, b.column),
  };
}
