import { unlink } from 'node:fs/promises';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import type { LockFile } from '../ports/file-lock.ts';
import { createJournal } from './journal.ts';
import { createSegments, type Sealed, type Segment } from './segment.ts';
import type { UsageRow } from './usage-row.ts';
import { storeSlices, type StoredSlice } from './usage-store.ts';

/** Aggregates calls and writes them in batches, asynchronously to requests. */
export interface Meter {
  /**
   * Records a call: once this returns, a kill of the process does not lose it. With `kept` that is so once `kept` is called, still in
   * this turn of the event loop: calls that end together are written together. Never throws and never waits.
   */
  record(row: UsageRow, kept?: () => void): void;
  /** Resolves once every recorded row is in the database, or on the disk alone while the database is unreachable. */
  flush(): Promise<void>;
  /** Flushes and stops the timer. Safe to repeat. Later rows are written immediately. */
  close(): Promise<void>;
}

export interface MeterOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Where calls are until they are in the database; processes may share it. */
  readonly folder: string;
  readonly lockFile: LockFile;
  /** Maximum time between writes; 1,000 by default. */
  readonly intervalMs?: number;
}

/** Rows in one statement. */
const BATCH = 1_000;
/** Size of a file while the database is away: it is read back whole. */
const FILE_BYTES = 4 * 1024 * 1024;
/** Time between looks for files of processes that are gone. */
const TAKE_OVER_MS = 60_000;

export function createMeter({ db, log, folder, lockFile, intervalMs = 1_000 }: MeterOptions): Meter {
  const writer = hexId();
  const journal = createJournal(folder, writer, lockFile);
  const beginSegment = createSegments({ journal, log, writer });
  let open: Segment | null = null;
  /** Who waits for calls of this turn to be kept. */
  let waiting: (() => void)[] = [];
  let turnEnd: NodeJS.Immediate | null = null;
  /** What is not in the database yet, oldest first. */
  const unstored: Sealed[] = [];
  let takeOverAt = 0;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void runWrite();
    }, intervalMs).unref();
  }

  /** Runs one write after the other, each with all rows recorded before it. */
  function runWrite(): Promise<void> {
    const nextRun = (running ?? Promise.resolve()).then(write);
    running = nextRun;
    void nextRun.then(() => running === nextRun && (running = null));
    return nextRun;
  }

  /** Writes the calls of this turn to the disk, and says so. */
  function keep(): void {
    if (turnEnd !== null) clearImmediate(turnEnd);
    turnEnd = null;
    open?.flush();
    const told = waiting;
    waiting = [];
    for (const kept of told)
      try {
        kept();
      } catch (error) {
        log.error({ err: error }, 'usage is kept, but the end of its call failed');
      }
  }

  function seal(): void {
    if (open !== null) unstored.push(open.seal());
    open = null;
  }

  /** Stores everything. Never rejects. */
  async function write(): Promise<void> {
    try {
      // While the database is away, calls go on to be added up.
      if (isClosed) seal();
      await storeSealed();
      seal();
      await storeSealed();
      await takeOver();
    } catch (error) {
      log.warn({ err: error, parts: unstored.length }, 'usage could not be written; it is kept');
      for (const one of unstored) if (one.isWhole) one.rows = null;
      if (!isClosed) schedule();
    }
    if (isClosed) journal.close();
  }

  async function storeSealed(): Promise<void> {
    for (let one: Sealed | undefined; (one = unstored[0]) !== undefined; unstored.shift()) {
      const rows = await rowsOf(one);
      if (rows === null) continue;
      await storeBatch(rows);
      if (one.path !== null) await unlink(one.path).catch(warn('Usage that is stored stays on the disk'));
    }
  }

  const warn = (words: string) => (error: unknown) => {
    log.warn({ err: error }, words);
    return null;
  };

  /** Null where they cannot be read; whoever takes over the file may. */
  const rowsOf = async ({ rows, path }: Sealed) =>
    rows ?? (path === null ? [] : journal.read(path).catch(warn('Usage on the disk could not be read back')));

  /** Stores what processes have left that are gone. Rejects where the database is away. */
  async function takeOver(): Promise<void> {
    if (performance.now() < takeOverAt) return;
    let away = false;
    const store = async (rows: readonly StoredSlice[]) => {
      away = true;
      for (let at = 0; at < rows.length; at += BATCH) await storeBatch(rows.slice(at, at + BATCH));
      away = false;
    };
    try {
      await journal.takeOver(store);
    } catch (error) {
      if (away) throw error;
      warn('Usage of processes that are gone could not be looked for')(error);
    }
    takeOverAt = performance.now() + TAKE_OVER_MS;
  }

  /** Stores a batch. A row that the database rejects must not block the others: it is logged and dropped. */
  async function storeBatch(batch: readonly StoredSlice[]): Promise<void> {
    try {
      await storeSlices(db.query, batch);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (batch.length === 1) {
        log.error({ err: error, row: batch[0] }, 'usage row refused by the database');
        return;
      }
      const middle = batch.length >> 1;
      await storeBatch(batch.slice(0, middle));
      await storeBatch(batch.slice(middle));
    }
  }

  // Stores rows of an earlier run, without waiting for the first call.
  schedule();
  return {
    record(row, kept) {
      open ??= beginSegment();
      open.add(row);
      if (kept !== undefined) {
        waiting.push(kept);
        turnEnd ??= setImmediate(keep);
      } else open.flush();
      const isFull = open.slices === BATCH || open.bytes >= FILE_BYTES;
      if (isFull) seal();
      if (isFull || isClosed) void runWrite();
      else schedule();
    },
    flush: runWrite,
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      keep();
      await runWrite();
    },
  };
}

/** Whether the database rejected a row: classes 22 (data) and 23 (constraint). Source: PostgreSQL, appendix A. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^2[23]...$/.test(code);
}
