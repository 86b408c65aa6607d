import type { Engine, EngineTrouble } from '../../ports/engine.ts';

/** An address of an engine of the configuration. */
export interface EngineAddress {
  readonly engine: Engine;
  /** Share of the calls among the addresses of one engine. */
  readonly weight: number;
  /** Where it is, without secrets: the same in all processes. Left out for what is in this process or machine. */
  readonly url?: string;
}

/** Whether something may be asked after failures. */
export interface Rest {
  /** Failures since the last success. */
  failures: number;
  /** No calls before this moment, unless there is nothing else. */
  coolingUntilMs: number;
  /** Whether a first call after a cooldown is under way; others go elsewhere until it has an answer. */
  probing: boolean;
}

/** What is known of one address: shared by all models that are bound to it. It rests where it is not reached. */
export interface Target extends Rest {
  readonly engine: Engine;
  readonly weight: number;
  /** Name of the engine in the configuration. */
  readonly name: string;
  readonly url: string | null;
  /** What tells it from others in the choice by a key. */
  readonly seed: number;
  inFlight: number;
  /** Calls of other processes and machines under way there, as far as is known. */
  elsewhere: number;
  /** No new calls, until it is put back to work. */
  drained: boolean;
  lastError: string | null;
  lastTrouble: EngineTrouble | null;
  calls: number;
  failed: number;
  /** Its engine was taken away: no new calls, and closed with the last one. */
  removed: boolean;
  /** Pauses of single models, by its own names of them: what is wrong with one does not affect the others. */
  readonly backoffs: Map<string, ModelBackoff>;
}

/** A model at an address: it rests where its server answers, but fails. */
export interface ModelBackoff extends Rest {
  /** The server asked for no calls before this moment: other targets are preferred until then. */
  untilMs: number;
}

/** A target as a model's binding names it. */
export interface Candidate {
  readonly target: Target;
  /** The engine's own name of the model. */
  readonly model: string;
  /** Whether it has the model's own chat template. */
  readonly ownTemplate: boolean;
  readonly backoff: ModelBackoff;
  readonly weight: number;
  readonly priority: number;
}
