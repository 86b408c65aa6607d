export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
export { type Dialect, dialects } from './dialects.ts';
