import { loadConfig, type LoadedConfig, type LoadOptions } from './load.ts';

/** Reads the configuration of this process. Throws ConfigError. */
export const loadFromProcess = (options: Pick<LoadOptions, 'file' | 'flags'> = {}): LoadedConfig =>
  loadConfig({ env: process.env, cwd: process.cwd(), ...options });

/** Tells native libraries of this process to keep their own lines to errors: they would stand among ours. Source: LanceDB. */
export function silenceNativeLogs(): void {
  for (const name of ['LANCEDB_LOG', 'LANCE_LOG']) process.env[name] ??= 'error';
}

/** Languages that the service speaks to the person who starts it. */
export type Locale = 'ko' | 'en';

/** The language of the terminal. Source: POSIX, order of LC_ALL, LC_MESSAGES, LANG. */
export function readLocale(env: NodeJS.ProcessEnv = process.env): Locale {
  const named = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return named.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}
