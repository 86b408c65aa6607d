import { givenCores } from './cores.ts';
import { loadConfig, type LoadedConfig, type LoadOptions } from './load.ts';

/** Reads the configuration of this process. Throws ConfigError. */
export const loadFromProcess = (options: Pick<LoadOptions, 'file' | 'flags'> = {}): LoadedConfig =>
  loadConfig({ env: process.env, cwd: process.cwd(), ...options });

/** Tells native libraries of this process to keep their own lines to errors: they would stand among ours. Source: LanceDB. */
export function silenceNativeLogs(): void {
  for (const name of ['LANCEDB_LOG', 'LANCE_LOG']) process.env[name] ??= 'error';
}

/** Cores that the search engine leaves to others by itself, and fewest threads of it that compute. */
const CORES_LEFT = 2;
const MIN_COMPUTING = 3;

/**
 * Has the search engine of this process compute with several threads, also on few cores: with one, which it takes there by itself, searches wait in a
 * row behind the upkeep of tables. Before it is loaded. Source: Lance, `LANCE_CPU_THREADS` and its default.
 */
export function widenSearchThreads(cores: number = givenCores()): void {
  process.env['LANCE_CPU_THREADS'] ??= String(Math.max(MIN_COMPUTING, cores - CORES_LEFT));
}

/** Languages that the service speaks to the person who starts it. */
export type Locale = 'ko' | 'en';

/** The language of the terminal. Source: POSIX, order of LC_ALL, LC_MESSAGES, LANG. */
export function readLocale(env: NodeJS.ProcessEnv = process.env): Locale {
  const named = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return named.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}
