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
