export { configJsonSchema } from './json-schema.ts';
export { ConfigError, describe, type LoadedConfig } from './load.ts';
export { redact } from './redact.ts';
export type { Config, EngineEntry } from './schema.ts';
export { loadFromProcess, readLocale, type Locale } from './process.ts';
