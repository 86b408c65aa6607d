import type { ModelFailure } from './failure.ts';
import type { ModelFile } from './plan.ts';

interface FailureRecord {
  readonly fingerprint: string;
  readonly failure: ModelFailure;
  readonly count: number;
  readonly untilMs: number;
}

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;
/** A damaged file stays damaged: it is tried again when it has changed, or after this time. */
const PERMANENT_BACKOFF_MS = 60_000;

/** Exponential backoff by model file after failed loads. */
export class FailureBackoff {
  readonly #known = new Map<string, FailureRecord>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `reset`: the model ran well before, so that this counts as the first failure. */
  record(file: ModelFile, failure: ModelFailure, reset: boolean): void {
    const before = reset ? undefined : this.#known.get(file.id);
    const count = before?.fingerprint === file.fingerprint ? before.count + 1 : 1;
    const permanent = failure.reason === 'corrupt' || failure.reason === 'architecture';
    // The first crash may be chance, so it causes no backoff.
    const grown = count === 1 ? 0 : Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (count - 2));
    const untilMs = this.#now() + (permanent ? PERMANENT_BACKOFF_MS : grown);
    this.#known.set(file.id, { fingerprint: file.fingerprint, failure, count, untilMs });
  }

  /** The failure of this version of the file while its backoff lasts. */
  find(file: ModelFile): { readonly failure: ModelFailure; readonly backoffMs: number } | null {
    const known = this.#known.get(file.id);
    const backoffMs = this.backoffMs(file);
    return known && backoffMs > 0 ? { failure: known.failure, backoffMs } : null;
  }

  backoffMs(file: ModelFile): number {
    const known = this.#known.get(file.id);
    if (known?.fingerprint !== file.fingerprint) return 0;
    return Math.max(0, known.untilMs - this.#now());
  }
}
