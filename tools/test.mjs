// `npm test`: the checks, then every test. Ends with a line that says how many passed and failed; a failed check
// counts as a failed test.
//
// Thousands of tests with real databases, browsers and engines share a few cores, and now and then one meets a limit of
// time that it would not meet alone. So a few failed files are run once more, one at a time: what fails again has failed,
// what passes is named before the last line, so that it is seen and mended.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onParentExit } from './parent.mjs';
import { beginChecks } from './checks.mjs';
import { ensureConsole } from './console.mjs';
import { countTests, flakyTests, readReport, slowest } from './test-report.mjs';
import { createTestFolder } from './test-folder.mjs';
import { ensureServer } from './server.mjs';
import { writeTimes } from './test-times.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** More failed files than this are a broken change, not a busy machine. */
const MAX_RETRIED_FILES = 5;
const SLOWEST = 10;
/** Keeps the times of this run in the repository, as the order in which everybody's run begins. */
const KEEP_TIMES = '--keep-times';

let running;
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stopped = true;
    running?.kill(signal);
  });
onParentExit(() => running?.kill('SIGTERM'));

/** Runs the tests that the arguments select. Returns the result of each file, and the number of failures outside of any test. */
async function runVitest(report, args) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await new Promise((resolve) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    running = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    });
    running.once('error', () => resolve(1));
    running.once('exit', (exit) => resolve(exit ?? 1));
  });
  const files = readReport(report);
  // An unhandled rejection, or a crash of the runner.
  return { files, outside: code !== 0 && countTests(files).failed === 0 ? 1 : 0 };
}

const args = process.argv.slice(2).filter((arg) => arg !== KEEP_TIMES);
const startedMs = performance.now();
const checks = beginChecks();
const [built, failedFirst] = await Promise.all([
  ensureConsole(root, process.execPath),
  checks.first,
  ensureServer(root, process.execPath),
]);
const folder = createTestFolder();
try {
  let { files, outside } = await runVitest(join(folder, 'report.json'), args);
  const timed = Object.fromEntries(slowest(files, Infinity));
  writeTimes(timed, { keep: process.argv.includes(KEEP_TIMES) });
  const slow = slowest(files, SLOWEST);
  const failing = [...files].filter(([, file]) => file.failed.length > 0).map(([path]) => path);
  let flaky = [];
  if (!stopped && failing.length > 0 && failing.length <= MAX_RETRIED_FILES) {
    process.stdout.write(`\nRun once more, one at a time: failed files (${failing.length})\n`);
    const second = await runVitest(join(folder, 'again.json'), ['--no-file-parallelism', ...failing]);
    flaky = flakyTests(files, second.files);
    files = new Map([...files, ...second.files]);
    outside += second.outside;
  }
  const failedChecks = [
    ...(built ? [] : [{ title: 'Web console (vite)', message: '' }]),
    ...failedFirst,
    ...(await checks.last),
  ];
  for (const { title, message } of failedChecks) process.stdout.write(`failed check: ${title}\n${message}\n`);
  for (const test of flaky) process.stdout.write(`failed beside the others, passed alone: ${test.replace(root, '')}\n`);
  process.stdout.write(`\nThe slowest files, of ${Math.round((performance.now() - startedMs) / 1000)} s in all:\n`);
  for (const [path, seconds] of slow)
    process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${path.replace(root, '')}\n`);
  const { passed, failed } = countTests(files);
  const allFailed = failed + outside + failedChecks.length;
  process.stdout.write(`${passed} passed, ${allFailed} failed\n`);
  process.exitCode = allFailed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
