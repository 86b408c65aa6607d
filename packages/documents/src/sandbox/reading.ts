import type { EarlierWork, PageStep, WorkLimits } from '../work.ts';
import type { BegunPage, ChildMessage } from './messages.ts';
import { cpuMs } from './watch.ts';

/** The reason of what begins anew in another process, without the page that the last one did not come back from. */
export const pageEnded = new Error('a page took too much work');

/** A process is ended that takes so much more than it may: by then it would have stopped by itself, had it come back. */
const BEYOND = 1.5;
/** A process that begins takes some, whatever it reads, and so does putting together what was read. */
const APART_MS = 5_000;

/** How far a document is, over all processes that read it one after the other. */
export class Reading implements EarlierWork {
  spentMs = 0;
  /** As they were packed by the process that read them. */
  readonly parts = new Map<number, Uint8Array>();
  readonly ended = new Map<number, PageStep>();
  /** What the present process is at; null where it is at no page. */
  #at: BegunPage | null = null;
  #fromMs = 0;

  /** Another process begins. */
  begin(pid: number | undefined): void {
    this.#at = null;
    this.#fromMs = cpuMs(pid);
  }

  take(message: Extract<ChildMessage, { readonly type: 'begun' | 'part' }>): void {
    if (message.type === 'begun') this.#at = message;
    else {
      this.#at = null;
      this.parts.set(message.page, message.packed);
    }
  }

  /**
   * Whether the process does not come back: `page`, from the page that it is at, which is not tried in that way again; `document`, from
   * what concerns all pages.
   */
  overdue(pid: number | undefined, { pageMs, documentMs }: WorkLimits): 'page' | 'document' | null {
    const nowMs = cpuMs(pid);
    const leftMs = Math.max(0, documentMs - this.spentMs) + Math.max(APART_MS, (BEYOND - 1) * documentMs);
    if (this.#at === null) return nowMs - this.#fromMs > leftMs ? 'document' : null;
    const { page, step, cpuMs: begunMs } = this.#at;
    if (nowMs - begunMs <= BEYOND * pageMs) return null;
    this.ended.set(page, step);
    this.spentMs += nowMs - this.#fromMs;
    return 'page';
  }
}
