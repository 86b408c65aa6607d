export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
