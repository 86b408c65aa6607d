import { ModelFailure, type ModelStatus, type Supervisor } from '@ai-studio/llama-runtime';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import type { ModelRuntime, RunningModel } from '../weights/index.ts';
import { causes } from './local-describer.ts';

/** The models in this process's own charge, for people. */
export function createOwnRuntime(supervisor: () => Supervisor, onChange: () => void) {
  const running = new Map<string, RunningModel>();
  return {
    note({ id, phase, progress, reason, failure, memoryBytes, leases }: ModelStatus): void {
      const before = running.get(id);
      if (phase === 'ready') running.delete(id);
      else {
        const since = before?.phase === phase ? before.since : Date.now();
        const cause = failure === null ? null : causes[failure];
        running.set(id, { id, phase, progress, reason, cause, memoryBytes, requests: leases, since });
      }
      onChange();
    },
    forget(id: string): void {
      running.delete(id);
    },
    state() {
      const leases = new Map(
        supervisor()
          .statuses()
          .map((status) => [status.id, status.leases]),
      );
      const models = [...running.values()].map((model) => ({ ...model, requests: leases.get(model.id) ?? 0 }));
      return Promise.resolve({ pid: process.pid, models });
    },
    async load(id: string, signal: AbortSignal) {
      try {
        (await supervisor().acquire(id, signal)).release();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const known = error instanceof ModelFailure ? causes[error.reason] : null;
        const reason = known === null ? {} : { reason: known.code, values: known.values };
        throw new StudioError('unavailable', error.detail ?? error.message, { cause: error, ...reason });
      }
    },
    async unload(id: string, force: boolean) {
      if (await supervisor().unload(id, force)) return;
      throw new StudioError('conflict', `${id} answers requests at the moment; try again, or use --force to cut them`);
    },
  } satisfies ModelRuntime & Record<string, unknown>;
}
