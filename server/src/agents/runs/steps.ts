import type { RunFailure, RunStep } from '@ai-studio/contract/agents/run.ts';

/** A node of a run, as it stands. Changed in place by its run alone, and written by {@link RunLog.step}. */
export interface Step {
  /** The node's id, inside of containers `each[2]/search`. */
  readonly key: string;
  readonly node: string;
  readonly kind: string;
  state: RunStep['state'];
  inputs: unknown;
  outputs: unknown;
  /** Checkpoint for resuming after a crash. */
  kept: unknown;
  failure: RunFailure | null;
  promptTokens: number;
  completionTokens: number;
  attempts: number;
  startedAt: Date;
  endedAt: Date | null;
}

/** A step that has not begun. */
export const newStep = (key: string, node: string, kind: string): Step => ({
  key,
  node,
  kind,
  state: 'running',
  inputs: null,
  outputs: null,
  kept: null,
  failure: null,
  promptTokens: 0,
  completionTokens: 0,
  attempts: 0,
  startedAt: new Date(),
  endedAt: null,
});
