import { raceAbort } from '../../../kernel/race-abort.ts';
import { IndexError, type RowSelector, type SearchIndex } from '../../../ports/search-index.ts';
import { linesOf, piecesOf, sendPiece, type Line } from './bulk.ts';
import { createClient, Unreachable, type Reply } from './client.ts';
import { copyOut, rowsOfCopy, shapeOfCopy } from './copies.ts';
import { derivedLines } from './derive.ts';
import { failureOf, unavailable } from './failure.ts';
import type { OpenSearchOptions } from './options.ts';
import { scroll } from './scroll.ts';
import { hasTerms, keyOf, ROW_FIELDS, searchVectors, searchWords } from './search.ts';
import { readServer } from './server.ts';
import { openTable, type OpenTable } from './table.ts';
import { createTable, dropTable, listTables, namesOf } from './tables.ts';
import { writtenAt } from './places.ts';
import { createUpkeep } from './upkeep.ts';
import { fitted } from './values.ts';

export type { OpenSearchOptions } from './options.ts';

/** Rows yielded at a time when all rows are listed. */
const ROWS_PER_BATCH = 8_192;
/** Documents of one removal. */
const MAX_DOCUMENTS = 1_000;
/** Attempts of a write that arrives where its table is no more, or is just leaving. */
const ATTEMPTS = 5;
/** A table is looked up again after this time. */
const READ_AGAIN_MS = 60_000;
/** Segments are merged up to this size: a larger one costs more than it saves. */
const SEGMENT_BYTES = 5 * 1024 ** 3;
const MERGE_MS = 60 * 60_000;

/**
 * The search index on OpenSearch: an index for each table, behind an alias. The cluster is asked for its version before the first work.
 * See docs/decisions/opensearch.md.
 */
