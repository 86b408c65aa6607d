import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import type { Logger } from '../../kernel/log.ts';
import type { LogHub } from '../../jobs/log-hub.ts';
import { logFailures } from '../../jobs/log-failures.ts';
import { LeaseLost, createJobWorker, type JobWorker, type LiveJob } from '../../jobs/worker.ts';
import { sql } from 'kysely';
import type { RevokedKey } from '../../identity/index.ts';
import type { Bus } from '../../ports/bus.ts';
import { cancelRunsOfKey } from './cancel.ts';
import { runJobs } from './claims.ts';
import { RunInterrupt } from './execution.ts';
import { type ReleasedRuns, releasedStates } from './figures.ts';
import type { ClaimedRun } from './rows.ts';
import { RunLog } from './run-log.ts';
import { failExhausted, readProgress, executeRun, type ExecuteRunDeps } from './execute-run.ts';
import { createWriter } from './writer.ts';

/** Channel of the bus: runs wait to be run. */
export const WAKE_CHANNEL = 'agent_runs';
/** Channel of the bus: events of runs were written. */
export const WRITTEN_CHANNEL = 'agent_runs_written';
/** Channel of the bus: the run of this id is not wanted any more. */
export const CANCEL_CHANNEL = 'agent_runs_canceled';

export interface RunnerDeps extends ExecuteRunDeps {
  readonly bus: Bus;
  readonly hub: LogHub<RunEvent>;
  /** Calls back with each key that may not be used any more; returns a function that unsubscribes. */
  readonly onKeyRefused: (listener: (key: RevokedKey) => void) => () => void;
  readonly log: Logger;
  /** Runs that this process runs at the same time. */
  readonly size: number;
  readonly leaseSeconds?: number;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
}

