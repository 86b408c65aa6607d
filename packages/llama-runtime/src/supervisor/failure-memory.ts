import type { ModelFailure } from './failure.ts';
import type { ModelFile } from './plan.ts';

interface Known {
  readonly fingerprint: string;
  readonly failure: ModelFailure;
  readonly count: number;
  readonly untilMs: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** A damaged file stays damaged: it is looked at again when it has changed, or after this time. */
const LASTING_PAUSE_MS = 60_000;

/** What went wrong with which file, so that it is not tried again and again: pauses that grow with each failure. */
export class FailureMemory {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `afresh`: it went well before, so that this counts as the first. */
  note(file: ModelFile, failure: ModelFailure, afresh: boolean): void {
    const before = afresh ? undefined : this.#known.get(file.id);
    const count = before?.fingerprint === file.fingerprint ? before.count + 1 : 1;
    const lasting = failure.reason === 'corrupt' || failure.reason === 'architecture';
    // The first crash may be chance: nobody is made to wait for it.
    const grown = count === 1 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 2));
    const untilMs = this.#now() + (lasting ? LASTING_PAUSE_MS : grown);
    this.#known.set(file.id, { fingerprint: file.fingerprint, failure, count, untilMs });
  }

  /** The failure of this very file whose pause is not over. */
  of(file: ModelFile): { readonly failure: ModelFailure; readonly pauseMs: number } | null {
    const known = this.#known.get(file.id);
    const pauseMs = this.pauseMs(file);
    return known && pauseMs > 0 ? { failure: known.failure, pauseMs } : null;
  }

  pauseMs(file: ModelFile): number {
    const known = this.#known.get(file.id);
    if (known?.fingerprint !== file.fingerprint) return 0;
    return Math.max(0, known.untilMs - this.#now());
  }
}
