import type { Logger } from '../../../kernel/log.ts';
import { IndexError, type RowKey, type SearchIndex, type TableShape } from '../../../ports/search-index.ts';
import { schemaOf } from './batch.ts';
import { copyIn, copyOut } from './copies.ts';
import { deriveRows } from './derive.ts';
import { openEngine, type LanceEngine, type LanceStorage } from './engine.ts';
import { indexError } from './failure.ts';
import type { TableFiles } from './files.ts';
import { createIndices } from './indices.ts';
import { searchVectors } from './search-vectors.ts';
import { hasTerms, searchWords } from './search-words.ts';
import { closeQuietly, conditionsOf, openTable, writeWithRetry, type OpenTable } from './table.ts';
import { createTableMaintainer, awaitWithTimeout, type TableMaintainer } from './table-maintenance.ts';

export type { LanceStorage } from './engine.ts';
export { createFolderFiles, type TableFiles } from './files.ts';

export interface LanceIndexOptions {
  readonly storage: LanceStorage;
  /** The files of the tables, for copies. */
  readonly files: TableFiles;
  /** Memory for structures of searches, of all tables together. */
  readonly cacheMb: number;
  /** How long what is obsolete is kept for others who still read it; 15 minutes. */
  readonly retentionMs?: number;
  readonly log: Logger;
}

/** Rows yielded at a time when all rows are listed. */
const ROWS_PER_BATCH = 8_192;
/** Maximum number of open tables; the least recently used one is evicted. */
const MAX_OPEN = 200;

/**
 * The search index on LanceDB, whose work is done by threads of its own. Several processes may use the same storage. The engine is loaded by the
 * first call. See docs/decisions/search-index.md.
 */