/** What runs runs, in one process of several. */
export interface Runner {
  /** Reserves a worker slot for a run that is being stored; null where none is free. Returns its release. `begin` uses the slot. */
  reserve(): (() => void) | null;
  /** Runs that this process has let go since its start. */
  left(): ReleasedRuns;
  /** Runs a run that was stored with its claim. `events`: all of its log. */
  begin(row: ClaimedRun, events: readonly RunEvent[]): void;
  /** Claims what waits. */
  poll(): void;
  /** Ends waiting runs that were canceled. Needs no worker slot, because no model is called. */
  endCanceled(): Promise<void>;
  /** Ends a run; resolves with whether it is of this process, once it has ended. */
  cancel(runId: string): Promise<boolean>;
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Live extends LiveJob {
  readonly row: ClaimedRun;
  /** Resolves once it has ended here. */
  readonly done: PromiseWithResolvers<void>;
}

const liveOf = (row: ClaimedRun): Live => ({
  row,
  controller: new AbortController(),
  done: Promise.withResolvers<void>(),
});

const POLL_MS = 3_000;
/** Runs that are claimed at once: meanwhile there is room for those that begin here. */
const MAX_CLAIMED = 16;
/** Ids of runs in one message of the bus. */
const MAX_IDS_PER_MESSAGE = 100;
/** Interval at which written events are published to other processes. */
const NOTIFY_INTERVAL_MS = 50;
/** Longest time of a timer of JavaScript. */
const MAX_TIMER_MS = 2_147_483_647;

const stopping = () => new RunInterrupt('closing', 'the service is stopping');
const canceled = () => new RunInterrupt('canceled', 'the run was canceled');

export function createRunner(deps: RunnerDeps): Runner {
  const { db, bus, hub, onKeyRefused, log: logger, size } = deps;
  const { leaseSeconds, pollMs = POLL_MS, heartbeatMs } = deps;
  /** What is under way here, by the id of the run. */
  const live = new Map<string, Live>();
  const unsubscribers: (() => Promise<void>)[] = [];
  /** None before `open`. */
  let worker: JobWorker<Live> | null = null;

  const notify = (channel: string, payload: unknown) =>
    bus
      .publish(channel, payload)
      .catch((error: unknown) => logger.debug({ err: error }, 'agent runs: publishing to other processes failed'));

  const left: { -readonly [S in keyof ReleasedRuns]: number } = {
    completed: 0,
    failed: 0,
    canceled: 0,
    'input-required': 0,
  };
  /** Ids of runs whose written events were not published to other processes yet. */
  const written = new Set<string>();
  let notifyTimer: NodeJS.Timeout | null = null;
  function notifyWritten(): void {
    if (notifyTimer !== null) clearTimeout(notifyTimer);
    notifyTimer = null;
    const ids = [...written];
    written.clear();
    for (let at = 0; at < ids.length; at += MAX_IDS_PER_MESSAGE)
      void notify(WRITTEN_CHANNEL, ids.slice(at, at + MAX_IDS_PER_MESSAGE));
  }

  const writer = createWriter({
    db,
    log: logger,
    onWritten: ({ id }, { events, change }) => {
      hub.publish(id, events);
      const state = change?.over ? releasedStates.find((one) => one === change.state) : undefined;
      if (state !== undefined) left[state]++;
    },
    onCommit(logs) {
      for (const { id } of logs) written.add(id);
      notifyTimer ??= setTimeout(notifyWritten, NOTIFY_INTERVAL_MS).unref();
    },
    onLost: ({ id, claim }) => {
      const one = live.get(id);
      if (one?.row.claim === claim) one.controller.abort(new LeaseLost());
    },
  });

  async function run({ row, controller: end }: Live): Promise<void> {
    const before = await readProgress(db, row);
    const log = new RunLog(writer, {
      id: row.id,
      claim: row.claim,
      lastSeq: row.last_seq,
      answer: before.answer,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      spentMs: Number(row.spent_ms),
    });
    if (runJobs.isExhausted(row)) return failExhausted(deps, row, log, before, end);
    if (row.cancel_requested) end.abort(canceled());
    const leftMs = Math.max(1, row.definition.limits.seconds * 1_000 - log.spentMs);
    const clock = setTimeout(
      () =>
        end.abort(new RunInterrupt('too_long', `The run took longer than ${row.definition.limits.seconds} seconds`)),
      Math.min(leftMs, MAX_TIMER_MS),
    );
    try {
      if (await executeRun(deps, row, log, before, end)) return;
      await runJobs.release(db.query, row, { countsAttempt: false });
      worker?.poll();
    } finally {
      clearTimeout(clock);
    }
  }

  async function work(one: Live): Promise<void> {
    const { row, done } = one;
    live.set(row.id, one);
    try {
      await run(one);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.info({ runId: row.id }, 'agent run: lease lost to another process');
    } finally {
      if (live.get(row.id) === one) {
        live.delete(row.id);
        hub.forget(row.id);
      }
      done.resolve();
    }
  }

  async function endCanceled(): Promise<void> {
    while (worker !== null) {
      const rows = await runJobs.claim(db.query, MAX_CLAIMED, { only: sql`job.cancel_requested` });
      for (const row of rows) worker.start(liveOf(row));
      if (rows.length < MAX_CLAIMED) return;
    }
  }

  async function endRunsOf({ id }: RevokedKey): Promise<void> {
    for (const { row, controller } of live.values()) if (row.key_id === id) controller.abort(canceled());
    if ((await cancelRunsOfKey(db, id)) > 0) await endCanceled();
  }

  /** One statement for all of them, which also says which are not wanted any more. */
  async function heartbeatAll(all: readonly Live[]): Promise<(one: Live) => boolean> {
    const rows = all.map(({ row }) => row);
    const ours = await runJobs.heartbeat(db.query, rows, ['cancel_requested']);
    for (const { row, controller } of all)
      if (ours.get(row.claim)?.cancel_requested === true) controller.abort(canceled());
    return ({ row }) => ours.has(row.claim);
  }

  async function open(): Promise<void> {
    const opened = createJobWorker<Live>({
      concurrency: size,
      claimBatch: MAX_CLAIMED,
      pollsAfterFullOnly: true,
      claim: async (max) => (await runJobs.claim(db.query, max)).map(liveOf),
      work,
      heartbeat: { all: heartbeatAll },
      stopping,
      async maintain() {
        await runJobs.takeUpAbandoned(db.query, leaseSeconds);
        await endCanceled();
      },
      pollMs,
      ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
      onError: logFailures(logger, 'agent runs'),
    });
    worker = opened;
    const onCancel = (id: unknown) => live.get(String(id))?.controller.abort(canceled());
    const onWritten = (ids: unknown) => {
      for (const id of Array.isArray(ids) ? ids : []) if (!live.has(String(id))) hub.invalidate(String(id));
    };
    unsubscribers.push(await bus.subscribe(WAKE_CHANNEL, opened.poll, opened.poll));
    unsubscribers.push(await bus.subscribe(CANCEL_CHANNEL, onCancel));
    unsubscribers.push(await bus.subscribe(WRITTEN_CHANNEL, onWritten, () => hub.invalidate(null)));
    const stopListening = onKeyRefused((key) => {
      endRunsOf(key).catch((error: unknown) =>
        logger.warn({ err: error }, 'agent runs: canceling the runs of a deleted key failed'),
      );
    });
    unsubscribers.push(() => Promise.resolve(stopListening()));
    opened.maintain();
  }

  async function close(): Promise<void> {
    writer.end();
    const interrupted = (await worker?.close()) ?? false;
    await writer.close();
    notifyWritten();
    for (const end of unsubscribers)
      await end().catch((error: unknown) =>
        logger.debug({ err: error }, 'agent runs: unsubscribing failed, bus closed already'),
      );
    // Others need not wait for their next poll.
    if (interrupted) await notify(WAKE_CHANNEL, null);
  }

  let closed: Promise<void> | null = null;
  return {
    reserve: () => worker?.reserve() ?? null,
    left: () => left,
    begin(row, events) {
      hub.remember(row.id, events);
      worker?.start(liveOf(row));
    },
    poll: () => worker?.poll(),
    endCanceled,
    async cancel(runId) {
      const one = live.get(runId);
      if (one === undefined) return false;
      one.controller.abort(canceled());
      await one.done.promise;
      return true;
    },
    open,
    close: () => (closed ??= close()),
  };
}
