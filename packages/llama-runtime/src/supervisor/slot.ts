import type { ModelChild } from './child.ts';
import type { FailureKind, ModelFailure } from './failure.ts';
import type { LoadPlan, ModelFile } from './plan.ts';

/** A model that is loaded, loading or unloading. */
export interface Slot {
  readonly file: ModelFile;
  readonly plan: LoadPlan;
  readonly socketPath: string;
  phase: 'waiting' | 'loading' | 'loaded' | 'ending';
  /** 0 to 1 while it is loaded. */
  progress: number;
  /** Requests that use it, or wait for it. */
  leases: number;
  lastUsedMs: number;
  loadedMs: number;
  child: ModelChild | null;
  /** Resolves when it is loaded. */
  loaded: Promise<void>;
  idleTimer: NodeJS.Timeout | null;
  /** No new requests: its file is another now. */
  stale: boolean;
}

/** Calls at one time of a model that keeps no order among those that wait, as a llama-server; null of others. */
export const placesOf = ({ file, plan }: Pick<Slot, 'file' | 'plan'>): number | null =>
  file.server == null ? null : file.kind === 'chat' ? plan.parallel : plan.lanes;

export type ModelPhase = 'ready' | 'loading' | 'loaded' | 'failed';

/** Status of a model, as the console and the command line show it. */
export interface ModelStatus {
  readonly id: string;
  /** `ready` where it is on disk and not loaded. */
  readonly phase: ModelPhase;
  /** 0 to 1 while it is loaded. */
  readonly progress: number;
  /** Why it failed. */
  readonly reason: string | null;
  /** The same by its kind. */
  readonly failure: FailureKind | null;
  /** Requests that use it now. */
  readonly leases: number;
  readonly memoryBytes: number;
  readonly pid: number | null;
}

export const statusOf = (slot: Slot, phase: ModelPhase, failure: ModelFailure | null = null): ModelStatus => ({
  id: slot.file.id,
  phase,
  progress: slot.progress,
  reason: failure?.message ?? null,
  failure: failure?.reason ?? null,
  leases: slot.leases,
  memoryBytes: slot.plan.bytes,
  pid: slot.child?.pid ?? null,
});
