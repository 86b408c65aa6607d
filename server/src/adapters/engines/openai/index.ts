export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
export { createServerProbe } from './probe.ts';
