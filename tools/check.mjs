// `npm run check`: everything that can be said of the code without running it.
import { runChecks } from './checks.mjs';
import { say } from './progress.mjs';

const failed = await runChecks({ withFormat: true });
for (const { title, message } of failed) say(`\n${title}\n${message}`);
process.exitCode = failed.length === 0 ? 0 : 1;
