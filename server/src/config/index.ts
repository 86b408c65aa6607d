export { configJsonSchema } from './json-schema.ts';
export { ConfigError, describe, loadConfig, type LoadedConfig, type LoadOptions } from './load.ts';
export { redact } from './redact.ts';
export type { Config, EngineEntry } from './schema.ts';
export { loadFromProcess, readLocale, type Locale } from './process.ts';
