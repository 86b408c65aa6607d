export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
export { lookAtOpenAiServer } from './look.ts';
