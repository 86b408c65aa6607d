import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside the packages: `npm start` uses the same folder. */
const folder = join(import.meta.dirname, '..', '..', '..', '.runtime', 'compile-cache');

/**
 * Keeps what Node.js compiles, for the next start of this process and of those that it starts: without it a start compiles
 * every file again, which takes three times as long. Imports nothing else, so that all that is loaded later is kept. A folder that
 * cannot be written changes nothing but the time.
 */
export function keepCompiledCode(): void {
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

/** Writes what was compiled so far. Node.js does so when a process ends; one that is killed would leave its next start nothing. */
export const writeCompiledCode = (): void => flushCompileCache();
