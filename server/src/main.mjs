// The command line. Plain JavaScript, so that Node.js loads what strips types only where a file was never compiled: that takes a
// quarter of a second of a start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Keeps what is compiled, for the next start of this process and of those that it starts: without it a start takes three times as
// long. Beside the packages: `npm start` uses the same folder. One that cannot be written changes nothing but the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', '.runtime', 'compile-cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// What this process and those that it starts write is for its user alone.
process.umask(0o077);
// What is imported before the cache is there would be compiled at each start.
const { processOutput } = await import('./cli/output.ts');
const { run } = await import('./cli/run.ts');

process.exitCode = await run(process.argv.slice(2), processOutput);
