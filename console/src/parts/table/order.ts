/** Which column orders the rows, and how. */
export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** A value to order by; null stands last whichever way. */
export type SortValue = string | number | boolean | null;

/** Clicking a heading: upward, downward, then as they came. */
export function nextOrder(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}

/** The rows in order of a value; rows that are equal stay as they were. Text is ordered as its language does. */
export function sortRows<T>(
  rows: readonly T[],
  valueOf: (row: T) => SortValue,
  descending: boolean,
  language: string,
): T[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const way = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? 1 : -1;
      if (typeof a.value === 'string' && typeof b.value === 'string') return way * compare(a.value, b.value);
      return way * (Number(a.value) - Number(b.value));
    })
    .map(({ row }) => row);
}

/** One page of rows; the last one there is where `page` is beyond it. Pages begin at 1. */
export function pageOf<T>(rows: readonly T[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(1, page), pages);
  return { pages, page: shown, rows: rows.slice((shown - 1) * size, shown * size) };
}
