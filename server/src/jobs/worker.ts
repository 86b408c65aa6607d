import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../ports/database.ts';
import { createCoalescedTask } from './coalesced-task.ts';

/** The lease of a job was lost, or the job was deleted: what this process still writes of it is discarded. */
export class LeaseLost extends Error {
  constructor() {
    super('the job is not of this process any more');
  }
}

/** A job that this process has claimed. */
export interface LiveJob {
  /** Aborted with {@link LeaseLost} when the lease is lost, and when the worker stops. */
  readonly controller: AbortController;
}

export interface JobWorkerOptions<J extends LiveJob> {
  /** Maximum number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Maximum number of jobs in one claim; 1 by default. */
  readonly claimBatch?: number;
  /**
   * Polls after a job only if all slots were in use until then: for queues whose producers request polls. By default it polls after
   * every job.
   */
  readonly pollsAfterFullOnly?: boolean;
  /** Claims at most `max` jobs. Resolves with one job, with several, or with null where none waits. */
  readonly claim: (max: number) => Promise<J | readonly J[] | null>;
  /** Runs a job, and stores its outcome. */
  readonly work: (job: J) => Promise<void>;
  /** Renews the lease of one job, or of all jobs. Resolves with false for a job whose lease is lost. */
  readonly heartbeat?:
    | ((job: J) => Promise<boolean>)
    | { readonly all: (jobs: readonly J[]) => Promise<(job: J) => boolean> };
  /** Abort reason of a job when the worker stops. */
  readonly stopping?: () => Error;
  /**
   * Maintenance that belongs to no job, such as taking up abandoned jobs. Runs at each poll and on request, before new jobs are claimed.
   * Not right after the database was away: all leases ran out meanwhile, and whoever still works renews them first.
   */
  readonly maintain?: () => Promise<unknown>;
  /** Whether it {@link JobWorker.pause|pauses} after a job whose work rejects: for jobs that would all meet the same trouble. */
  readonly pausesAfterFailure?: boolean;
  readonly pollMs: number;
  /** Must be a fraction of the lease. */
  readonly heartbeatMs?: number;
  /** Maximum wait for aborted jobs; the lease of one that has not ended by then is renewed no more. */
  readonly closeTimeoutMs?: number;
  /** Called with each error, for the log. */
  readonly onError: (error: unknown, during: 'poll' | 'maintain' | 'work' | 'close') => void;
}

/** Runs jobs of a queue that several processes share. */
export interface JobWorker<J extends LiveJob> {
  /** Jobs that are running in this process. */
  readonly live: ReadonlySet<J>;
  /** Claims waiting jobs. */
  poll(): void;
  /** Runs the maintenance, then claims waiting jobs. */
  maintain(): void;
  /** Claims nothing until the next maintenance: after trouble of the service, which the next job would meet, too. */
  pause(): void;
  /** Reserves a slot for a job that was claimed elsewhere. Returns a function that frees the slot; null where none is free. */
  reserve(): (() => void) | null;
  /** Runs a job that was claimed elsewhere, in a slot that was just freed by its reservation. */
  start(job: J): void;
  /**
   * Aborts all jobs and waits for them, for a limited time: a job that does not end is left to its lease. Resolves with whether any
   * job was running. Safe to repeat, never rejects.
   */
  close(): Promise<boolean>;
}

/** Several heartbeats fit into a lease of 15 seconds, so that a slow one does no harm. */
const HEARTBEAT_MS = 2_000;
/** Heartbeats that each process may send once the database is back, before jobs are taken for abandoned. */
const RENEWALS = 2;
/** Aborted jobs end within moments; a job that does not may wait for something that never answers. */
const CLOSE_TIMEOUT_MS = 10_000;

const defaultStopping = () => new Error('the service is stopping');

