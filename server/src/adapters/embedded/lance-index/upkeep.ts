import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import type { LanceEngine } from './engine.ts';
import { indexError, isConflict } from './failure.ts';
import { trainVectors } from './indices.ts';
import type { OpenTable } from './table.ts';

/** Commits after which files are joined. Source: architecture, section 6. */
const MAX_COMMITS = 50;
/** Share of rows that structures do not know, from which on searches are slow and the weights of words are off. */
const MAX_UNKNOWN = 0.1;
const MIN_UNKNOWN = 100;
/** Nothing was written for so long: what was goes into the structures. */
const QUIET_MS = 5_000;
/** The end waits no longer for what is under way: the engine can't be stopped, and what it has not committed is not there. */
const END_TIMEOUT_MS = 5_000;
/** Old versions are kept so long for searches and copies of other processes that began with them. */
const KEEP_MS = 15 * 60_000;

/** Waits for the engine, but not for ever. */
export async function patiently(work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    work.finally(() => timeout.abort()),
    delay(END_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null),
  ]);
}

/** Keeps tables in shape, by itself after writes and when asked. */
export interface Upkeep {
  /** Hears of a commit. */
  written(table: OpenTable, rows: number): void;
  /** Brings a table into shape. Throws IndexError. */
  maintain(table: OpenTable): Promise<void>;
  forget(name: string): Promise<void>;
  close(): Promise<void>;
}

interface State {
  commits: number;
  rows: number;
  /** Rows that were there at the last look. */
  known: number;
  timer: NodeJS.Timeout | null;
  running: Promise<void> | null;
}

export function createUpkeep(engine: LanceEngine, log: Logger): Upkeep {
  const states = new Map<string, State>();
  let closed = false;

  const stateOf = (name: string): State => {
    const known = states.get(name);
    if (known !== undefined) return known;
    const state: State = { commits: 0, rows: 0, known: 0, timer: null, running: null };
    states.set(name, state);
    return state;
  };

  async function tidy({ name, handle }: OpenTable, state: State): Promise<void> {
    const commits = state.commits;
    const rows = state.rows;
    try {
      state.known = await handle.countRows();
      await handle.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_MS) });
      await trainVectors(engine.lance, handle, await handle.listIndices(), state.known);
    } catch (error) {
      throw indexError(name, error);
    }
    state.commits -= commits;
    state.rows -= rows;
  }

  /** One at a time for each table; who asks while one runs wants another after it. */
  async function maintain(table: OpenTable): Promise<void> {
    const state = stateOf(table.name);
    while (state.running !== null) await state.running.catch(() => undefined);
    state.running = tidy(table, state).finally(() => (state.running = null));
    await state.running;
  }

  function start(table: OpenTable, state: State): void {
    if (state.timer !== null) clearTimeout(state.timer);
    state.timer = null;
    if (closed || state.running !== null) return;
    maintain(table).catch((error: unknown) => {
      // Another process was at it, or the table is gone: nothing depends on it now.
      if (!isConflict(error)) log.warn({ table: table.name, err: error }, 'A table of the search index was not tidied');
    });
  }

  return {
    written(table, rows) {
      if (closed) return;
      const state = stateOf(table.name);
      state.commits++;
      state.rows += rows;
      const unknown = Math.max(MIN_UNKNOWN, state.known * MAX_UNKNOWN);
      if (state.commits >= MAX_COMMITS || state.rows >= unknown) {
        start(table, state);
        if (state.running === null) return;
      }
      if (state.timer !== null) clearTimeout(state.timer);
      state.timer = setTimeout(() => start(table, state), QUIET_MS).unref();
    },
    maintain,
    async forget(name) {
      const state = states.get(name);
      if (state === undefined) return;
      if (state.timer !== null) clearTimeout(state.timer);
      states.delete(name);
      await state.running?.catch(() => undefined);
    },
    async close() {
      closed = true;
      for (const { timer } of states.values()) if (timer !== null) clearTimeout(timer);
      await patiently(Promise.allSettled([...states.values()].map(({ running: one }) => one ?? Promise.resolve())));
    },
  };
}