export function createLanceIndex({ storage, files, cacheMb, retentionMs, log }: LanceIndexOptions): SearchIndex {
  let loading: Promise<{ readonly engine: LanceEngine; readonly maintainer: TableMaintainer }> | null = null;
  let closing: Promise<void> | null = null;
  /** LRU order. An evicted table stays open until its last user is done. */
  const open = new Map<string, Promise<OpenTable>>();

  function load(table: string) {
    if (closing !== null) throw new IndexError('unavailable', table, 'The search index is closed');
    loading ??= openEngine(storage, cacheMb).then((engine) => ({
      engine,
      maintainer: createTableMaintainer(engine, log, retentionMs),
    }));
    return loading.catch((error: unknown) => {
      loading = null;
      throw new IndexError('unavailable', table, 'The search index cannot be opened', error);
    });
  }

  async function openNow(name: string): Promise<OpenTable> {
    const { engine, maintainer } = await load(name);
    const table = await openTable(engine, name, (rows) => maintainer.onCommit(table, rows));
    maintainer.onOpen(table);
    return table;
  }

  async function acquireTable(name: string): Promise<OpenTable> {
    checkName(name);
    const known = open.get(name);
    const opening = known ?? openNow(name);
    open.delete(name);
    open.set(name, opening);
    evictTables();
    try {
      return await opening;
    } catch (error) {
      if (open.get(name) === opening) open.delete(name);
      throw error;
    }
  }

  function evictTables(): void {
    for (const name of open.keys()) {
      if (open.size <= MAX_OPEN) return;
      open.delete(name);
    }
  }

  /** Runs `work` with an open table. A lost table is closed, so that the next call reopens it. */
  async function withTable<T>(name: string, work: (table: OpenTable) => Promise<T>): Promise<T> {
    const table = await acquireTable(name);
    try {
      return await work(table);
    } catch (error) {
      if (error instanceof IndexError && error.kind === 'lost') open.delete(name);
      throw error;
    }
  }

  /**
   * Runs a read. A table counts as lost only where a newly opened one fails too: its index would be made anew, and searches would wait, for
   * a failure of one moment.
   */
  async function readTable<T>(name: string, work: (table: OpenTable) => Promise<T>): Promise<T> {
    try {
      return await withTable(name, work);
    } catch (error) {
      if (!(error instanceof IndexError) || error.kind !== 'lost') throw error;
      log.warn({ table: name, err: error }, 'search index table could not be read; it is opened anew');
      return withTable(name, work);
    }
  }

  const index: SearchIndex = {
    async createTable(name, shape: TableShape) {
      checkName(name);
      const { engine } = await load(name);
      try {
        const schema = schemaOf(engine.arrow, shape.dimension);
        const table = await engine.connection.createEmptyTable(name, schema, { mode: 'create', existOk: true });
        // Another process may be making the same ones.
        await writeWithRetry(name, () => createIndices(engine.lance, table));
        closeQuietly(table);
      } catch (error) {
        const { message } = indexError(name, error);
        throw new IndexError('unavailable', name, message, error);
      }
    },
    async dropTable(name) {
      checkName(name);
      const { engine, maintainer } = await load(name);
      await maintainer.forget(name);
      open.delete(name);
      try {
        await engine.connection.dropTable(name);
      } catch (error) {
        const failure = indexError(name, error);
        if (!(failure instanceof IndexError) || failure.kind === 'unavailable') throw failure;
      }
      // What is left of one that the engine can't read.
      await files.remove(name);
    },
    async tables() {
      const { engine } = await load('');
      const names: string[] = [];
      for (let pageToken: string | undefined; ;) {
        const page = await engine.connection
          .listTables({ limit: 1_000, ...(pageToken === undefined ? {} : { pageToken }) })
          .catch((error: unknown) => {
            throw indexError('', error);
          });
        names.push(...page.tables);
        pageToken = page.pageToken;
        if (pageToken === undefined || page.tables.length === 0) return names.toSorted();
      }
    },
    async add(name, rows, { upsert = false } = {}) {
      if (rows.length === 0) return;
      await withTable(name, (table) => {
        const wrong = rows.find(({ vector }) => vector.length !== table.dimension);
        if (wrong !== undefined)
          throw new TypeError(`A vector of ${wrong.vector.length} numbers for a table of ${table.dimension}`);
        return table.write({ kind: upsert ? 'replace' : 'add', rows });
      });
    },
    derive: (name, rows) => withTable(name, (table) => deriveRows(table, rows)),
    remove: (name, which) =>
      withTable(name, async (table) => {
        for (const where of conditionsOf(which)) await table.write({ kind: 'remove', where });
      }),
    nearest: (name, query) => readTable(name, (table) => searchVectors(table, query)),
    async keyword(name, query) {
      const { engine } = await load(name);
      return readTable(name, (table) => searchWords(engine.lance, table, query));
    },
    async has(name, query) {
      const { engine } = await load(name);
      return readTable(name, (table) => hasTerms(engine.lance, table, query));
    },
    async *rows(name, signal) {
      const table = await acquireTable(name);
      await table.refresh(undefined);
      const columns = ['row_id', 'chunk_id', 'document_id'];
      try {
        for await (const batch of table.handle.query().select(columns)) {
          signal?.throwIfAborted();
          yield* toRowBatches(batch);
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw indexError(name, error);
      }
    },
    stats: (name) =>
      readTable(name, async (table) => {
        await table.refresh(undefined);
        const { numRows, totalBytes } = await table.read(() => table.handle.stats());
        const known = await table.read(() => table.handle.indexStats('terms'));
        return {
          dimension: table.dimension,
          rows: numRows,
          bytes: totalBytes,
          unindexedRows: known?.numUnindexedRows ?? 0,
        };
      }),
    async maintain(name) {
      const { maintainer } = await load(name);
      await withTable(name, (table) => maintainer.maintain(table));
    },
    async copyOut(name, folder) {
      checkName(name);
      await copyOut(files, name, folder);
    },
    async copyIn(name, folder) {
      await index.dropTable(name);
      await copyIn(files, name, folder);
    },
    close() {
      return (closing ??= (async () => {
        const opened = await Promise.allSettled(open.values());
        const tables = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        open.clear();
        // Writes that miss the timeout are dropped: none of them was acknowledged.
        await awaitWithTimeout(Promise.all(tables.map((table) => table.idle())));
        const loaded = await loading?.catch(() => null);
        await loaded?.maintainer.close();
        for (const table of tables) table.close();
        if (loaded) closeQuietly(loaded.engine.connection);
      })());
    },
  };
  return index;
}

function checkName(name: string): void {
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a table`);
}

function* toRowBatches(batch: {
  readonly numRows: number;
  getChild(name: string): { get(at: number): unknown } | null;
}): Generator<readonly RowKey[], undefined> {
  const [rowIds, chunkIds, documentIds] = ['row_id', 'chunk_id', 'document_id'].map((column) => batch.getChild(column));
  for (let from = 0; from < batch.numRows; from += ROWS_PER_BATCH) {
    const piece: RowKey[] = [];
    for (let at = from; at < Math.min(batch.numRows, from + ROWS_PER_BATCH); at++)
      piece.push({
        rowId: String(rowIds?.get(at)),
        chunkId: String(chunkIds?.get(at)),
        documentId: String(documentIds?.get(at)),
      });
    yield piece;
  }
}
