import type { ReasoningFormat } from '../../models/profile.ts';
import type { ReasoningMemory, ThinkingWish } from './reasoning-memory.ts';

/** What the separation of thinking from answers goes by. */
export interface SplitOptions {
  /** Names address and model in the memory. Read when a reply has begun, as another address may take over before. */
  readonly memoryKey: () => string;
  readonly memory: ReasoningMemory;
  readonly wish: ThinkingWish;
  readonly format: ReasoningFormat;
  /** Whether the engine that answers tells thinking from answers by itself: its text is the answer. */
  readonly isSeparated: () => boolean;
  /** Whether the reply goes out whole: nothing need be decided before its end. */
  readonly isWhole: boolean;
  /** Text is held back: `overdue` is to be called after that time. */
  readonly onHeld: (milliseconds: number) => void;
  /** The request's stop strings: a reply that ends at one may have ended within its thinking. */
  readonly stops: readonly string[];
  /** Whether the answer is JSON by the request: engines hold the model to it from the first token on. */
  readonly isJson: boolean;
  /** Whether the request has tools: what looks like a call is text otherwise. */
  readonly hasTools: boolean;
  readonly controlTokens: readonly string[];
}
