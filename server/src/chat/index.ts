export { complete, type ChatOutput, type ChatResult, type CompleteDeps, type CompleteOptions, type RunningChat } from './complete.ts';
export { createPrepareText } from './completions.ts';
export { createPrepare, type PreparedChat } from './request/prepare.ts';
export type { ReasoningMemory } from './reply/reasoning.ts';
