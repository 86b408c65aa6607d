import { StudioError } from '../kernel/errors.ts';
import { type Cause, causedBy } from './cause.ts';
import type { EmbedderTrial, ModelRuntime, RunningModel, TriedEmbedder } from './runtime.ts';

/** Kinds of failure of a model, by the names that people are told them by. */
export const failureCauses = {
  absent: causedBy('model_absent'),
  corrupt: causedBy('file_damaged'),
  architecture: causedBy('model_architecture'),
  memory: causedBy('model_memory'),
  crashed: causedBy('model_crashed'),
  runtime: causedBy('model_runtime'),
  stopping: null,
} as const satisfies Readonly<Record<string, Cause | null>>;

/** What the keeper of the processes says when a model's place in memory changes. `ready`: it has none. */
interface ModelStatus extends Pick<RunningModel, 'id' | 'progress' | 'reason' | 'memoryBytes'> {
  readonly phase: RunningModel['phase'] | 'ready';
  readonly failure: keyof typeof failureCauses | null;
  /** Requests that use it, or wait for it. */
  readonly leases: number;
}

/** The models in this process's own charge, as they were told last. */
export function createRunningModels() {
  const running = new Map<string, RunningModel>();
  const tried = new Map<string, TriedEmbedder>();
  let changed = () => {};
  return {
    list: (): readonly RunningModel[] => [...running.values()],
    tried: (): readonly TriedEmbedder[] => [...tried.values()],
    noteTrial(trial: TriedEmbedder): void {
      tried.set(trial.id, trial);
      changed();
    },
    /** Has `listener` called after each change, in place of the one before. */
    onChange(listener: () => void): void {
      changed = listener;
    },
    note({ id, phase, progress, reason, failure, memoryBytes, leases }: ModelStatus): void {
      const before = running.get(id);
      if (phase === 'ready') running.delete(id);
      else {
        const since = before?.phase === phase ? before.since : Date.now();
        const cause = failure === null ? null : failureCauses[failure];
        running.set(id, { id, phase, progress, reason, cause, memoryBytes, requests: leases, since });
      }
      changed();
    },
    forget(id: string): void {
      running.delete(id);
      tried.delete(id);
    },
  };
}

interface OwnRuntimeDeps {
  readonly running: {
    list(): readonly RunningModel[];
    tried(): readonly TriedEmbedder[];
    noteTrial(trial: TriedEmbedder): void;
  };
  /** Whoever loads, keeps and ends the models of this machine. */
  readonly memory: {
    statuses(): readonly Pick<ModelStatus, 'id' | 'leases'>[];
    acquire(id: string, signal: AbortSignal): Promise<{ release(): void }>;
    unload(id: string, force: boolean): Promise<boolean>;
  };
  /** Why a model cannot be used; null for a failure of the service itself. */
  readonly explain: (error: unknown) => LoadFailure | null;
  /** Asks an embedding model for vectors. Rejects with an error whose message is for people. */
  readonly probe: (id: string) => Promise<EmbedderTrial>;
}

/** Why a model cannot be used, in words for people and by name. */
interface LoadFailure {
  readonly message: string;
  /** When to try again; null where nobody knows. */
  readonly retryAfterSeconds: number | null;
  readonly cause: Cause | null;
}

/** The models in this process's own charge, for people. */
export const createOwnRuntime = ({ running, memory, explain, probe }: OwnRuntimeDeps): ModelRuntime => ({
  state() {
    const leases = new Map(memory.statuses().map((status) => [status.id, status.leases]));
    const models = running.list().map((model) => ({ ...model, requests: leases.get(model.id) ?? 0 }));
    return Promise.resolve({ pid: process.pid, models, tried: running.tried() });
  },
  async load(id, signal) {
    try {
      (await memory.acquire(id, signal)).release();
    } catch (error) {
      const failure = explain(error);
      if (failure === null) throw error;
      const { message, retryAfterSeconds, cause: known } = failure;
      const reason = known === null ? {} : { reason: known.code, values: known.values };
      const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
      throw new StudioError('unavailable', message, { cause: error, ...reason, ...retry });
    }
  },
  async unload(id, force) {
    if (await memory.unload(id, force)) return;
    throw new StudioError('conflict', `${id} answers requests at the moment; try again, or use --force to cut them`);
  },
  async tryEmbedder(id) {
    const tried = await probe(id).then(
      ({ dimension, norm, maxTokens, prefixSensitive }): TriedEmbedder => ({
        id,
        trial: { dimension, norm, maxTokens, prefixSensitive },
        problem: null,
      }),
      (error: unknown): TriedEmbedder => ({
        id,
        trial: null,
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
    running.noteTrial(tried);
    return tried;
  },
});
