import type { Block, Box, TableCell } from '../document.ts';

/** Where something stands in a document. */
export interface Place {
  readonly page: number | null;
  readonly box?: Box;
}

const placed = (page: number | null, box: Box | undefined): Place => ({ page, ...(box === undefined ? {} : { box }) });

export const placeOf = ({ page, box }: Block): Place => placed(page, box);

/** A place within another: its own box, else the other's where it is on the same page. */
export const placeWithin = (around: Place, page: number | null, box: Box | undefined): Place =>
  placed(page, box ?? (page === around.page ? around.box : undefined));

/** The place of a cell of a table that stands there. */
export const cellPlace = ({ page, box, blocks }: TableCell, around: Place): Place =>
  placeWithin(around, page ?? blocks[0]?.page ?? around.page, box);
