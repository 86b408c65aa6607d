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

/** State of the models in the service of this machine. */
export interface RuntimeState {
  /** Process that holds them. */
  readonly pid: number;
  readonly models: readonly RunningModel[];
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
}
