/** How often it is looked how late the process is with its work. */
const TICK_MS = 50;
/** Ticks in a row that are late: one long piece of work is no overload. */
const LATE_TICKS = 3;
/** Within a turn that is late by so many times what it may, nobody is let in any more: more than what the share lets in takes. */
const MIN_STUCK_LAGS = 2;
/** Least share of the time for which this thread itself must have worked: where the machine gives it no time, refusing would not help. */
const MIN_OWN_SHARE = 0.5;
/** Of what is still let in, so much more is refused with each late tick; and so much less of all with each that is not. */
const RAISE = 0.3;
const LOWER = 0.02;
/** Requests of a caller are counted for so long. */
const WINDOW_MS = 200;
/** Ticks without a request after which nobody looks any more. */
const IDLE_TICKS = 40;
/** How often it is told how many were refused. */
const REPORT_MS = 1_000;

export interface LoadShedderOptions {
  /** How late the process may be for a while, in milliseconds. */
  readonly maxLagMs: number;
  /** Called about once a second while requests are refused, with how many were. */
  readonly onRefused: (count: number) => void;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  /** Time for which this thread has worked, in milliseconds. */
  readonly cpuMs?: () => number;
}

const ownCpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * Refuses a share of the requests where more come than this process can answer: it sees so by how late it is with its own timers. The
 * share grows while it is late and falls while it is not. It is the callers who send most that are refused: all may send equally many,
 * and who sends less is not touched.
 */
export class LoadShedder {
  readonly #options: Required<LoadShedderOptions>;
  #timer: NodeJS.Timeout | null = null;
  #tickedMs = 0;
  #cpuMs = 0;
  #lateTicks = 0;
  #idleTicks = 0;
  /** Share of the requests that is refused. */
  #share = 0;
  #windowMs = 0;
  #counts = new Map<string, number>();
  /** Requests that each caller may send in a window. */
  #allowance = Infinity;
  #refused = 0;
  #reportedMs = 0;

  constructor({ now = () => performance.now(), cpuMs = ownCpuMs, ...rest }: LoadShedderOptions) {
    this.#options = { ...rest, now, cpuMs };
  }

  /** Whether a request that comes now is refused. */
  refuses(caller: string): boolean {
    this.#idleTicks = 0;
    if (!this.#timer) this.#start();
    if (this.#share > 0) {
      const count = (this.#counts.get(caller) ?? 0) + 1;
      this.#counts.set(caller, count);
      if (count > this.#allowance) return this.#refuse();
    }
    return this.#isStuck() && this.#refuse();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #refuse(): true {
    this.#refused++;
    return true;
  }

  /** Whether this very turn of the event loop takes far too long: timers, which tell of it otherwise, come only after its requests. */
  #isStuck(): boolean {
    const { maxLagMs, now, cpuMs } = this.#options;
    const passedMs = now() - this.#tickedMs;
    if (passedMs - TICK_MS <= maxLagMs * Math.max(MIN_STUCK_LAGS, LATE_TICKS - this.#lateTicks)) return false;
    return (cpuMs() - this.#cpuMs) / passedMs >= MIN_OWN_SHARE;
  }

  #start(): void {
    this.#tickedMs = this.#options.now();
    this.#cpuMs = this.#options.cpuMs();
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    const { maxLagMs, now, cpuMs } = this.#options;
    const at = now();
    const cpu = cpuMs();
    const passedMs = at - this.#tickedMs;
    const isLate = passedMs - TICK_MS > maxLagMs && (cpu - this.#cpuMs) / passedMs >= MIN_OWN_SHARE;
    this.#tickedMs = at;
    this.#cpuMs = cpu;
    this.#lateTicks = isLate ? this.#lateTicks + 1 : 0;
    if (this.#lateTicks >= LATE_TICKS) this.#share += (1 - this.#share) * RAISE;
    else if (!isLate) this.#share = Math.max(0, this.#share - LOWER);
    if (at - this.#windowMs >= WINDOW_MS) this.#nextWindow(at);
    this.#report(at);
    if (++this.#idleTicks > IDLE_TICKS && this.#share === 0) this.close();
  }

  /** What may be let in of as many requests as came in the last window, in equal parts. */
  #nextWindow(at: number): void {
    this.#windowMs = at;
    const counts = [...this.#counts.values()];
    const total = counts.reduce((sum, count) => sum + count, 0);
    this.#allowance = total === 0 ? Infinity : Math.max(1, Math.floor((total * (1 - this.#share)) / counts.length));
    this.#counts = new Map();
  }

  #report(at: number): void {
    if (this.#refused === 0 || at - this.#reportedMs < REPORT_MS) return;
    this.#reportedMs = at;
    this.#options.onRefused(this.#refused);
    this.#refused = 0;
  }
}
