import { setTimeout as delay } from 'node:timers/promises';
import { createCoalescedTask } from './coalesced-task.ts';

/** A job that this process has claimed. */
export interface LiveJob {
  /** Aborted when the lease is lost, and when the worker stops. */
  readonly controller: AbortController;
}

export interface JobWorkerOptions<J extends LiveJob> {
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** Jobs that are claimed at once; 1 by default. */
  readonly claimBatch?: number;
  /**
   * Polls after a job only where all places were taken until then: for queues whose producers ask for a poll anyway. By default it
   * polls after every job.
   */
  readonly pollsAfterFullOnly?: boolean;
  /** Claims the next job, or at most so many; null or none where none waits. */
  readonly claim: (max: number) => Promise<J | readonly J[] | null>;
  /** Does a job, and stores its outcome. */
  readonly work: (job: J) => Promise<void>;
  /** Renews the lease of one job, or of all of them. Resolves with false for a job that is not this process's any more. */
  readonly heartbeat?:
    | ((job: J) => Promise<boolean>)
    | { readonly all: (jobs: readonly J[]) => Promise<(job: J) => boolean> };
  /** Why a job is aborted that is not this process's any more. */
  readonly leaseLost?: () => Error;
  /** Why a job is aborted when the worker stops. */
  readonly stopping?: () => Error;
  /** Upkeep that belongs to no job, such as taking up abandoned ones: at each poll and on request, before new jobs are claimed. */
  readonly maintain?: () => Promise<unknown>;
  readonly pollMs: number;
  /** Must be a fraction of the lease. */
  readonly heartbeatMs?: number;
  /** Longest wait for jobs that were aborted. */
  readonly closeTimeoutMs?: number;
  /** Called with what went wrong; nothing depends on it. */
  readonly onError: (error: unknown, during: 'poll' | 'maintain' | 'work' | 'close') => void;
}

/** Works on jobs of a queue that several processes share. */
export interface JobWorker<J extends LiveJob> {
  /** Jobs that are under way in this process. */
  readonly live: ReadonlySet<J>;
  /** Claims what waits. */
  poll(): void;
  /** Does the upkeep, then claims what waits. */
  maintain(): void;
  /** Keeps a place for a job that is on its way here; null where there is none. What is returned frees it, once. */
  reserve(): (() => void) | null;
  /** Works on a job that was not claimed here, in a place that was reserved and freed just now. */
  take(job: J): void;
  /**
   * Aborts all jobs and waits for them, but not for ever: what does not end is left to its lease. Resolves with whether there was
   * any. Safe to repeat, never rejects.
   */
  close(): Promise<boolean>;
}

/** Several heartbeats fit into a lease of 15 seconds, so that a slow one costs nothing. */
const HEARTBEAT_MS = 2_000;
/** Jobs end within moments of being aborted; one that does not waits for something that may never answer. */
const CLOSE_TIMEOUT_MS = 10_000;

const defaultLost = () => new Error('the job went to another process');
const defaultStop = () => new Error('the service is stopping');

/** Starts a worker. It claims nothing before its first poll. */
export function createJobWorker<J extends LiveJob>(options: JobWorkerOptions<J>): JobWorker<J> {
  const { concurrency, claim, work, heartbeat, pollMs, onError } = options;
  const { claimBatch = 1, pollsAfterFullOnly = false } = options;
  const { heartbeatMs = HEARTBEAT_MS, closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
  const { leaseLost = defaultLost, stopping = defaultStop } = options;
  const live = new Set<J>();
  const working = new Set<Promise<void>>();
  let closing = false;
  let reserved = 0;
  /** Whether a job was under way at the end. */
  let interrupted = false;

  const isFull = () => live.size + reserved >= concurrency;

  async function finish(job: J): Promise<void> {
    try {
      await work(job);
    } catch (error) {
      onError(error, 'work');
    }
    const wasFull = isFull();
    live.delete(job);
    if (wasFull || !pollsAfterFullOnly) poll();
  }

  function take(job: J): void {
    live.add(job);
    if (closing) {
      interrupted = true;
      job.controller.abort(stopping());
    }
    const done: Promise<void> = finish(job).finally(() => working.delete(done));
    working.add(done);
  }

  const poll = createCoalescedTask(
    async () => {
      while (!closing && !isFull()) {
        const places = Math.min(claimBatch, concurrency - live.size - reserved);
        reserved += places;
        const found = await claim(places).finally(() => (reserved -= places));
        const claimed = found === null ? [] : Array.isArray(found) ? (found as readonly J[]) : [found as J];
        if (claimed.length === 0) return;
        for (const job of claimed) take(job);
      }
    },
    (error) => onError(error, 'poll'),
  );
  const maintain = createCoalescedTask(
    async () => {
      await options.maintain?.().catch((error: unknown) => onError(error, 'maintain'));
      poll();
    },
    (error) => onError(error, 'maintain'),
  );
  const lose = (job: J) => {
    if (live.has(job)) job.controller.abort(leaseLost());
  };
  // A store that is away says nothing about whose a job is.
  const sendHeartbeats = createCoalescedTask(
    async () => {
      if (typeof heartbeat === 'function') {
        for (const job of live) if (!(await heartbeat(job).catch(() => true))) lose(job);
      } else if (heartbeat !== undefined && live.size > 0) {
        const jobs = [...live];
        const isMine = await heartbeat.all(jobs).catch(() => () => true);
        for (const job of jobs) if (!isMine(job)) lose(job);
      }
    },
    () => undefined,
  );

  const pollTimer = setInterval(maintain, pollMs).unref();
  const heartbeatTimer = setInterval(sendHeartbeats, heartbeatMs).unref();

  async function close(): Promise<boolean> {
    closing = true;
    clearInterval(pollTimer);
    interrupted = live.size > 0;
    for (const { controller } of live) controller.abort(stopping());
    const ending = (async () => {
      await Promise.all([maintain.stop(), poll.stop()]);
      await Promise.all(working);
    })();
    const timeout = new AbortController();
    const late = delay(closeTimeoutMs, 'late' as const, { signal: timeout.signal }).catch(() => 'late' as const);
    const isLate = (await Promise.race([ending, late])) === 'late';
    timeout.abort();
    clearInterval(heartbeatTimer);
    if (isLate) onError(new Error(`${working.size} jobs did not end`), 'close');
    return interrupted || isLate;
  }
  function reserve(): (() => void) | null {
    if (closing || isFull()) return null;
    reserved++;
    let kept = true;
    return () => {
      if (!kept) return;
      kept = false;
      const wasFull = isFull();
      reserved--;
      // Not before the job has taken the place, if it does.
      if (wasFull) queueMicrotask(poll);
    };
  }
  let closed: Promise<boolean> | null = null;
  return { live, poll, maintain, reserve, take, close: () => (closed ??= close()) };
}
