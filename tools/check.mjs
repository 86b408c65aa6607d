// `npm run check`: everything that can be said of the code without running it.
import { runChecks } from './checks.mjs';

process.exitCode = (await runChecks({ withFormat: true })).length === 0 ? 0 : 1;
