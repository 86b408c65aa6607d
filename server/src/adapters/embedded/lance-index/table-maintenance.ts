import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import type { LanceEngine } from './engine.ts';
import { indexError, isConflict } from './failure.ts';
import { trainVectors } from './indices.ts';
import type { OpenTable } from './table.ts';

/** Commits after which files are joined: each is a file of its own, which every search reads until then. */
const MAX_COMMITS = 8;
/** After maintenance for the number of commits alone, so many times its duration passes before the next: it takes a third of the time at most. */
const REST_FACTOR = 2;
/** Maximum share of unindexed rows; beyond it searches are slow and term weights are off. */
const MAX_UNINDEXED_SHARE = 0.1;
const MIN_UNINDEXED_ROWS = 100;
/** Maintenance runs after this time without a write. */
const IDLE_DELAY_MS = 5_000;
/** Maximum wait for running operations on close, because the engine can't be interrupted; uncommitted work is lost. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
/** Retention of old versions, for searches and copies of other processes that still read them. */
const VERSION_RETENTION_MS = 15 * 60_000;
/** Processes that opened a table at the same time do not tidy it at the same time. */
const SPREAD = 0.2;

/** Awaits the work, at most until the shutdown timeout. */
export async function awaitWithTimeout(work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    work.finally(() => timeout.abort()),
    delay(SHUTDOWN_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null),
  ]);
}

/** Maintains tables: in the background after writes, and on demand. */
export interface TableMaintainer {
  /** What an earlier process left obsolete is removed after a while, also where nobody writes. */
  onOpen(table: OpenTable): void;
  /** Counts a commit; starts maintenance when enough has changed. */
  onCommit(table: OpenTable, rows: number): void;
  /** Compacts files and updates indices of a table. Throws IndexError. */
  maintain(table: OpenTable): Promise<void>;
  forget(name: string): Promise<void>;
  close(): Promise<void>;
}

interface State {
  commits: number;
  rows: number;
  /** Row count at the last maintenance. */
  lastRowCount: number;
  /** How long the last maintenance took, and when it ended, in milliseconds. */
  lastDurationMs: number;
  lastEndMs: number;
  timer: NodeJS.Timeout | null;
  /** For what the last maintenance made obsolete, and had to keep for readers. */
  cleanup: NodeJS.Timeout | null;
  running: Promise<void> | null;
}

/** How long a table is left alone yet, for others that want the machine; 0 or less for no longer. */
const restOf = ({ lastEndMs, lastDurationMs }: State) => lastEndMs + REST_FACTOR * lastDurationMs - performance.now();

export function createTableMaintainer(
  engine: LanceEngine,
  log: Logger,
  retentionMs: number = VERSION_RETENTION_MS,
): TableMaintainer {
  const states = new Map<string, State>();
  let closed = false;

  const stateOf = (name: string): State => {
    const known = states.get(name);
    if (known !== undefined) return known;
    const state: State = {
      commits: 0,
      rows: 0,
      lastRowCount: 0,
      lastDurationMs: 0,
      lastEndMs: -Infinity,
      timer: null,
      cleanup: null,
      running: null,
    };
    states.set(name, state);
    return state;
  };

  /** Resolves with whether it made versions of its own, which are obsolete after the next. */
  async function runMaintenance({ name, handle, dimension }: OpenTable, state: State): Promise<boolean> {
    const commits = state.commits;
    const rows = state.rows;
    const began = performance.now();
    let isOther: boolean;
    try {
      const version = await handle.version();
      state.lastRowCount = await handle.countRows();
      await handle.optimize({ cleanupOlderThan: new Date(Date.now() - retentionMs) });
      await trainVectors(engine.lance, { handle, dimension }, await handle.listIndices(), state.lastRowCount);
      isOther = (await handle.version()) !== version;
    } catch (error) {
      throw indexError(name, error);
    } finally {
      state.lastEndMs = performance.now();
      state.lastDurationMs = state.lastEndMs - began;
    }
    state.commits -= commits;
    state.rows -= rows;
    return isOther;
  }

  /** Runs one maintenance per table at a time; a call during a run starts another one after it. */
  async function maintain(table: OpenTable, leavesObsolete = true): Promise<void> {
    const state = stateOf(table.name);
    while (state.running !== null) await state.running.catch(() => undefined);
    const running = runMaintenance(table, state).finally(() => (state.running = null));
    state.running = running.then(() => undefined);
    state.running.catch(() => undefined);
    const isOther = await running;
    if ((leavesObsolete || isOther) && !closed && states.get(table.name) === state) cleanLater(table, state);
  }

  /** A table takes three to four times its size after many writes until this has run. */
  function cleanLater(table: OpenTable, state: State): void {
    if (state.cleanup !== null) clearTimeout(state.cleanup);
    state.cleanup = setTimeout(
      () => {
        state.cleanup = null;
        run(table, state, false);
      },
      retentionMs * (1 + SPREAD * Math.random()),
    ).unref();
  }

  function start(table: OpenTable, state: State): void {
    if (state.timer !== null) clearTimeout(state.timer);
    state.timer = null;
    run(table, state, true);
  }

  /** Starts it after a quiet while, or sooner; one that is running is waited for. */
  function startLater(table: OpenTable, state: State, soonMs: number): void {
    if (state.timer !== null) clearTimeout(state.timer);
    const delayMs = state.running === null && soonMs > 0 ? Math.min(IDLE_DELAY_MS, soonMs) : IDLE_DELAY_MS;
    state.timer = setTimeout(() => {
      state.timer = null;
      if (state.commits > 0) start(table, state);
    }, delayMs).unref();
  }

  function run(table: OpenTable, state: State, leavesObsolete: boolean): void {
    if (closed || state.running !== null) return;
    maintain(table, leavesObsolete).then(
      () => {
        // What was written meanwhile.
        if (!closed && state.commits > 0 && state.timer === null && states.get(table.name) === state)
          startLater(table, state, IDLE_DELAY_MS);
      },
      (error: unknown) => {
        // A conflict means that another process maintains the table.
        if (!isConflict(error)) log.warn({ table: table.name, err: error }, 'search index table maintenance failed');
      },
    );
  }

  return {
    onOpen(table) {
      const state = stateOf(table.name);
      if (!closed && state.cleanup === null) cleanLater(table, state);
    },
    onCommit(table, rows) {
      if (closed) return;
      const state = stateOf(table.name);
      state.commits++;
      state.rows += rows;
      const threshold = Math.max(MIN_UNINDEXED_ROWS, state.lastRowCount * MAX_UNINDEXED_SHARE);
      const restMs = state.commits < MAX_COMMITS ? IDLE_DELAY_MS : restOf(state);
      if (state.rows >= threshold || restMs <= 0) {
        start(table, state);
        if (state.running === null) return;
      }
      startLater(table, state, restMs);
    },
    maintain: (table) => maintain(table),
    async forget(name) {
      const state = states.get(name);
      if (state === undefined) return;
      if (state.timer !== null) clearTimeout(state.timer);
      if (state.cleanup !== null) clearTimeout(state.cleanup);
      states.delete(name);
      await state.running?.catch(() => undefined);
    },
    async close() {
      closed = true;
      for (const { timer, cleanup } of states.values())
        for (const one of [timer, cleanup]) if (one !== null) clearTimeout(one);
      await awaitWithTimeout(
        Promise.allSettled([...states.values()].map(({ running }) => running ?? Promise.resolve())),
      );
    },
  };
}
