import { setTimeout as delay } from 'node:timers/promises';
import type { Failures } from '../failures.ts';
import type { PackedDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import { createFairQueue } from './fair-queue.ts';
import { createOfficeConverter } from './office.ts';
import type { DrawnPage, ParseJob, PictureJob } from './messages.ts';
import { ReadProgress, pageAborted } from './progress.ts';
import { type ParseWorker, type WorkerOptions, type WorkerRun, startWorker } from './worker.ts';

export interface PoolOptions extends WorkerOptions {
  /** Documents that are read at the same time. */
  readonly size: number;
  /** Documents that may wait; further ones are turned away. */
  readonly maxQueue: number;
  readonly failures: Pick<Failures, 'unavailable'>;
  /** Path or name of LibreOffice's program (`soffice`), which older Office files are saved by as new ones; left out: they are refused. */
  readonly officeProgram?: string;
  /** Documents after which a process is replaced, because memory is never freed completely. */
  readonly documentsPerProcess?: number;
  /** Time without a document after which a process ends and gives its memory back; 30 s where it is left out. */
  readonly idleMs?: number;
  /** Delay before the first retry of a document whose process crashed; doubled for the second. */
  readonly retryDelayMs?: number;
  /** How long a tenant waits before it preempts another one that holds all processes. */
  readonly preemptAfterMs?: number;
}

/** Reads documents in processes of their own. */
export interface DocumentParser {
  /**
   * Reads a document. Tenants are scheduled round-robin; where one tenant holds all processes and another waits, the document that
   * began last is preempted and continues later. A process that hangs on a page is killed, and the document continues without that
   * page. A document whose process crashed for another reason is retried alone, three attempts in all. Pages that were read are not
   * read again. Rejects with ParseError, with `unavailable` of the failures when the queue is full or the pool is closed, or with
   * the signal's reason.
   */
  parse(tenant: string, job: ParseJob, run: WorkerRun): Promise<PackedDocument>;
}

/** Draws pages of documents in processes of their own. */
export interface PageDrawer {
  /**
   * Draws a page as a PNG file; queues like documents that are read. `signal` cancels the wait only: drawing takes little time,
   * and a process that is not killed serves the next page. Rejects like `parse`.
   */
  draw(tenant: string, job: PictureJob, run: Omit<WorkerRun, 'onPage'>): Promise<DrawnPage>;
}

/** A pool of processes that read documents for all tenants. */
export interface ParsePool extends DocumentParser, PageDrawer {
  /** Stops all processes and rejects queued and running jobs. Safe to repeat. */
  close(): Promise<void>;
}

interface QueuedJob {
  readonly tenant: string;
  /** Its process crashed before: nothing else runs beside it. */
  readonly alone: boolean;
  /** True when it waits for the running jobs to finish. */
  waitsForIdle: boolean;
  readonly start: (activeRun: ActiveRun) => void;
  readonly refuse: (error: unknown) => void;
}

/** A document that runs in a process. */
interface ActiveRun {
  readonly slot: Slot;
  readonly tenant: string;
  readonly alone: boolean;
  /** Rises with each run: the one that began last has the highest. */
  readonly number: number;
  /** Aborted to preempt it. */
  readonly preemption: AbortController;
}

interface Slot {
  worker: ParseWorker | null;
  /** Documents until its process is replaced. */
  left: number;
  /** Ends its process where no document comes. */
  idleTimer: NodeJS.Timeout | undefined;
  activeRun: ActiveRun | null;
}

interface JobAttempt {
  readonly tenant: string;
  readonly alone: boolean;
  /** True when it ran before. */
  readonly again: boolean;
}

type WorkerTask<Result> = (worker: ParseWorker, signal: AbortSignal) => Promise<Result>;

const MAX_DOCUMENTS_PER_PROCESS = 50;
/** Attempts for a document whose process crashes. */
const MAX_ATTEMPTS = 3;
/** A process that reads nothing holds some 60 MB; a new one is there within a quarter of a second. */
const IDLE_MS = 30_000;
const RETRY_DELAY_MS = 2_000;
const PREEMPT_AFTER_MS = 5_000;
/** How long a job that runs alone waits for the running ones before it starts beside them. */
const ALONE_TIMEOUT_MS = 30_000;

/** Abort reason of a preempted document. */
const preempted = new Error('another tenant waits');

const hasEnded = (error: unknown) => error instanceof ParseError && error.code === 'PROCESS_ENDED';

export function createParsePool(options: PoolOptions): ParsePool {
  const {
    size,
    maxQueue,
    failures,
    documentsPerProcess = MAX_DOCUMENTS_PER_PROCESS,
    idleMs = IDLE_MS,
    retryDelayMs = RETRY_DELAY_MS,
    preemptAfterMs = PREEMPT_AFTER_MS,
  } = options;
  const slots: Slot[] = Array.from({ length: size }, () => ({
    worker: null,
    left: 0,
    idleTimer: undefined,
    activeRun: null,
  }));
  const office = options.officeProgram === undefined ? null : createOfficeConverter(options.officeProgram, options);
  const queue = createFairQueue<QueuedJob>();
  let runCount = 0;
  let closed = false;

  const stopping = () => failures.unavailable('The service is stopping.', 1);

  /** True when no job may start now: one runs alone, or the next one waits to do so. */
  function isBlocked(): boolean {
    if (slots.some(({ activeRun }) => activeRun?.alone)) return true;
    return queue.peek()?.waitsForIdle === true && slots.some(({ activeRun }) => activeRun !== null);
  }

  function dispatch(): void {
    for (const slot of slots) {
      if (slot.activeRun !== null || closed || isBlocked()) continue;
      const one = queue.dequeue();
      if (one === undefined) return;
      const { tenant, alone } = one;
      slot.activeRun = { slot, tenant, alone, number: runCount++, preemption: new AbortController() };
      one.start(slot.activeRun);
    }
  }

  /** Preempts the last document of a tenant that holds all processes. Does nothing where that would leave it none. */
  function preempt(tenant: string): void {
    const all = slots.flatMap(({ activeRun }) => activeRun ?? []).toSorted((a, b) => b.number - a.number);
    const [last] = all;
    if (last === undefined || size === 1 || all.length < size || last.tenant === tenant) return;
    if (all.some((activeRun) => activeRun.tenant !== last.tenant)) return;
    queue.prioritize(tenant);
    last.preemption.abort(preempted);
  }

  /** Starts the timer after which a waiting job preempts another tenant. */
  function schedulePreemption(one: QueuedJob): void {
    const onTimeout = () => {
      if (!queue.has(one)) return;
      one.waitsForIdle = false;
      preempt(one.tenant);
      dispatch();
    };
    setTimeout(onTimeout, one.alone ? ALONE_TIMEOUT_MS : preemptAfterMs).unref();
  }

  /** Ends the process of a slot that gets no document for a while. */
  function endWhenIdle(slot: Slot): void {
    clearTimeout(slot.idleTimer);
    if (slot.activeRun !== null) return;
    slot.idleTimer = setTimeout(() => {
      if (slot.activeRun === null) void slot.worker?.stop();
    }, idleMs).unref();
  }

  async function workerOf(slot: Slot): Promise<ParseWorker> {
    if (slot.worker === null || !slot.worker.alive || slot.left <= 0) {
      await slot.worker?.stop();
      slot.worker = startWorker(options);
      slot.left = documentsPerProcess;
    }
    slot.left--;
    return slot.worker;
  }

  function acquireSlot({ tenant, alone, again }: JobAttempt, signal: AbortSignal): Promise<ActiveRun> {
    if (closed) return Promise.reject(stopping());
    if (!again && queue.length >= maxQueue)
      return Promise.reject(failures.unavailable('Too many documents wait to be read; try again in a moment', 10));
    return new Promise<ActiveRun>((resolve, reject) => {
      const one: QueuedJob = { tenant, alone, waitsForIdle: alone, start: resolve, refuse: reject };
      const leave = () => {
        if (queue.remove(one)) dispatch();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.enqueue(one, again);
      dispatch();
      if (queue.has(one)) schedulePreemption(one);
    });
  }

  async function attempt<Result>(order: JobAttempt, signal: AbortSignal, task: WorkerTask<Result>): Promise<Result> {
    signal.throwIfAborted();
    const { slot, preemption } = await acquireSlot(order, signal);
    try {
      return await task(await workerOf(slot), AbortSignal.any([signal, preemption.signal]));
    } finally {
      slot.activeRun = null;
      dispatch();
      endWhenIdle(slot);
    }
  }

  async function withRetries<Result>(tenant: string, signal: AbortSignal, task: WorkerTask<Result>): Promise<Result> {
    let ended = 0;
    for (let again = false; ; again = true) {
      try {
        return await attempt({ tenant, alone: ended > 0, again }, signal, task);
      } catch (error) {
        if (error === preempted || error === pageAborted) continue;
        if (!hasEnded(error)) throw error;
        if (closed) throw stopping();
        if (++ended === MAX_ATTEMPTS)
          throw new ParseError('PROCESS_ENDED', 'The process that read it ended three times. Try again later.', {
            cause: error,
          });
        // The next attempt throws the signal's reason.
        await delay(ended * retryDelayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  function read(tenant: string, job: ParseJob, run: WorkerRun): Promise<PackedDocument> {
    const progress = new ReadProgress();
    return withRetries(tenant, run.signal, (worker, signal) => worker.parse(job, { ...run, signal }, progress));
  }

  return {
    parse: (tenant, job, run) =>
      read(tenant, office === null ? job : { ...job, hasOffice: true }, run).catch((error: unknown) => {
        if (office === null || closed || !(error instanceof ParseError) || error.savedAs === undefined) throw error;
        return office.convert(tenant, { path: job.path, as: error.savedAs, refusal: error }, run, (path) =>
          read(tenant, { ...job, path, converted: true }, run),
        );
      }),
    draw: (tenant, job, { signal, ...run }) =>
      withRetries(tenant, signal, (worker) =>
        worker.draw(job, { ...run, signal: new AbortController().signal, onPage: () => undefined }),
      ),
    async close() {
      closed = true;
      for (const { refuse } of queue.drain()) refuse(stopping());
      await office?.close();
      await Promise.all(slots.map(async ({ worker }) => worker?.stop()));
    },
  };
}