/** Starts a worker. It claims nothing before its first poll. */
export function createJobWorker<J extends LiveJob>(options: JobWorkerOptions<J>): JobWorker<J> {
  const { concurrency, claim, work, heartbeat, pollMs, onError } = options;
  const { claimBatch = 1, pollsAfterFullOnly = false } = options;
  const { heartbeatMs = HEARTBEAT_MS, closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
  const { stopping = defaultStopping, pausesAfterFailure = false } = options;
  const live = new Set<J>();
  const runningWork = new Set<Promise<void>>();
  let isClosing = false;
  let isPaused = false;
  let reserved = 0;
  /** When the database was last found away. */
  let lastAwayMs = -Infinity;
  /** Whether a job was running at the end. */
  let wasInterrupted = false;

  const isFull = () => live.size + reserved >= concurrency;

  const noteAway = (error: unknown) => {
    if (isDatabaseUnavailable(error)) lastAwayMs = performance.now();
  };

  async function runJob(job: J): Promise<void> {
    try {
      await work(job);
    } catch (error) {
      if (pausesAfterFailure) isPaused = true;
      onError(error, 'work');
    }
    const wasFull = isFull();
    live.delete(job);
    if (wasFull || !pollsAfterFullOnly) poll();
  }

  function start(job: J): void {
    live.add(job);
    if (isClosing) {
      wasInterrupted = true;
      job.controller.abort(stopping());
    }
    const workDone: Promise<void> = runJob(job).finally(() => runningWork.delete(workDone));
    runningWork.add(workDone);
  }

  const poll = createCoalescedTask(
    async () => {
      while (!isClosing && !isPaused && !isFull()) {
        const slots = Math.min(claimBatch, concurrency - live.size - reserved);
        reserved += slots;
        const claimResult = await claim(slots).finally(() => (reserved -= slots));
        const claimed =
          claimResult === null ? [] : Array.isArray(claimResult) ? (claimResult as readonly J[]) : [claimResult as J];
        if (claimed.length === 0) return;
        for (const job of claimed) start(job);
      }
    },
    (error) => {
      noteAway(error);
      onError(error, 'poll');
    },
  );
  const maintain = createCoalescedTask(
    async () => {
      isPaused = false;
      if (performance.now() - lastAwayMs > RENEWALS * heartbeatMs)
        await options.maintain?.().catch((error: unknown) => {
          noteAway(error);
          onError(error, 'maintain');
        });
      poll();
    },
    (error) => onError(error, 'maintain'),
  );
  const abortLostJob = (job: J) => {
    if (live.has(job)) job.controller.abort(new LeaseLost());
  };
  // An unreachable store does not mean that the lease is lost.
  const stillMine = (error: unknown) => {
    noteAway(error);
    return true;
  };
  /** Moments at which jobs were first seen to be aborted. */
  const abortedAtMs = new WeakMap<J, number>();
  /** Whether an aborted job does not end: it may wait for something that never answers, and another process takes it up. */
  const isStuck = (job: J): boolean => {
    if (!job.controller.signal.aborted) return false;
    const now = performance.now();
    const since = abortedAtMs.get(job) ?? now;
    abortedAtMs.set(job, since);
    return now - since > closeTimeoutMs;
  };
  const sendHeartbeats = createCoalescedTask(
    async () => {
      const renewed = [...live].filter((job) => !isStuck(job));
      if (typeof heartbeat === 'function') {
        for (const job of renewed) if (!(await heartbeat(job).catch(stillMine))) abortLostJob(job);
      } else if (heartbeat !== undefined && renewed.length > 0) {
        const isMine = await heartbeat.all(renewed).catch((error: unknown) => () => stillMine(error));
        for (const job of renewed) if (!isMine(job)) abortLostJob(job);
      }
    },
    () => undefined,
  );

  const pollTimer = setInterval(maintain, pollMs).unref();
  const heartbeatTimer = setInterval(sendHeartbeats, heartbeatMs).unref();

  async function close(): Promise<boolean> {
    isClosing = true;
    clearInterval(pollTimer);
    wasInterrupted = live.size > 0;
    for (const { controller } of live) controller.abort(stopping());
    const jobsEnded = (async () => {
      await Promise.all([maintain.stop(), poll.stop()]);
      await Promise.all(runningWork);
    })();
    const timeout = new AbortController();
    const timeoutElapsed = delay(closeTimeoutMs, 'late' as const, { signal: timeout.signal }).catch(
      () => 'late' as const,
    );
    const isLate = (await Promise.race([jobsEnded, timeoutElapsed])) === 'late';
    timeout.abort();
    clearInterval(heartbeatTimer);
    if (isLate) onError(new Error(`${runningWork.size} jobs did not end`), 'close');
    return wasInterrupted || isLate;
  }
  function reserve(): (() => void) | null {
    if (isClosing || isFull()) return null;
    reserved++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const wasFull = isFull();
      reserved--;
      // Not before the job has started in this slot, if it does.
      if (wasFull) queueMicrotask(poll);
    };
  }
  let closed: Promise<boolean> | null = null;
  const pause = () => void (isPaused = true);
  return { live, poll, maintain, pause, reserve, start, close: () => (closed ??= close()) };
}
