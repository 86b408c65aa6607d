export type { AdmittedAnswer, AnswerTarget, RunningAnswer } from './answer.ts';
export { type ChatCall, type ChatDeps, type ChatInference, type OpenChat, createOpenChat } from './chat.ts';
export type { ChatOutput, ChatResult, RunningChat } from './complete.ts';
export { embed, type EmbedDeps, embedWith, estimateEmbedTokens, vectorFault } from './embed.ts';
export { type CountPrompt, createCountPrompt, createTokens, type Tokens } from './tokens.ts';
export { embeddingsReply } from './embeddings-reply.ts';
export { type EmbedderProbe, probeEmbedder } from './probe-embedder.ts';
export { type CallAdmission, type UnlimitedCalls, type Calls, createCalls, type ModelCall } from './model-call.ts';
export { measureTexts } from './measure-texts.ts';
export { asModelUnavailable } from './model-unavailable.ts';
export { requireModel, usableModels } from './named-model.ts';
export { fallbackHeader } from './fallback.ts';
export { ignoredOf } from './request/body.ts';
export { compileCheck } from './request/check.ts';
export { createPrepareText } from './request/completions.ts';
export { type FetchImage, inlineImages } from './request/images.ts';
export { createPeekModel } from './request/peek-model.ts';
export { createPrepare, createRetell, estimateTokens, type PreparedChat } from './request/prepare.ts';
export { estimateRerankTokens, findReranker, rerank, type RerankDeps, type Reranked, rerankWith } from './rerank.ts';
export {
  type ChatRouter,
  type UnaryRouter,
  type AddressName,
  type EngineAddress,
  type TargetState,
  createRouter,
} from './routing/index.ts';
export { createRunChat } from './run-chat.ts';
export { createStoredCalls, type OpenStoredCalls, type StoredCalls, type StoredUsage } from './stored-calls.ts';
export { createInternalCompletions } from './internal-completions.ts';
export { askForText } from './whole-text.ts';
