import { type CallPriority, callPriorities } from '../../../kernel/priority.ts';

/** What a line is made of. */
export interface WaitingLineOptions {
  /** Calls that are served at one time. */
  readonly places: number;
  /** Calls that may wait, those of lower priority not counted, however soon their turn would come. */
  readonly maxWaiting: number;
  /** Longest wait in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Part of a new service time in the mean: some thirty calls are remembered. */
const WEIGHT = 1 / 32;
/** Part of one call in the share of those that found a free place: many, as those that come after a stall find several in a row. */
const weightOfCall = (places: number) => 1 / Math.max(64, 4 * places);
/** Where so large a share finds a free place, the overload is over: at nine tenths of what can be answered it is half of them. */
const CALM_SHARE = 0.4;

const INTERACTIVE = callPriorities.indexOf('interactive');

/**
 * Calls that wait for a place, in order. Who comes is told at once when the wait would be too long: position × mean time that a call
 * takes its place ÷ places. A burst may wait up to `maxWaitMs`. Where nobody has waited for less than a call takes for as long as that, it
 * is no burst: from then on a call waits no longer than another takes. As many are served, and each of them sooner. Source: the idea of "Controlling Queue Delay"
 * (Nichols, Jacobson, ACM Queue 2012), with refusals at the entry, where a client can still go elsewhere.
 *
 * Those of a higher priority are served first, whoever came before them, and count none of the others: what waits in the background makes
 * nobody wait, and is no overload.
 */
export class WaitingLine<T> {
  readonly #options: WaitingLineOptions;
  /** When each began to wait. In order, by their priority. */
  readonly #waiting = callPriorities.map(() => new Map<T, number>());
  /** Mean time that a call takes its place; null while none has ended. */
  #serviceMs: number | null = null;
  /** Since when the line has been longer than a call takes; null while it is not. */
  #longSinceMs: number | null = null;
  #isOverload = false;
  #lastShortMs = -Infinity;
  /** Share of the calls of an overload that found a free place, the latest above others. */
  #calm = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sizeTo(this.#waiting.length - 1);
  }

  /** Seconds after which to try again, where an interactive call that came now would be refused; null where it would not. */
  get refusalSeconds(): number | null {
    return this.#refusalSeconds(INTERACTIVE);
  }

  /** A call found no free place. Returns null where it waits now, else the seconds after which it has a chance. */
  enter(item: T, priority: CallPriority = 'interactive'): number | null {
    const at = this.#options.now();
    const level = callPriorities.indexOf(priority);
    if (level === INTERACTIVE) this.#noteShortage(at);
    const seconds = this.#refusalSeconds(level);
    if (seconds === null) this.#waiting[level]?.set(item, at);
    return seconds;
  }

  /** An interactive call found a free place. */
  foundPlace(): void {
    this.#longSinceMs = null;
    this.#calm += (1 - this.#calm) * weightOfCall(this.#options.places);
    if (this.#calm >= CALM_SHARE) this.#isOverload = false;
  }

  /** A call gave its place back after so long. */
  served(ms: number): void {
    this.#serviceMs = this.#serviceMs === null ? ms : this.#serviceMs + (ms - this.#serviceMs) * WEIGHT;
  }

  leave(item: T): void {
    for (const waiting of this.#waiting) if (waiting.delete(item)) return;
  }

  /** Takes the one that has waited longest of the highest priority out; `interactiveOnly`: there is a place for such a call alone. */
  next(interactiveOnly = false): T | undefined {
    for (const waiting of this.#waiting) {
      for (const item of waiting.keys()) {
        waiting.delete(item);
        return item;
      }
      if (interactiveOnly) return undefined;
    }
    return undefined;
  }

  /** Takes out those that have waited as long as they may, the first one first. */
  takeOverdue(): T[] {
    const at = this.#options.now();
    const overdue: T[] = [];
    for (const waiting of this.#waiting)
      for (const [item, since] of waiting) {
        if (at - since < this.#options.maxWaitMs) break;
        waiting.delete(item);
        overdue.push(item);
      }
    return overdue;
  }

  /** Milliseconds until the first one has waited as long as it may; null where none waits. */
  get overdueInMs(): number | null {
    const since = this.#firstSince(this.#waiting.length - 1);
    return since === null ? null : Math.max(0, since + this.#options.maxWaitMs - this.#options.now());
  }

  /** Seconds until a call that was given up has a chance. */
  get retrySeconds(): number {
    return Math.max(1, Math.ceil(this.#estimateMs(this.#options.now(), this.#waiting.length - 1) / 1000));
  }

  /** Calls that wait, of this level and those above it. */
  #sizeTo(level: number): number {
    let size = 0;
    for (let i = 0; i <= level; i++) size += this.#waiting[i]?.size ?? 0;
    return size;
  }

  /** Since when the first of them has waited; null where none does. */
  #firstSince(level: number): number | null {
    let first: number | null = null;
    for (let i = 0; i <= level; i++)
      for (const since of this.#waiting[i]?.values() ?? []) {
        if (first === null || since < first) first = since;
        break;
      }
    return first;
  }

  #refusalSeconds(level: number): number | null {
    const { maxWaiting, maxWaitMs, now } = this.#options;
    const at = now();
    const waitMs = this.#estimateMs(at, level);
    // Nobody waits for what is done in the background: there is no overload of that.
    const excessMs = waitMs - (level === INTERACTIVE ? this.#allowedMs(at) : maxWaitMs);
    const hasRoom = this.#sizeTo(level) < maxWaiting;
    if (excessMs <= 0 && hasRoom) return null;
    return Math.max(1, Math.ceil((hasRoom ? excessMs : waitMs) / 1000));
  }

  /** How long one that came now would wait. Where places are held for longer than before, who came first tells it better than the mean. */
  #estimateMs(at: number, level: number): number {
    const position = this.#sizeTo(level) + 1;
    const byMean = ((this.#serviceMs ?? 0) * position) / this.#options.places;
    const since = this.#firstSince(level);
    return since === null ? byMean : Math.max(byMean, at - since);
  }

  /** How long a call may wait now. */
  #allowedMs(at: number): number {
    const { maxWaitMs } = this.#options;
    const isOver = at - this.#lastShortMs > maxWaitMs;
    return this.#isOverload && !isOver ? Math.min(maxWaitMs, this.#serviceMs ?? maxWaitMs) : maxWaitMs;
  }

  /** A call found no free place. */
  #noteShortage(at: number): void {
    const { maxWaitMs, places } = this.#options;
    if (at - this.#lastShortMs > maxWaitMs) {
      this.#isOverload = false;
      this.#longSinceMs = null;
    }
    this.#lastShortMs = at;
    this.#calm -= this.#calm * weightOfCall(places);
    if (this.#estimateMs(at, INTERACTIVE) <= (this.#serviceMs ?? maxWaitMs)) this.#longSinceMs = null;
    else this.#longSinceMs ??= at;
    if (this.#isOverload || this.#longSinceMs === null || at - this.#longSinceMs <= maxWaitMs) return;
    this.#isOverload = true;
    this.#calm = 0;
  }
}
