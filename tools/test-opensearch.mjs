// `npm run test:opensearch [-- --nodes 3]`: the search index on a real OpenSearch. `-- --drill`: nodes of a cluster that are killed, stand still and
// have full disks, each a process of its own; minutes, and part of `npm run test:long`. Where the machine has no Maven or no JDK it says so and ends well: what
// `npm test` runs is the same suite on a fake.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOpenSearch, missingTools, startOpenSearch } from './opensearch.mjs';
import { say, step } from './progress.mjs';
import { createTestFolder } from './test-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.runtime/opensearch');

/** The number of nodes, whether it is the drill, and what is left for the runner of tests. */
function readArguments(given) {
  const args = given.filter((one) => one !== '--drill');
  const drill = args.length < given.length;
  const at = args.indexOf('--nodes');
  if (at < 0) return { nodes: 1, drill, rest: args };
  return { nodes: Number(args[at + 1]), drill, rest: args.toSpliced(at, 2) };
}

const missing = await missingTools();
if (missing !== null) {
  say(`There is no ${missing} here: the search index is not tested on a real OpenSearch.`);
  process.exit(0);
}
const { nodes, drill, rest } = readArguments(process.argv.slice(2));
if (!Number.isInteger(nodes) || nodes < 1 || nodes > 5) {
  say('--nodes takes a number from 1 to 5.');
  process.exit(1);
}
const tests = createTestFolder();
let server;
try {
  try {
    await step('Installing OpenSearch for tests', () => installOpenSearch(root, folder));
  } catch (error) {
    say(`OpenSearch could not be installed, and nothing is tested on it:\n${error.message}`);
    process.exitCode = process.env.CI === undefined ? 1 : 0;
  }
  if (process.exitCode === undefined) {
    const data = join(tests, 'opensearch');
    // The drill starts its own.
    if (!drill) server = await step('Starting OpenSearch', () => startOpenSearch({ root, folder, data, nodes }));
    const vitest = [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(root, 'vitest.opensearch.config.ts'),
    ];
    const env = { ...process.env, TMPDIR: tests, STUDIO_OPENSEARCH_DATA: data };
    if (server !== undefined) env.STUDIO_OPENSEARCH = server.url;
    const files = drill ? ['.drill.ts'] : ['--exclude', '**/*.drill.ts'];
    // Not by a call that waits: the server's output is read meanwhile.
    const child = spawn(process.execPath, [...vitest, ...files, ...rest], { cwd: root, stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  }
} finally {
  await server?.close();
  rmSync(tests, { recursive: true, force: true });
}
