export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
export { createServerLook, lookAtOpenAiServer } from './look.ts';
