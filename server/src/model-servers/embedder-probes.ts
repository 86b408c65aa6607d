import { type EmbedderProbe, type EngineAddress, probeEmbedder } from '../inference/index.ts';
import { prefixesOf } from '../models/embedders.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';

/** What is known of an embedding model at a server by asking it. */
export interface EmbedderState {
  /** Null until it was asked, and where it gave no vectors that can be used. */
  readonly probe: EmbedderProbe | null;
  /** Why it gave none; null otherwise. */
  readonly problem: string | null;
}

export interface EmbedderProbes {
  /** What is known now; a model that was not asked yet, or not lately, is asked in the background. */
  of(engine: string, model: string, entry: Pick<CatalogueModel, 'embedding'>): EmbedderState;
}

interface Kept {
  readonly atMs: number;
  state: EmbedderState;
  /** Whether the answer is still awaited. */
  asking: boolean;
}

const KEPT_MS = 3_600_000;
/** A server that may be starting is asked again soon. */
const KEPT_AFTER_FAILURE_MS = 30_000;
const TIMEOUT_MS = 30_000;

const UNKNOWN: EmbedderState = { probe: null, problem: null };

export interface EmbedderProbesDeps {
  /** Addresses of an engine; empty where it is unknown. */
  readonly addressesOf: (name: string) => readonly EngineAddress[];
  /** Aborted at the end of the process. */
  readonly closing: AbortSignal;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Asks embedding models of servers what they do, once in a while; the first address of a server speaks for all. */
export function createEmbedderProbes({
  addressesOf,
  closing,
  now = () => performance.now(),
}: EmbedderProbesDeps): EmbedderProbes {
  // A server that was changed has another engine, which is asked anew.
  const byEngine = new WeakMap<EngineAddress['engine'], Map<string, Kept>>();

  const isFresh = ({ atMs, asking, state }: Kept) =>
    asking || now() - atMs < (state.problem === null ? KEPT_MS : KEPT_AFTER_FAILURE_MS);

  return {
    of(engineName, model, entry) {
      const engine = addressesOf(engineName)[0]?.engine;
      if (engine?.embed === undefined) return UNKNOWN;
      const prefixes = prefixesOf(entry);
      const key = JSON.stringify([model, prefixes]);
      const models = byEngine.get(engine) ?? new Map<string, Kept>();
      byEngine.set(engine, models);
      const known = models.get(key);
      if (known && isFresh(known)) return known.state;
      const kept: Kept = { atMs: now(), state: known?.state ?? UNKNOWN, asking: true };
      models.set(key, kept);
      const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]);
      void probeEmbedder(engine, model, { prefixes, signal })
        .then(
          (probe) => (kept.state = { probe, problem: null }),
          (error: unknown) => {
            const problem =
              error instanceof EngineError ? (error.detail ?? error.message) : 'It did not answer in time';
            kept.state = { probe: null, problem };
          },
        )
        .finally(() => (kept.asking = false));
      return kept.state;
    },
  };
}
