export { createOpenAiEngine, type OpenAiEngine, type OpenAiEngineOptions } from './engine.ts';
export { createServerProbe, probeOpenAiServer } from './probe.ts';
