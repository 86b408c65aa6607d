// The command line. Plain JavaScript, so that Node.js loads what strips types only where a file was never compiled: that takes a
// quarter of a second of a start.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Keeps what is compiled, for the next start of this process and of those that it starts: without it a start takes three times as
// long. Beside the packages: `npm start` uses the same folder. One that cannot be written changes nothing but the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', '.runtime', 'compile-cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// What this process and those that it starts write is for its user alone.
process.umask(0o077);

/** Where the program is: in its bundle, where one was made of the sources as they are; that halves the time of a command. */
async function programPath() {
  try {
    const { bundleFolder } = await import('./bundle.mjs');
    const bundle = join(bundleFolder(join(import.meta.dirname, '..', '..')), 'index.mjs');
    if (existsSync(bundle)) return pathToFileURL(bundle).href;
  } catch {
    // Not all sources are there, or not in their place.
  }
  return './cli/index.ts';
}

// What is imported before the cache is there would be compiled at each start.
const { processOutput, run } = await import(await programPath());
process.exitCode = await run(process.argv.slice(2), processOutput);
