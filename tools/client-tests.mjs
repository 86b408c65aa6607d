// Tests of clients in other languages: vitest with a configuration of their own, and a line that counts them.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureServer } from './server.mjs';
import { createTestFolder } from './test-folder.mjs';
import { countTests, readReport } from './test-report.mjs';

/**
 * Runs the tests of `config` with the arguments of this program and `env` beside the environment. `language` stands before the numbers; the exit
 * status is 1 where any test failed.
 */
export async function runClientTests(root, { language, config, env }) {
  await ensureServer(root, process.execPath);
  const folder = createTestFolder();
  try {
    const report = join(folder, 'report.json');
    const args = ['run', '--config', join(root, config), '--reporter=default', '--reporter=json'];
    const { status } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...args, `--outputFile.json=${report}`, ...process.argv.slice(2)],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TMPDIR: folder, ...env } },
    );
    const counted = countTests(readReport(report));
    const failed = Math.max(counted.failed, status === 0 ? 0 : 1);
    process.stdout.write(`${language}: ${counted.passed} passed, ${failed} failed\n`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
