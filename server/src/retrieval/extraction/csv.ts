import type { Extraction, ExtractionDocument } from '@ai-studio/contract/retrieval/extraction.ts';
import { CSV_BOM, csvLine } from '../../kernel/csv.ts';

type Field = ExtractionDocument['fields'][number];
type Cell = string | number | boolean | null;

/** The column of a value: rows of lists share one. */
const columnOf = ({ name }: Field) => name.replaceAll(/\[\d+\]/g, '[]');

/** Several values of a list stand in one cell. */
const joined = (cells: readonly Cell[]): Cell =>
  cells.length <= 1 ? (cells[0] ?? null) : cells.map((cell) => cell ?? '').join('; ');

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
  const cells = columns.flatMap((column): Cell[] => {
    const found = byColumn.get(column) ?? [];
    const value = joined(found.map((one) => one.value));
    if (!places) return [value];
    return [value, joined(found.map(({ page }) => page)), joined(found.map(({ confidence }) => confidence))];
  });
  return csvLine([id, name, error === null ? null : `${error.code}: ${error.message}`, ...cells]);
}
