import { setTimeout as delay } from 'node:timers/promises';
import type { IndexRow } from '../../../ports/search-index.ts';
import { retryDelay, type Reply } from './client.ts';
import { unavailable } from './failure.ts';
import type { Layout } from './layout.ts';
import type { OpenTable } from './table.ts';
import { fitted, fittedFacts } from './values.ts';

/** One line of work: rows are put, which may be repeated, or taken away. */
export interface Line {
  readonly id: string;
  /** The row as JSON; undefined to remove it. */
  readonly source?: string;
  /** It is removed only as it was read then: `_seq_no` and `_primary_term`. */
  readonly ifVersion?: readonly [number, number];
}

/** Bytes of one request: larger ones are slower and may be refused. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 2_000;
/** Attempts of what the server had no room for. */
const ATTEMPTS = 6;
/** Attempts of what no shard took, for each of which the server waits: long enough for a shard that moves, not for a node to come back. */
const SHARD_ATTEMPTS = 2;
const SHARD_WAIT = '2s';

const isZero = (vector: Float32Array): boolean => vector.every((value) => value === 0);

/** A row as the index keeps it. A vector of zeros has no direction, and the server refuses it: such a row is found by words alone. */
const lineOf = (row: IndexRow, { id, terms, stems, table }: Layout): Line => ({
  id: id(row.rowId),
  source: JSON.stringify({
    row_id: row.rowId.toWellFormed(),
    chunk_id: row.chunkId.toWellFormed(),
    document_id: fitted(row.documentId),
    ...(isZero(row.vector) ? {} : { vector: Array.from(row.vector) }),
    ...(table === null ? {} : { table }),
    [terms]: row.terms.map(fitted),
    [stems]: row.stems.map(fitted),
    facts: fittedFacts(row),
  }),
});

/** The lines of rows, made as they are sent: they are many times larger than the rows. */
export function* linesOf(rows: readonly IndexRow[], layout: Layout): Generator<Line, undefined> {
  for (const row of rows) yield lineOf(row, layout);
}

/** Rows as the server gives them, as they are written again. */
export const linesOfHits = (
  hits: readonly { readonly _id: string; readonly _source?: Readonly<Record<string, unknown>> }[],
): Line[] => hits.map(({ _id: id, _source: source }) => ({ id, source: JSON.stringify(source) }));

const conditionOf = ({ ifVersion }: Line): string =>
  ifVersion === undefined ? '' : `,"if_seq_no":${ifVersion[0]},"if_primary_term":${ifVersion[1]}`;

const textOf = (line: Line): string =>
  line.source === undefined
    ? `{"delete":{"_id":${JSON.stringify(line.id)}${conditionOf(line)}}}\n`
    : `{"index":{"_id":${JSON.stringify(line.id)}}}\n${line.source}\n`;

/** Lines in pieces of one request each. */
export function* piecesOf(lines: Iterable<Line>): Generator<Line[], undefined> {
  let piece: Line[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = (line.source?.length ?? 0) + 100;
    if (piece.length >= MAX_LINES || (piece.length > 0 && bytes + size > MAX_BYTES)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(line);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}

interface Item {
  readonly _index?: string;
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/** A table that moves takes no writes for a moment. Source: OpenSearch, TransportBulkAction on an alias without a write index. */
const isHeld = ({ status, error }: Item): boolean => status === 400 && /is_write_index/.test(error?.reason ?? '');
/** Who moves it lets go of it within this time; or has ended. */
const HOLD_MS = 15_000;
const HOLD_WAIT_MS = 200;
/** How often a table is taken from one that holds it for too long. */
const RELEASES = 2;

const attemptsFor = ({ status }: Item): number => (status === 429 ? ATTEMPTS : status === 503 ? SHARD_ATTEMPTS : 1);
/** A row that is to be removed and is not there carries 404 without an error; one that is another by now is left alone. */
const hasFailed = ({ status, error }: Item, { ifVersion }: Line): boolean =>
  status >= 300 && error !== undefined && !(status === 409 && ifVersion !== undefined);

/** Sends lines to a table and learns what an answer that is an error means for it. */
export interface BulkWriter {
  readonly table: Pick<OpenTable, 'name' | 'ask' | 'release'>;
  readonly failure: (reply: Reply) => Promise<Error>;
  /** Hears of each line that is there, or may be. */
  readonly onWritten: (id: string) => void;
}

async function sendOnce({ table, onWritten }: BulkWriter, lines: readonly Line[]): Promise<readonly Item[]> {
  try {
    const { body } = await table.ask({
      method: 'POST',
      path: '/_bulk',
      // Writing to a missing index would make one of the server's own.
      query: { require_alias: true, timeout: SHARD_WAIT },
      body: lines.map(textOf).join(''),
      timeoutMs: 90_000,
    });
    const items: Item[] = (body?.items ?? []).map((item: Record<string, Item>) => Object.values(item)[0]);
    if (items.length !== lines.length)
      throw unavailable(table.name, 'OpenSearch answered for other rows than were sent');
    return items;
  } catch (error) {
    // Whether it came through is not known.
    for (const { id } of lines) onWritten(id);
    throw error;
  }
}

/**
 * Carries one piece out; what the server had no room for is sent again, within bounds, so some of it may be there when it throws.
 * Resolves with the indices in which it was done. Throws IndexError, and Error for rows that the server can't take.
 */
export async function sendPiece(writer: BulkWriter, piece: readonly Line[]): Promise<ReadonlySet<string>> {
  const places = new Set<string>();
  let left = piece;
  let held: number | null = null;
  for (let [tries, releases] = [1, 0]; ;) {
    const items = await sendOnce(writer, left);
    const again: Line[] = [];
    let worst: Item | undefined;
    let isMoving = false;
    for (const [at, item] of items.entries()) {
      const line = left[at];
      if (line === undefined) continue;
      if (!hasFailed(item, line)) {
        writer.onWritten(line.id);
        if (item._index !== undefined) places.add(item._index);
      } else {
        again.push(line);
        if (isHeld(item)) isMoving = true;
        else if (tries >= attemptsFor(item)) worst ??= item;
      }
    }
    if (again.length === 0) return places;
    if (worst !== undefined) throw await writer.failure({ status: worst.status, body: { error: worst.error } });
    left = again;
    if (!isMoving) {
      await delay(retryDelay(tries++));
      continue;
    }
    await delay(HOLD_WAIT_MS);
    held ??= performance.now();
    if (performance.now() - held < HOLD_MS) continue;
    if (++releases > RELEASES) throw unavailable(writer.table.name, 'it is being moved');
    await writer.table.release();
    held = null;
  }
}
