import type { WorkCheckpoint, PageStep, WorkLimits } from '../work.ts';
import type { CurrentPage, ChildMessage } from './messages.ts';
import { cpuMs } from './process-stats.ts';

/** Abort reason of a document that restarts in another process without the page that the last one hung on. */
export const pageAborted = new Error('a page took too much work');

/** A process that exceeds its limits by this factor is killed: had it not hung it would have stopped by itself. */
const OVERRUN_FACTOR = 1.5;
/** Processor time that start-up and assembling the result take, whatever is read. */
const START_UP_MS = 5_000;

/** Progress of a document over all processes that read it one after the other. */
export class ReadProgress implements WorkCheckpoint {
  spentMs = 0;
  /** As they were packed by the process that read them. */
  readonly parts = new Map<number, Uint8Array>();
  readonly ended = new Map<number, PageStep>();
  /** The page that the current process reads; null between pages. */
  #current: CurrentPage | null = null;
  #fromMs = 0;

  /** Starts counting for another process. */
  begin(pid: number | undefined): void {
    this.#current = null;
    this.#fromMs = cpuMs(pid);
  }

  record(message: Extract<ChildMessage, { readonly type: 'begun' | 'part' }>): void {
    // A page that is recognised after it was read has one budget for both.
    if (message.type === 'begun')
      this.#current = message.page === this.#current?.page ? { ...message, cpuMs: this.#current.cpuMs } : message;
    else {
      this.#current = null;
      this.parts.set(message.page, message.packed);
    }
  }

  /**
   * Whether the process exceeded its limits: `page` on the current page, which is not tried in that way again; `document` on work that
   * concerns all pages.
   */
  overdue(pid: number | undefined, { pageMs, documentMs }: WorkLimits): 'page' | 'document' | null {
    const nowMs = cpuMs(pid);
    const leftMs = Math.max(0, documentMs - this.spentMs) + Math.max(START_UP_MS, (OVERRUN_FACTOR - 1) * documentMs);
    if (this.#current === null) return nowMs - this.#fromMs > leftMs ? 'document' : null;
    const { page, step, cpuMs: startMs } = this.#current;
    if (nowMs - startMs <= OVERRUN_FACTOR * pageMs) return null;
    this.ended.set(page, step);
    this.spentMs += nowMs - this.#fromMs;
    return 'page';
  }
}
