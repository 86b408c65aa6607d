// Copies of the repository in which mutations are tried, so that the checkout stays as it is.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from '../progress.mjs';

/** Packages of the project itself, which are part of the copy. */
const OWN = '@ai-studio';
const HEAP_MB = 2_048;
/** PostgreSQL of a sandbox ends by itself; a process that hangs meanwhile is not waited for. */
const CLOSE_TIMEOUT_MS = 20_000;

/** Copies what git knows and does not ignore; packages are shared. */
async function copyRepository(root, to) {
  const { output } = await capture('git', ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const { output: gone } = await capture('git', ['-C', root, 'ls-files', '-z', '--deleted']);
  const deleted = new Set(gone.split('\0'));
  for (const path of output.split('\0')) {
    if (path === '' || deleted.has(path)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(root, path), join(to, path), { verbatimSymlinks: true });
  }
  mkdirSync(join(to, 'node_modules', OWN), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== OWN) symlinkSync(join(root, 'node_modules', name), join(to, 'node_modules', name));
  for (const name of readdirSync(join(root, 'node_modules', OWN)))
    symlinkSync(readlinkSync(join(root, 'node_modules', OWN, name)), join(to, 'node_modules', OWN, name));
}

/**
 * Creates a sandbox in `folder`. `run` resolves with the results of the tests, or with null where they took longer than `limitMs`: the
 * sandbox has then restarted. Paths are those of the repository.
 */
export async function createSandbox(root, folder) {
  const at = (path) => join(folder, path);
  await copyRepository(root, folder);
  let child = null;

  const start = async () => {
    child = fork(at('tools/mutation/lab.mjs'), [folder], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: { ...process.env, TMPDIR: dirname(folder) },
    });
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (message !== 'ready') throw new Error('The tests could not be started');
  };
  const end = async (how) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
    if (how === 'kill') child.kill('SIGKILL');
    else child.send('close');
    await exit;
    clearTimeout(timer);
  };

  await start();
  return {
    /** Puts a text in the place of a file's. */
    write: (path, text) => writeFileSync(at(path), text),
    async run({ changed, tests, untilFailure, limitMs }) {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), limitMs);
      child.send({ changed: changed.map(at), tests: tests.map(at), untilFailure });
      try {
        const [answer] = await Promise.race([
          once(child, 'message', { signal: timeout.signal }),
          once(child, 'exit', { signal: timeout.signal }),
        ]);
        if (typeof answer !== 'object' || answer === null) throw new Error('The sandbox process ended unexpectedly');
        const files = Object.entries(answer.files).map(([path, verdict]) => [path.slice(folder.length + 1), verdict]);
        return { ...answer, files: new Map(files) };
      } catch {
        await end('kill');
        await start();
        return null;
      } finally {
        clearTimeout(timer);
        // Removes the listeners.
        timeout.abort();
      }
    },
    close: () => end('close'),
  };
}
