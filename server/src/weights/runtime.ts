import type { Cause } from './cause.ts';

/** A model that is loaded, being loaded, or failed to load. */
export interface RunningModel {
  /** Local id. */
  readonly id: string;
  readonly phase: 'loading' | 'loaded' | 'failed';
  /** 0 to 1 while it is loaded. */
  readonly progress: number;
  /** Why it failed. */
  readonly reason: string | null;
  /** The same by its name. */
  readonly cause: Cause | null;
  /** Memory that it takes or will take. */
  readonly memoryBytes: number;
  /** Requests that use it now. */
  readonly requests: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What an embedding model of this machine did when it was asked. */
export interface EmbedderTrial {
  readonly dimension: number;
  /** Euclidean norm of its vectors. */
  readonly norm: number;
  /** Tokens of a text that it reads; null where that is not known. */
  readonly maxTokens: number | null;
  /** Whether words before queries and passages change how well it finds passages. */
  readonly prefixSensitive: boolean;
}

/** The same with its id, or why it gave no vectors that can be used. */
export interface TriedEmbedder {
  readonly id: string;
  readonly trial: EmbedderTrial | null;
  readonly problem: string | null;
}

/** State of the models in the service of this machine. */
export interface RuntimeState {
  /** Process that holds them. */
  readonly pid: number;
  readonly models: readonly RunningModel[];
  /** Embedding models that were tried since their files and settings changed; none when left out. */
  readonly tried?: readonly TriedEmbedder[];
}

/** Loads and unloads the models of this machine, in this process or through the one that holds them. */
export interface ModelRuntime {
  /** Null where no service runs. */
  state(): Promise<RuntimeState | null>;
  /** Resolves when the model is loaded. Rejects with StudioError or the signal's reason. */
  load(id: string, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the model is out of memory, also where it was not loaded. Rejects with StudioError `conflict` while requests
   * use it, unless by `force`, which ends them.
   */
  unload(id: string, force: boolean): Promise<void>;
  /**
   * Has an embedding model make vectors, by its settings of this moment, which loads it. Resolves with what came of it; null where no
   * service runs.
   */
  tryEmbedder(id: string): Promise<TriedEmbedder | null>;
}
