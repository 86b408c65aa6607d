import type { Annotation } from '@ai-studio/contract/responses/response.ts';
import type { ChatInference, ChatResult, RunningChat } from '../inference/index.ts';
import type { ChatEvent } from '../ports/engine.ts';

/** Hears the answer of a turn as it comes. */
export interface TurnListener {
  readonly take: (event: ChatEvent) => void;
  /** The sources of its text, once that is whole, where it has them by itself. */
  readonly sources: (annotations: readonly Annotation[]) => void;
}

/** A chat that was admitted, and its call. */
export interface AdmittedChat {
  readonly inference: ChatInference;
  /** Id of the model, or of the agent. */
  readonly model: string;
  /** Names of fields that change nothing, beyond those that nobody knows. */
  readonly ignored: readonly string[];
  readonly isAgent: boolean;
  /** `done` is called exactly once, after what it used was counted. */
  run(listener: TurnListener, done: (result: ChatResult) => void): RunningChat;
}
