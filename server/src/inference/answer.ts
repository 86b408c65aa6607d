import type { ChatInference } from './chat.ts';
import type { ChatResult } from './complete.ts';

// What surfaces with a form of their own (Responses, Messages) make of a chat, for whoever sends it.

/** Where an answer goes. Text is latin1: characters are the bytes to send. */
export interface AnswerTarget {
  /** A piece of the stream; the first opens it. */
  write(bytes: string): void;
  /** The stream is complete. */
  end(): void;
  /** The whole answer. */
  reply(bytes: string): void;
  /** It failed before anything was sent. */
  fail(error: unknown): void;
}

/** An answer under way. */
export interface RunningAnswer {
  /** The caller is gone: the model is stopped at once. */
  cancel(): void;
  /** Ends in the middle, with this failure. */
  terminate(why: unknown): void;
  /** Says that it goes on, where nothing was sent for a while. */
  ping(): void;
  /** Once all is sent, counted and stored. */
  readonly ended: Promise<ChatResult>;
}

/** An answer that was admitted and can be made. */
export interface AdmittedAnswer {
  readonly inference: ChatInference;
  /** Id of the model, or of the agent. */
  readonly model: string;
  /** An agent answers: what it did may have effects, so that it must not be asked again by itself where it failed. */
  readonly isAgent: boolean;
  /** Names of fields that change nothing. */
  readonly ignored: readonly string[];
  readonly stream: boolean;
  run(target: AnswerTarget): RunningAnswer;
}
