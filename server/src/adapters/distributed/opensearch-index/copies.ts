import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { IndexError } from '../../../ports/search-index.ts';
import type { Line } from './bulk.ts';
import type { Client } from './client.ts';
import { plainRow } from './layout.ts';
import { FORMAT } from './mapping.ts';
import { scroll } from './scroll.ts';
import type { OpenTable } from './table.ts';

// A copy is a file of rows as lines of JSON, and one that says what they are; that one is written last, so a copy without it is none.

const ROWS = 'rows.ndjson.gz';
const SHAPE = 'table.json';
const ROWS_AT_A_TIME = 500;

async function* linesOf(client: Client, table: OpenTable): AsyncGenerator<string, undefined> {
  for await (const hits of scroll(client, table, { size: ROWS_AT_A_TIME }))
    for (const { _id: id, _source: source } of hits) yield `${JSON.stringify(plainRow(table.layout, id, source))}\n`;
}

/** Copies a table as it is now into a folder. Throws IndexError. */
export async function copyOut(client: Client, table: OpenTable, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await pipeline(linesOf(client, table), createGzip({ level: 1 }), createWriteStream(join(folder, ROWS)));
  await writeFile(
    join(folder, SHAPE),
    JSON.stringify({ engine: 'opensearch', format: FORMAT, dimension: table.dimension }),
  );
}

/** The shape of a copied table. Throws IndexError `lost` where the folder holds none of ours. */
export async function shapeOfCopy(name: string, folder: string): Promise<{ readonly dimension: number }> {
  const shape: unknown = await readFile(join(folder, SHAPE), 'utf8').then(JSON.parse, () => null);
  const { format, dimension } = (shape ?? {}) as { readonly format?: unknown; readonly dimension?: unknown };
  if (format !== FORMAT || typeof dimension !== 'number')
    throw new IndexError('lost', name, `${folder} holds no copy of a table of OpenSearch`);
  return { dimension };
}

/** The rows of a copy, as they are written again. */
export async function* rowsOfCopy(folder: string): AsyncGenerator<Line, undefined> {
  const input = createReadStream(join(folder, ROWS)).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const { id, source } = JSON.parse(line) as { readonly id: string; readonly source: object };
    yield { id, source: JSON.stringify(source) };
  }
}
