import type { Citation, RunFile } from '@ai-studio/contract/agents/run.ts';
import type { Attached } from '../../runs/execution.ts';
import type { Step } from '../../runs/steps.ts';
import type { ToolCall } from './call-model.ts';

/** A call of a tool; `text` is there once it has ended. */
export interface SavedCall extends ToolCall {
  readonly text?: string;
  readonly result?: unknown;
  readonly failed?: boolean;
  readonly passages?: readonly Citation[];
  /** What the tool gave beside its text. */
  readonly files?: readonly RunFile[];
}

/** A turn of a model that asked for tools. */
export interface SavedTurn {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly SavedCall[];
}

/** What a model node needs to go on after a crash. */
export interface ModelCheckpoint {
  readonly turns: readonly SavedTurn[];
  readonly attached?: Attached;
}

export const checkpointOf = ({ kept }: Step): ModelCheckpoint => (kept as ModelCheckpoint | null) ?? { turns: [] };

/** Between the texts of two turns. */
export const BETWEEN_TURNS = '\n\n';

/** The texts of turns, one below the other. */
export const textOfTurns = (contents: readonly string[]): string =>
  contents.filter((content) => content !== '').join(BETWEEN_TURNS);
