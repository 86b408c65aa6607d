import type { DerivedRow } from '../../../ports/search-index.ts';
import type { Line } from './bulk.ts';
import type { OpenTable } from './table.ts';
import { fittedFacts } from './values.ts';

/** Numbers of vectors that are read at a time. */
const MAX_VALUES = 256 * 1024;
const MAX_ROWS = 500;

interface Doc {
  readonly found?: boolean;
  readonly _source?: Readonly<Record<string, unknown>>;
}

/** Rows like others, in pieces: what is to be written, and the ids of sources that are not there. Throws IndexError. */
export async function* derivedLines(
  table: OpenTable,
  rows: readonly DerivedRow[],
): AsyncGenerator<{ readonly lines: readonly Line[]; readonly missing: readonly string[] }, undefined> {
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / table.dimension)));
  for (let from = 0; from < rows.length; from += size) {
    const piece = rows.slice(from, from + size);
    // Reads what no search sees yet, too.
    const { body } = await table.ask({
      method: 'POST',
      path: '/_mget',
      body: { ids: piece.map((row) => table.layout.id(row.from)) },
    });
    const docs: readonly Doc[] = body?.docs ?? [];
    const lines: Line[] = [];
    const missing: string[] = [];
    for (const [at, row] of piece.entries()) {
      const source = docs[at]?.found === true ? docs[at]._source : undefined;
      if (source === undefined) missing.push(row.from);
      else
        lines.push({
          id: table.layout.id(row.rowId),
          source: JSON.stringify({ ...source, row_id: row.rowId.toWellFormed(), facts: fittedFacts(row) }),
        });
    }
    yield { lines, missing };
  }
}
