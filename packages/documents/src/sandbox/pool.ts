import type { Failures } from '../failures.ts';
import type { PackedDocument } from '../pack.ts';
import type { ParseJob, PictureJob } from './messages.ts';
import { type ParseWorker, type WorkerOptions, type WorkerRun, startWorker } from './worker.ts';

export interface PoolOptions extends WorkerOptions {
  /** Documents that are read at the same time. */
  readonly size: number;
  /** Documents that may wait; further ones are turned away. */
  readonly maxQueue: number;
  readonly failures: Pick<Failures, 'unavailable'>;
  /** Documents after which a process is replaced, as memory is never all given back. */
  readonly reuse?: number;
}

/** Processes that read documents for everybody, in turn. */
export interface ParsePool {
  /**
   * Reads a document once it is its turn: tenants take turns, so that one with many waits for itself. Rejects with ParseError,
   * `unavailable` of the failures when too many wait or it is closed, or the signal's reason.
   */
  parse(tenant: string, job: ParseJob, run: WorkerRun): Promise<PackedDocument>;
  /**
   * Draws a page as a PNG file; waits for its turn like documents that are read. `signal` ends the waiting; what is being drawn is
   * over soon, and a process that goes on is there for the next page. Rejects like `parse`.
   */
  draw(tenant: string, job: PictureJob, how: Omit<WorkerRun, 'onPage'>): Promise<Uint8Array>;
  /** Ends all processes; what waits or runs is refused. Safe to repeat. */
  close(): Promise<void>;
}

interface Waiting {
  readonly tenant: string;
  readonly start: (worker: Slot) => void;
  readonly refuse: (error: unknown) => void;
}

interface Slot {
  worker: ParseWorker | null;
  left: number;
  busy: boolean;
}

const DOCUMENTS_A_PROCESS = 50;

export function createParsePool(options: PoolOptions): ParsePool {
  const { size, maxQueue, failures, reuse = DOCUMENTS_A_PROCESS } = options;
  const slots: Slot[] = Array.from({ length: size }, () => ({ worker: null, left: 0, busy: false }));
  /** What waits, by tenant, in the order in which tenants take turns. */
  const queues = new Map<string, Waiting[]>();
  let waiting = 0;
  let closed = false;

  const stopping = () => failures.unavailable('The service is stopping.', 1);

  function next(): Waiting | undefined {
    const [tenant, queue] = queues.entries().next().value ?? [];
    if (tenant === undefined || queue === undefined) return undefined;
    const one = queue.shift();
    queues.delete(tenant);
    // The tenant goes to the end of the line.
    if (queue.length > 0) queues.set(tenant, queue);
    waiting--;
    return one;
  }

  function dispatch(): void {
    for (const slot of slots) {
      if (slot.busy || waiting === 0 || closed) continue;
      slot.busy = true;
      next()?.start(slot);
    }
  }

  function forget(tenant: string, one: Waiting): void {
    const queue = queues.get(tenant);
    const at = queue?.indexOf(one) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) queues.delete(tenant);
    waiting--;
  }

  async function workerOf(slot: Slot): Promise<ParseWorker> {
    if (slot.worker === null || !slot.worker.alive || slot.left <= 0) {
      await slot.worker?.stop();
      slot.worker = startWorker(options);
      slot.left = reuse;
    }
    slot.left--;
    return slot.worker;
  }

  async function inTurn<Result>(
    tenant: string,
    signal: AbortSignal,
    work: (worker: ParseWorker) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const slot = await turn(tenant, signal);
    try {
      return await work(await workerOf(slot));
    } finally {
      slot.busy = false;
      dispatch();
    }
  }

  function turn(tenant: string, signal: AbortSignal): Promise<Slot> {
    if (closed) return Promise.reject(stopping());
    if (waiting >= maxQueue)
      return Promise.reject(failures.unavailable('Too many documents wait to be read; try again in a moment', 10));
    return new Promise<Slot>((resolve, reject) => {
      const one: Waiting = { tenant, start: resolve, refuse: reject };
      signal.addEventListener(
        'abort',
        () => {
          forget(tenant, one);
          reject(signal.reason as Error);
        },
        { once: true },
      );
      const queue = queues.get(tenant);
      if (queue === undefined) queues.set(tenant, [one]);
      else queue.push(one);
      waiting++;
      dispatch();
    });
  }

  return {
    parse: (tenant, job, how) => inTurn(tenant, how.signal, (worker) => worker.parse(job, how)),
    draw: (tenant, job, { timeoutMs, signal }) =>
      inTurn(tenant, signal, (worker) =>
        worker.draw(job, { timeoutMs, signal: new AbortController().signal, onPage: () => undefined }),
      ),
    async close() {
      closed = true;
      for (const queue of queues.values()) for (const { refuse } of queue) refuse(stopping());
      queues.clear();
      waiting = 0;
      await Promise.all(slots.map(async ({ worker }) => worker?.stop()));
    },
  };
}
