import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { createSpill } from './spill.ts';
import type { UsageRow } from './usage-row.ts';
import { OpenSlices } from './slices.ts';
import { storeSlices, toStored, type StoredSlice } from './usage-store.ts';

/** Adds calls up and writes them in batches, off the path of a request. */
export interface Meter {
  /** Takes a call. Never throws, never waits. */
  record(row: UsageRow): void;
  /** Resolves when every row taken so far is in the database, or in the spill folder when the database is away. */
  flush(): Promise<void>;
  /** Flushes and ends the timer. Safe to repeat. Rows that come later are written, too, at once. */
  close(): Promise<void>;
}

export interface MeterOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Folder for rows that the database can't take now. */
  readonly spillDir: string;
  /** Rows are written at least this often; 1,000 by default. */
  readonly intervalMs?: number;
  /** Rows kept in memory while the database is away; past them they go to the disk. 20,000 by default. */
  readonly memoryRows?: number;
}

/** Rows of one statement. */
const BATCH = 1_000;

export function createMeter({ db, log, spillDir, intervalMs = 1_000, memoryRows = 20_000 }: MeterOptions): Meter {
  const writer = hexId();
  const spill = createSpill(spillDir, writer);
  let number = 0;
  const open = new OpenSlices();
  /** What could not be stored yet, oldest first. */
  let held: StoredSlice[] = [];
  /** Whether the spill folder may hold rows: at first those of an earlier run. */
  let spilled = true;
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> | null = null;
  let closed = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void run(false);
    }, intervalMs).unref();
  }

  /** Turns follow each other: one at a time, each with all rows that came before it. */
  function run(last: boolean): Promise<void> {
    const turn = (working ?? Promise.resolve()).then(() => write(last));
    working = turn;
    void turn.then(() => working === turn && (working = null));
    return turn;
  }

  /** Stores what there is. Never rejects. With `last` what can't be stored goes to the disk. */
  async function write(last: boolean): Promise<void> {
    for (const slice of open.take()) held.push(toStored(slice, writer, number++));
    try {
      while (held.length > 0) {
        await store(held.slice(0, BATCH));
        held = held.slice(BATCH);
      }
      if (spilled) {
        await spill.readBack(store);
        spilled = false;
      }
    } catch (error) {
      log.warn({ err: error, rows: held.length }, 'Usage could not be written; it is kept');
      await keep(last);
      if (!closed) schedule();
    }
  }

  /** Stores a batch. A row that the database refuses must not hold back the others: it is logged and left out. */
  async function store(batch: readonly StoredSlice[]): Promise<void> {
    try {
      await storeSlices(db, batch);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (batch.length === 1) {
        log.error({ err: error, row: batch[0] }, 'The database refused a usage row');
        return;
      }
      const middle = batch.length >> 1;
      await store(batch.slice(0, middle));
      await store(batch.slice(middle));
    }
  }

  async function keep(all: boolean): Promise<void> {
    if (held.length === 0 || (!all && held.length <= memoryRows)) return;
    try {
      await spill.write(held);
      held = [];
      spilled = true;
    } catch (error) {
      log.error({ err: error, rows: held.length }, 'Usage could not be written to the disk either');
    }
  }

  // Rows of an earlier run are not left waiting for the first call.
  schedule();
  return {
    record(row) {
      open.add(row);
      if (open.size === BATCH || closed) void run(closed);
      else schedule();
    },
    flush: () => run(true),
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await run(true);
    },
  };
}

/** Whether the database looked at the rows and refused one: classes 22 (data) and 23 (constraint). Source: PostgreSQL, appendix A. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^2[23]...$/.test(code);
}
