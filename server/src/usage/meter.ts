import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { createSpill } from './spill.ts';
import type { UsageRow } from './usage-row.ts';
import { OpenSlices } from './slices.ts';
import { storeSlices, toStored, type StoredSlice } from './usage-store.ts';

/** Aggregates calls and writes them in batches, asynchronously to requests. */
export interface Meter {
  /** Records a call. Never throws and never waits. */
  record(row: UsageRow): void;
  /** Resolves once every recorded row is in the database, or in the spill folder while the database is unreachable. */
  flush(): Promise<void>;
  /** Flushes and stops the timer. Safe to repeat. Later rows are written immediately. */
  close(): Promise<void>;
}

export interface MeterOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Folder for rows while the database is unreachable. */
  readonly spillDir: string;
  /** Maximum time between writes; 1,000 by default. */
  readonly intervalMs?: number;
  /** Maximum number of rows in memory while the database is unreachable; beyond it they go to disk. 20,000 by default. */
  readonly memoryRows?: number;
}

/** Rows in one statement. */
const BATCH = 1_000;

export function createMeter({ db, log, spillDir, intervalMs = 1_000, memoryRows = 20_000 }: MeterOptions): Meter {
  const writer = hexId();
  const spill = createSpill(spillDir, writer);
  let sequenceNumber = 0;
  const open = new OpenSlices();
  /** Slices that could not be stored yet, oldest first. */
  let unstored: StoredSlice[] = [];
  /** Whether the spill folder may hold rows: at first those of an earlier run. */
  let maySpillFolderHoldRows = true;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void runWrite(false);
    }, intervalMs).unref();
  }

  /** Runs one write after the other, each with all rows recorded before it. */
  function runWrite(isFinal: boolean): Promise<void> {
    const nextRun = (running ?? Promise.resolve()).then(() => write(isFinal));
    running = nextRun;
    void nextRun.then(() => running === nextRun && (running = null));
    return nextRun;
  }

  /** Stores all open slices. Never rejects. With `isFinal`, what can't be stored goes to disk. */
  async function write(isFinal: boolean): Promise<void> {
    for (const slice of open.takeAll()) unstored.push(toStored(slice, writer, sequenceNumber++));
    try {
      while (unstored.length > 0) {
        await storeBatch(unstored.slice(0, BATCH));
        unstored = unstored.slice(BATCH);
      }
      if (maySpillFolderHoldRows) {
        await spill.readBack(storeBatch);
        maySpillFolderHoldRows = false;
      }
    } catch (error) {
      log.warn({ err: error, rows: unstored.length }, 'Usage could not be written; it is kept');
      await spillUnstored(isFinal);
      if (!isClosed) schedule();
    }
  }

  /** Stores a batch. A row that the database rejects must not block the others: it is logged and dropped. */
  async function storeBatch(batch: readonly StoredSlice[]): Promise<void> {
    try {
      await storeSlices(db, batch);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (batch.length === 1) {
        log.error({ err: error, row: batch[0] }, 'The database refused a usage row');
        return;
      }
      const middle = batch.length >> 1;
      await storeBatch(batch.slice(0, middle));
      await storeBatch(batch.slice(middle));
    }
  }

  async function spillUnstored(all: boolean): Promise<void> {
    if (unstored.length === 0 || (!all && unstored.length <= memoryRows)) return;
    try {
      await spill.write(unstored);
      unstored = [];
      maySpillFolderHoldRows = true;
    } catch (error) {
      log.error({ err: error, rows: unstored.length }, 'Usage could not be written to the disk either');
    }
  }

  // Stores rows of an earlier run, without waiting for the first call.
  schedule();
  return {
    record(row) {
      open.add(row);
      if (open.size === BATCH || isClosed) void runWrite(isClosed);
      else schedule();
    },
    flush: () => runWrite(true),
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await runWrite(true);
    },
  };
}

/** Whether the database rejected a row: classes 22 (data) and 23 (constraint). Source: PostgreSQL, appendix A. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^2[23]...$/.test(code);
}
