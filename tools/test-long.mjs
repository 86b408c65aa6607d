// `npm run test:long`: what `npm test` does a few times is done hundreds of times, and what it does with a part is done with all:
// kills, documents, damaged files, every page in every dress. Before a release; takes about an hour. Writes what it came to, with the
// commit, into docs/reference/long-tests.md. With --pictures it compares how the main views of the console look and does nothing else;
// --write keeps what they look like now.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureConsole } from './console.mjs';
import { ensureServer } from './server.mjs';
import { capture } from './progress.mjs';
import { countTests, readReport } from './test-report.mjs';
import { createTestFolder } from './test-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/reference/long-tests.md');
const FUZZ_SECONDS = 1_800;

/** Test files that have a longer run in them. */
const files = globSync('{server,console,bench,examples}/**/*.{test,long}.ts', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).filter((file) => file.endsWith('.long.ts') || readFileSync(join(root, file), 'utf8').includes('/support/long.ts'));
/** A cluster of OpenSearch whose nodes go away, where the machine has what that needs. */
const drill = [join(root, 'tools/test-opensearch.mjs'), '--drill'];
const views = 'server/test/e2e/console/views.long.ts';

const { values: flags } = parseArgs({ options: { pictures: { type: 'boolean' }, write: { type: 'boolean' } } });

const run = (args) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      STUDIO_TEST_LONG: '1',
      TMPDIR: folder,
      ...(flags.write ? { STUDIO_TEST_PICTURES: 'write' } : {}),
    },
  }).status ?? 1;

await ensureConsole(root, process.execPath);
await ensureServer(root, process.execPath);
const folder = createTestFolder();
const startedMs = performance.now();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

async function runAll() {
  const report = join(folder, 'report.json');
  run([vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files]);
  const { passed, failed } = countTests(readReport(report));
  const length = ['--seconds', String(FUZZ_SECONDS), '--cases', String(Number.MAX_SAFE_INTEGER)];
  const fuzz = run([join(root, 'packages/documents/test/fuzz/run.ts'), ...length]);
  const cluster = run(drill);
  const { output: commit } = await capture('git', ['-C', root, 'rev-parse', '--short', 'HEAD']);
  const { output: changes } = await capture('git', [
    '-C',
    root,
    'status',
    '--porcelain',
    '--',
    'server',
    'console',
    'contract',
    'packages',
  ]);
  const cells = [
    new Date().toISOString().slice(0, 10),
    `${commit.trim()}${changes.trim() === '' ? '' : ' and changes'}`,
    `${availableParallelism()} cores`,
    `${Math.round((performance.now() - startedMs) / 60_000)} min`,
    String(passed),
    String(failed),
    fuzz === 0 ? `none in ${FUZZ_SECONDS} s` : 'found something',
  ];
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(/(## What it came to[^]*?\n\| ?---[^\n]*\n)/, `$1| ${cells.join(' | ')} |\n`),
  );
  const others = [fuzz, cluster].filter((code) => code !== 0).length;
  process.stdout.write(`${passed} passed, ${failed + others} failed\n`);
  process.exitCode = failed + others === 0 && passed > 0 ? 0 : 1;
}

try {
  if (flags.pictures) process.exitCode = run([vitest, 'run', '--project', 'processes', views]);
  else await runAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
