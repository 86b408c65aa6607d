import type { Extraction, ExtractionDocument } from '@ai-studio/contract/retrieval/extraction.ts';
import { CSV_BOM, csvLine } from '../../kernel/csv.ts';

type Field = ExtractionDocument['fields'][number];
type Cell = string | number | boolean | null;

/** The column of a value: rows of lists share one. */
const columnOf = ({ name }: Field) => name.replaceAll(/\[\d+\]/g, '[]');

/** UTF-16 units that a cell of a spreadsheet holds. */
const MAX_CELL_LENGTH = 32_767;
const listPlace = /^(.*)\[(\d+)\]/;

/** A text as a spreadsheet takes it; one that is cut ends with an ellipsis. */
function fitted(cell: Cell): Cell {
  // Before what looks like a formula an apostrophe is written.
  const room = MAX_CELL_LENGTH - (typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? 1 : 0);
  if (typeof cell !== 'string' || cell.length <= room) return cell;
  return `${cell.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A value among others in one cell: in quotation marks where it holds what parts them. */
const listed = (cell: Cell): string => {
  const text = String(cell ?? '');
  return text.includes('; ') || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The values of a column of a list in one cell, an empty place for each row that has none. */
function joined(places: readonly Cell[]): Cell {
  if (places.every((cell) => cell === null)) return null;
  const [only] = places;
  return places.length === 1 && typeof only !== 'string' ? (only ?? null) : places.map(listed).join('; ');
}

/** How many rows each list of a document has. */
function rowCounts(fields: readonly Field[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of fields) {
    const [, list, row] = listPlace.exec(name) ?? [];
    if (list !== undefined) counts.set(list, Math.max(counts.get(list) ?? 0, Number(row) + 1));
  }
  return counts;
}

/** The cell of a column, with `part` of each of its values. */
function cellOf(
  column: string,
  found: readonly Field[],
  counts: ReadonlyMap<string, number>,
  part: (field: Field) => Cell,
): Cell {
  const list = column.indexOf('[]');
  if (list < 0) return found[0] === undefined ? null : fitted(part(found[0]));
  const places = Array.from({ length: counts.get(column.slice(0, list)) ?? 0 }, (): Cell => null);
  for (const field of found) places[Number(listPlace.exec(field.name)?.[2] ?? 0)] = part(field);
  return fitted(joined(places));
}

/** The first line. `places`: with the page and the confidence of each value beside it. */
export const csvHead = ({ columns }: Pick<Extraction, 'columns'>, places: boolean): string =>
  CSV_BOM +
  csvLine([
    'document_id',
    'document_name',
    'error',
    ...columns.flatMap((name) => (places ? [name, `${name} (page)`, `${name} (confidence)`] : [name])),
  ]);

/** The line of a document. */
export function csvDocument(
  { columns }: Pick<Extraction, 'columns'>,
  { document_id: id, document_name: name, error, fields }: ExtractionDocument,
  places: boolean,
): string {
  const byColumn = Map.groupBy(fields, columnOf);
  const counts = rowCounts(fields);
  const parts: readonly ((field: Field) => Cell)[] = [
    ({ value }) => value,
    ...(places ? [({ page }: Field) => page, ({ confidence }: Field) => confidence] : []),
  ];
  const cells = columns.flatMap((column) =>
    parts.map((part) => cellOf(column, byColumn.get(column) ?? [], counts, part)),
  );
  return csvLine([id, name, error === null ? null : `${error.code}: ${error.message}`, ...cells]);
}
