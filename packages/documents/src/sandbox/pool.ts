import { setTimeout as delay } from 'node:timers/promises';
import type { Failures } from '../failures.ts';
import type { PackedDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import { createLine } from './line.ts';
import type { ParseJob, PictureJob } from './messages.ts';
import { Reading, pageEnded } from './reading.ts';
import { type ParseWorker, type WorkerOptions, type WorkerRun, startWorker } from './worker.ts';

export interface PoolOptions extends WorkerOptions {
  /** Documents that are read at the same time. */
  readonly size: number;
  /** Documents that may wait; further ones are turned away. */
  readonly maxQueue: number;
  readonly failures: Pick<Failures, 'unavailable'>;
  /** Documents after which a process is replaced, as memory is never all given back. */
  readonly reuse?: number;
  /** Before a document whose process ended is read again; twice that before the next time. */
  readonly pauseMs?: number;
  /** How long a tenant waits while another one has all processes. */
  readonly fairMs?: number;
}

/** Processes that read documents for everybody, in turn. */
export interface ParsePool {
  /**
   * Reads a document once it is its turn: tenants take turns, so that one with many waits for itself; where one tenant has all
   * processes and another waits, what the one began last goes on later. A process that does not come back from a page is ended, and
   * the document is read on without that page. A document whose process ended for no reason of the document is read on with nothing
   * begun beside it, three times in all. What was read page by page is not read again. Rejects with ParseError, `unavailable` of the
   * failures when too many wait or it is closed, or the signal's reason.
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
  /** Its process ended before: nothing is begun beside it. */
  readonly alone: boolean;
  /** Whether it waits for what runs to end. */
  patient: boolean;
  readonly start: (turn: Turn) => void;
  readonly refuse: (error: unknown) => void;
}

/** A document that has a process. */
interface Turn {
  readonly slot: Slot;
  readonly tenant: string;
  readonly alone: boolean;
  /** Turns are counted: the last one has the highest. */
  readonly number: number;
  /** Takes the process away. */
  readonly displacing: AbortController;
}

interface Slot {
  worker: ParseWorker | null;
  left: number;
  turn: Turn | null;
}

interface Order {
  readonly tenant: string;
  readonly alone: boolean;
  /** Whether it had its turn before. */
  readonly again: boolean;
}

type Work<Result> = (worker: ParseWorker, signal: AbortSignal) => Promise<Result>;

const DOCUMENTS_A_PROCESS = 50;
/** How often a document is begun whose process ends. */
const TRIES = 3;
const PAUSE_MS = 2_000;
const FAIR_MS = 5_000;
/** How long what is to be alone waits for what runs; then it begins with nothing new beside it. */
const ALONE_WAIT_MS = 30_000;

/** The reason of what is displaced. */
const displaced = new Error('another tenant waits');

const hasEnded = (error: unknown) => error instanceof ParseError && error.code === 'PROCESS_ENDED';

export function createParsePool(options: PoolOptions): ParsePool {
  const { size, maxQueue, failures, reuse = DOCUMENTS_A_PROCESS, pauseMs = PAUSE_MS, fairMs = FAIR_MS } = options;
  const slots: Slot[] = Array.from({ length: size }, () => ({ worker: null, left: 0, turn: null }));
  const line = createLine<Waiting>();
  let turns = 0;
  let closed = false;

  const stopping = () => failures.unavailable('The service is stopping.', 1);

  /** Whether nothing may begin now: a document is alone, or is next and waits to be. */
  function isHeld(): boolean {
    if (slots.some(({ turn }) => turn?.alone)) return true;
    return line.first()?.patient === true && slots.some(({ turn }) => turn !== null);
  }

  function dispatch(): void {
    for (const slot of slots) {
      if (slot.turn !== null || closed || isHeld()) continue;
      const one = line.take();
      if (one === undefined) return;
      const { tenant, alone } = one;
      slot.turn = { slot, tenant, alone, number: turns++, displacing: new AbortController() };
      one.start(slot.turn);
    }
  }

  /** Where another tenant has all processes, what it began last gives its own to this one. Not where that leaves it none. */
  function makeRoom(tenant: string): void {
    const all = slots.flatMap(({ turn }) => turn ?? []).toSorted((a, b) => b.number - a.number);
    const [last] = all;
    if (last === undefined || size === 1 || all.length < size || last.tenant === tenant) return;
    if (all.some((turn) => turn.tenant !== last.tenant)) return;
    line.prefer(tenant);
    last.displacing.abort(displaced);
  }

  /** Looks after what waits long. */
  function urge(one: Waiting): void {
    const look = () => {
      if (!line.has(one)) return;
      one.patient = false;
      makeRoom(one.tenant);
      dispatch();
    };
    setTimeout(look, one.alone ? ALONE_WAIT_MS : fairMs).unref();
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

  function turnOf({ tenant, alone, again }: Order, signal: AbortSignal): Promise<Turn> {
    if (closed) return Promise.reject(stopping());
    if (!again && line.length >= maxQueue)
      return Promise.reject(failures.unavailable('Too many documents wait to be read; try again in a moment', 10));
    return new Promise<Turn>((resolve, reject) => {
      const one: Waiting = { tenant, alone, patient: alone, start: resolve, refuse: reject };
      const leave = () => {
        if (line.remove(one)) dispatch();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      line.add(one, again);
      dispatch();
      if (line.has(one)) urge(one);
    });
  }

  async function attempt<Result>(order: Order, signal: AbortSignal, work: Work<Result>): Promise<Result> {
    signal.throwIfAborted();
    const { slot, displacing } = await turnOf(order, signal);
    try {
      return await work(await workerOf(slot), AbortSignal.any([signal, displacing.signal]));
    } finally {
      slot.turn = null;
      dispatch();
    }
  }

  async function inTurn<Result>(tenant: string, signal: AbortSignal, work: Work<Result>): Promise<Result> {
    let ended = 0;
    for (let again = false; ; again = true) {
      try {
        return await attempt({ tenant, alone: ended > 0, again }, signal, work);
      } catch (error) {
        if (error === displaced || error === pageEnded) continue;
        if (!hasEnded(error)) throw error;
        if (closed) throw stopping();
        if (++ended === TRIES)
          throw new ParseError('PROCESS_ENDED', 'The process that read it ended three times. Try again later.', {
            cause: error,
          });
        // The signal's reason is told by the next attempt.
        await delay(ended * pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    parse(tenant, job, how) {
      const reading = new Reading();
      return inTurn(tenant, how.signal, (worker, signal) => worker.parse(job, { ...how, signal }, reading));
    },
    draw: (tenant, job, { signal, ...how }) =>
      inTurn(tenant, signal, (worker) =>
        worker.draw(job, { ...how, signal: new AbortController().signal, onPage: () => undefined }),
      ),
    async close() {
      closed = true;
      for (const { refuse } of line.empty()) refuse(stopping());
      await Promise.all(slots.map(async ({ worker }) => worker?.stop()));
    },
  };
}
