// `npm test`: the checks, then every test. Ends with a line that says how many passed and failed; a failed check
// counts as a failed test.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onParentGone } from './parent.mjs';
import { runChecks } from './checks.mjs';
import { ensureConsole } from './console.mjs';
import { setUpForTests } from './test-setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function runVitest(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    onParentGone(() => child.kill('SIGTERM'));
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Numbers of the run as vitest wrote them. A file that could not be loaded is one failure. */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const unloaded = report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0).length;
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

await setUpForTests();
const built = await ensureConsole(root, process.execPath);
const failedChecks = [...(built ? [] : ['Web console (vite)']), ...(await runChecks({ withFormat: false }))];
const folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
try {
  const report = join(folder, 'report.json');
  const code = await runVitest([
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ]);
  const { passed, failed } = readCounts(report);
  for (const title of failedChecks) process.stdout.write(`failed check: ${title}\n`);
  // A run can also fail outside any test (an unhandled rejection, a crash of the runner).
  const outside = code !== 0 && failed === 0 ? 1 : 0;
  const allFailed = failed + outside + failedChecks.length;
  process.stdout.write(`${passed} passed, ${allFailed} failed\n`);
  process.exitCode = allFailed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
