import type { Cause } from './cause.ts';

/** A model that is in memory, on its way there, or could not be brought there. */
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
  /** What it takes, or will take. */
  readonly memoryBytes: number;
  /** Requests that use it now. */
  readonly requests: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What the service of this machine says of its models. */
export interface RuntimeState {
  /** Process that keeps them. */
  readonly pid: number;
  readonly models: readonly RunningModel[];
}

/** Whoever keeps the models of this machine in memory: this process, or a way to the one that does. */
export interface ModelRuntime {
  /** Null where no service runs. */
  state(): Promise<RuntimeState | null>;
  /** Resolves when the model is loaded. Rejects with StudioError that says why not, or the signal's reason. */
  load(id: string, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the model is out of memory, also where it was not there. Rejects with StudioError `conflict` while requests
   * use it, unless by `force`, which ends them.
   */
  unload(id: string, force: boolean): Promise<void>;
}
