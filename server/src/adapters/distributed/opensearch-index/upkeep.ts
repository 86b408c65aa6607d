import { IndexError } from '../../../ports/search-index.ts';
import type { Client } from './client.ts';
import { finishMove, leftOf, untilResumed } from './left.ts';
import { moveTable } from './move.ts';
import type { OpenSearchOptions } from './options.ts';
import { clearPlace } from './shared.ts';
import { sweepIndex } from './sweep.ts';
import type { OpenTable } from './table.ts';

/** The client waits 90 seconds for an answer to a write; one that is answered later was given up. */
const GRACE_MS = 100_000;
/** A table is counted after so many rows of this process, as a share of the bound. */
const COUNT_SHARE = 0.1;

/** What is done about tables that share an index, or have left one, without anybody asking for it. */
export interface Upkeep {
  /** A table is open: what others left behind in the index that it shares, or of a move that they began, is removed after a while. */
  opened(table: OpenTable): void;
  /** Rows were written: once the table has grown, it moves into an index of its own. */
  wrote(table: OpenTable, rows: number): void;
  /** Moves a table that has grown. Resolves with whether it did. Throws IndexError. */
  moveIfGrown(table: OpenTable): Promise<boolean>;
  close(): Promise<void>;
}

export function createUpkeep(
  client: Client,
  options: OpenSearchOptions,
  aliasOfTable: (table: string) => string,
  onMoved: (table: string) => void,
): Upkeep {
  const { log, ownIndexRows, graceMs = GRACE_MS } = options;
  const stop = new AbortController();
  const moving = new Map<string, Promise<boolean>>();
  const counts = new Map<string, number>();
  /** Indices that are cleared once, or of which the move of their table is ended. */
  const looked = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<unknown>>();
  const interval = Math.max(1, Math.floor(ownIndexRows * COUNT_SHARE));
  const sweeper = { client, options, aliasOfTable, signal: stop.signal };

  function later(work: () => Promise<void>, afterMs = graceMs): void {
    if (stop.signal.aborted) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        const run = work()
          .catch((error: unknown) => {
            // Gone with its last table.
            if (stop.signal.aborted || (error instanceof IndexError && error.kind === 'lost')) return;
            log.warn({ err: error }, 'what tables of the search index have left could not be cleared');
          })
          .finally(() => running.delete(run));
        running.add(run);
      },
      afterMs * (1 + 0.1 * Math.random()),
    ).unref();
    timers.add(timer);
  }

  /** Once for each index; where it fails, when the table is opened again. */
  function lookOnce(index: string, work: () => Promise<void>, afterMs?: number): void {
    if (looked.has(index) || stop.signal.aborted) return;
    looked.add(index);
    later(async () => {
      try {
        await work();
      } catch (error) {
        looked.delete(index);
        throw error;
      }
    }, afterMs);
  }

  async function move(table: OpenTable): Promise<boolean> {
    const { place } = table;
    if (place.slot === null || stop.signal.aborted) return false;
    const { body } = await table.ask({ method: 'GET', path: '/_count', signal: stop.signal });
    if ((body?.count ?? 0) <= ownIndexRows) return false;
    let moved = false;
    try {
      moved = await moveTable({ client, options, table, rows: body.count, signal: stop.signal });
    } finally {
      // Also where it is not known how it ended: its rows may be in both. And what was under way to the old place arrives there.
      later(async () => {
        await sweepIndex(sweeper, place.index);
        if (moved) await clearPlace(client, table.name, place.index);
      });
    }
    if (!moved) return false;
    onMoved(table.name);
    log.info(
      { table: table.name, rows: body.count },
      'table of the search index has grown and has an index of its own now',
    );
    return true;
  }

  function moveIfGrown(table: OpenTable): Promise<boolean> {
    const known = moving.get(table.name);
    if (known !== undefined) return known;
    const run = move(table).finally(() => moving.delete(table.name));
    moving.set(table.name, run);
    return run;
  }

  return {
    opened(table) {
      const { index, slot } = table.place;
      const left = leftOf(table.meta);
      if (slot !== null) lookOnce(index, () => sweepIndex(sweeper, index));
      else if (left !== null)
        lookOnce(
          index,
          async () => void (await finishMove(client, options, table, stop.signal)),
          Math.max(graceMs, untilResumed(options, left)),
        );
    },
    wrote(table, rows) {
      if (table.place.slot === null || stop.signal.aborted) return;
      const count = (counts.get(table.name) ?? interval) + rows;
      counts.set(table.name, count >= interval ? 0 : count);
      if (count < interval) return;
      moveIfGrown(table).catch((error: unknown) => {
        if (!stop.signal.aborted)
          log.warn({ table: table.name, err: error }, 'table could not be moved to an index of its own');
      });
    },
    moveIfGrown,
    async close() {
      stop.abort(new Error('The search index is closed'));
      for (const timer of timers) clearTimeout(timer);
      await Promise.allSettled([...moving.values(), ...running]);
    },
  };
}
