import type { Order } from './order.ts';

/** What the address says of the table of a page. */
export interface TableSearch {
  /** Column that orders it, with a minus before it where it goes down; `none`: as the rows came. */
  readonly sort?: string | undefined;
  /** What is looked for in it. */
  readonly q?: string | undefined;
}

const MAX_LENGTH = 200;
const short = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_LENGTH) : undefined;

/** Reads that part of an address; what is none of it is left out. */
export const tableSearch = ({ sort, q }: Record<string, unknown>): TableSearch => ({ sort: short(sort), q: short(q) });

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
