export { addressOf } from './address.ts';
export { givenCores } from './cores.ts';
export { configJsonSchema } from './json-schema.ts';
export { ConfigError, describeProblem, type LoadedConfig } from './load.ts';
export { redact } from './redact.ts';
export type { Config, EngineEntry } from './schema.ts';
export { loadFromProcess, silenceNativeLogs, widenSearchThreads, readLocale, type Locale } from './process.ts';
export { objectStorageOf } from './storage.ts';