export function createOpenSearchIndex(options: OpenSearchOptions): SearchIndex {
  const { log, prefix } = options;
  const names = namesOf(prefix);
  const client = createClient(options);
  const open = new Map<string, Promise<OpenTable>>();
  const upkeep = createUpkeep(client, options, names.alias, (table) => open.delete(table));
  let checking: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  async function checkServer(): Promise<void> {
    const { refusal } = await readServer(client);
    if (refusal !== null) throw new Error(`OpenSearch cannot be used: ${refusal}`);
  }

  async function load(table: string): Promise<void> {
    if (closing !== null) throw new IndexError('unavailable', table, 'The search index is closed');
    checking ??= checkServer();
    await checking.catch((error: unknown) => {
      checking = null;
      if (!(error instanceof Unreachable)) log.error({ err: error }, 'search index cannot be used');
      throw unavailable(table, (error as Error).message, error);
    });
  }

  async function acquireTable(name: string): Promise<OpenTable> {
    checkName(name);
    await load(name);
    const known = open.get(name);
    const opening = known ?? openTable(client, name, names.alias(name));
    open.set(name, opening);
    try {
      const table = await opening;
      upkeep.opened(table);
      // Another process may have moved it: it works as it was, but is looked at as it was.
      if (performance.now() - table.readMs > READ_AGAIN_MS) open.delete(name);
      return table;
    } catch (error) {
      if (open.get(name) === opening) open.delete(name);
      throw error;
    }
  }

  /** Runs `work` with a table. A lost one is looked up anew: it may have moved while it was asked. */
  async function withTable<T>(name: string, work: (table: OpenTable) => Promise<T>): Promise<T> {
    const table = await acquireTable(name);
    try {
      return await work(table);
    } catch (error) {
      if (!(error instanceof IndexError) || error.kind !== 'lost') throw error;
      open.delete(name);
      const now = await writtenAt(client, name, table.alias).catch(() => null);
      if (now === null || now === table.place.index) throw error;
      return await work(await acquireTable(name));
    }
  }

  const search = <T>(name: string, signal: AbortSignal | undefined, work: (table: OpenTable) => Promise<T>) =>
    signal === undefined ? withTable(name, work) : raceAbort(signal, () => withTable(name, work));

  const send = async (table: OpenTable, lines: readonly Line[], onWritten: (id: string) => void = () => undefined) => {
    try {
      const failure = (reply: Reply) => failureOf(client, table.name, table.alias, reply);
      for (let tries = 1; ; tries++) {
        const places = await sendPiece({ table, failure, onWritten }, lines);
        // What arrived in a place that the table is leaving may have come too late to be taken along.
        const now = await writtenAt(client, table.name, table.alias);
        if (now !== null && [...places].every((place) => place === now)) return;
        if (tries >= ATTEMPTS) throw unavailable(table.name, 'it is being moved');
      }
    } finally {
      table.wrote();
      upkeep.wrote(table, lines.length);
    }
  };

  /** Writes all lines or none: what is there of them is taken back when the rest is refused. */
  async function writeAll(table: OpenTable, lines: Iterable<Line>, takeBack: boolean): Promise<void> {
    const written = new Set<string>();
    try {
      for (const piece of piecesOf(lines)) await send(table, piece, (id) => written.add(id));
    } catch (error) {
      if (takeBack && !(error instanceof IndexError && error.kind === 'lost')) await undo(table, [...written]);
      throw error;
    }
  }

  /** What remains after this is known to the database, which has it removed later. */
  async function undo(table: OpenTable, ids: readonly string[]): Promise<void> {
    try {
      for (const piece of piecesOf(ids.map((id) => ({ id })))) await send(table, piece);
    } catch (error) {
      log.warn({ table: table.name, rows: ids.length, err: error }, 'rows of a failed write could not be taken back');
    }
  }

  /** By their ids, as other writes are: a table that moves takes none for a moment, and what went by its place would come back. */
  async function removeListed(table: OpenTable, ids: readonly string[]): Promise<void> {
    const query = { terms: { document_id: ids.map(fitted) } };
    for await (const hits of scroll(client, table, { size: ROWS_PER_BATCH, _source: false, query }))
      for (const piece of piecesOf(hits.map(({ _id: id }) => ({ id })))) await send(table, piece);
  }

  async function remove(table: OpenTable, which: RowSelector): Promise<void> {
    if ('rowIds' in which) {
      const lines = which.rowIds.map((rowId) => ({ id: table.layout.id(rowId) }));
      for (const piece of piecesOf(lines)) await send(table, piece);
      return;
    }
    const { documentIds } = which;
    for (let at = 0; at < documentIds.length; at += MAX_DOCUMENTS)
      await removeListed(table, documentIds.slice(at, at + MAX_DOCUMENTS));
  }

  const index: SearchIndex = {
    async createTable(name, shape) {
      checkName(name);
      await load(name);
      await createTable(client, options, name, shape);
    },
    async dropTable(name) {
      checkName(name);
      await load(name);
      open.delete(name);
      await dropTable(client, options, name);
    },
    async tables() {
      await load('');
      return listTables(client, options);
    },
    async add(name, rows, { upsert = false } = {}) {
      if (rows.length === 0) return;
      await withTable(name, async (table) => {
        const wrong = rows.find(({ vector }) => vector.length !== table.dimension);
        if (wrong !== undefined)
          throw new TypeError(`A vector of ${wrong.vector.length} numbers for a table of ${table.dimension}`);
        await writeAll(table, linesOf(rows, table.layout), !upsert);
      });
    },
    derive: (name, rows) =>
      withTable(name, async (table) => {
        const missing: string[] = [];
        for await (const piece of derivedLines(table, rows)) {
          missing.push(...piece.missing);
          await writeAll(table, piece.lines, true);
        }
        return missing;
      }),
    remove: (name, which) => withTable(name, (table) => remove(table, which)),
    nearest: (name, query) => search(name, query.signal, (table) => searchVectors(table, query)),
    keyword: (name, query) => search(name, query.signal, (table) => searchWords(table, query)),
    has: (name, query) => search(name, query.signal, (table) => hasTerms(table, query)),
    async *rows(name, signal) {
      const table = await acquireTable(name);
      const fields = { size: ROWS_PER_BATCH, _source: false, docvalue_fields: ROW_FIELDS };
      for await (const hits of scroll(client, table, { ...fields, signal })) yield hits.map(keyOf);
    },
    stats: (name) =>
      withTable(name, async (table) => {
        await table.refresh(undefined);
        const { body: counted } = await table.ask({ method: 'GET', path: '/_count' });
        const { body } = await table.ask({ method: 'GET', path: '/_stats/docs,store' });
        const { docs, store } = body?._all?.primaries ?? {};
        const rows: number = counted?.count ?? 0;
        const bytes: number = store?.size_in_bytes ?? 0;
        return {
          dimension: table.dimension,
          rows,
          // Of an index that others share, the part that its rows are.
          bytes: table.place.slot === null ? bytes : Math.round((bytes * rows) / Math.max(rows, docs?.count ?? 1)),
          // All that is seen is in the structures.
          unindexedRows: 0,
        };
      }),
    maintain: (name) =>
      withTable(name, async (table) => {
        await table.refresh(undefined);
        // What others share is merged by the server itself.
        if (table.place.slot !== null && !(await upkeep.moveIfGrown(table))) return;
        const { body } = await table.ask({ method: 'GET', path: '/_stats/docs,store' });
        const bytes: number = body?._all?.primaries?.store?.size_in_bytes ?? 0;
        const most = Math.max(1, Math.ceil(bytes / table.shards / SEGMENT_BYTES));
        const query = { max_num_segments: most };
        await table.ask({ method: 'POST', path: '/_forcemerge', query, timeoutMs: MERGE_MS, attempts: 1 });
        await table.refresh(undefined);
      }),
    copyOut: (name, folder) => withTable(name, (table) => copyOut(client, table, folder)),
    async copyIn(name, folder) {
      const shape = await shapeOfCopy(name, folder);
      await index.dropTable(name);
      await index.createTable(name, shape);
      await withTable(name, async (table) => {
        let piece: Line[] = [];
        for await (const line of rowsOfCopy(folder)) {
          piece.push(line);
          if (piece.length < MAX_DOCUMENTS) continue;
          await writeAll(table, piece, false);
          piece = [];
        }
        await writeAll(table, piece, false);
      });
    },
    close() {
      open.clear();
      return (closing ??= upkeep.close().then(() => client.close()));
    },
  };
  return index;
}

function checkName(name: string): void {
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a table`);
}
