import { keepCompiledCode } from './config/compile-cache.ts';

keepCompiledCode();
// What is imported before the line above would be compiled at each start.
const { processOutput } = await import('./cli/output.ts');
const { run } = await import('./cli/run.ts');

process.exitCode = await run(process.argv.slice(2), processOutput);
