export { complete, type ChatOutput, type ChatResult, type CompleteOptions, type RunningChat } from './complete.ts';
export { createPrepareText } from './completions.ts';
export { compileCheck } from './request/check.ts';
export { createPrepare, estimateTokens, type PreparedChat } from './request/prepare.ts';
export { type FetchImage, inlineImages } from './request/images.ts';
export type { ReasoningMemory } from './reply/reasoning.ts';
export { createRouter, type ChatRouter, type EngineAddress, type TargetState } from './routing/index.ts';
