import type { Order } from './order.ts';

/** The order that an address names, where there is such a column; else the usual one. */
export function orderOf(sort: string | undefined, columns: readonly string[], usual: Order | null): Order | null {
  if (sort === undefined) return usual;
  if (sort === 'none') return null;
  const descending = sort.startsWith('-');
  const column = descending ? sort.slice(1) : sort;
  return columns.includes(column) ? { column, descending } : usual;
}

/** How an order stands in the address; left out where it is the usual one. */
export function sortText(order: Order | null, usual: Order | null): string | undefined {
  if (order?.column === usual?.column && order?.descending === usual?.descending) return undefined;
  return order === null ? 'none' : `${order.descending ? '-' : ''}${order.column}`;
}

/** Whether a row holds each of the words, in any case and spelling of its letters. */
export function holdsWords(text: string, query: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  return query
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => plain.includes(word));
}
