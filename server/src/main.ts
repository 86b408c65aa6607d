import { processOutput } from './cli/output.ts';
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2), processOutput);
