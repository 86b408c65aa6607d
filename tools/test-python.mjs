// `npm run test:python`: clients and frameworks of Python against the service, each in a version that is pinned. Where the machine has no Python
// it says so and ends well: `npm test` needs none of it.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runClientTests } from './client-tests.mjs';
import { capture, say, step } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const requirements = join(root, 'server/test/python/requirements');
const folder = join(root, '.runtime/python');
/** Installs packages in seconds, where pip takes minutes. */
const UV = 'uv==0.13.9';
/** The oldest Python that all of them take. */
const OLDEST = [3, 11];

/** A Python that is new enough; null where there is none. */
async function findPython() {
  for (const name of ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11']) {
    const { code, output } = await capture(name, ['-c', 'import sys, venv, ensurepip; print(sys.version_info[:2])']);
    const [major = 0, minor = 0] = (/(\d+), (\d+)/.exec(output)?.slice(1) ?? []).map(Number);
    if (code === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))) return name;
  }
  return null;
}

async function run(file, args) {
  const { code, output } = await capture(file, args);
  if (code !== 0) throw new Error(output.trim().split('\n').slice(-15).join('\n'));
}

/** Brings the packages of each list into an environment of its own, where they are not there as they are pinned. */
async function install(python) {
  const uv = join(folder, 'uv/bin/uv');
  if (!existsSync(uv)) {
    await run(python, ['-m', 'venv', join(folder, 'uv')]);
    await run(join(folder, 'uv/bin/pip'), ['install', '--quiet', UV]);
  }
  for (const file of readdirSync(requirements)) {
    const environment = join(folder, basename(file, '.txt'));
    const list = readFileSync(join(requirements, file), 'utf8');
    const mark = join(environment, 'installed.txt');
    if (existsSync(mark) && readFileSync(mark, 'utf8') === list) continue;
    rmSync(environment, { recursive: true, force: true });
    await run(uv, ['venv', '--quiet', '--no-python-downloads', '--python', python, environment]);
    const program = join(environment, 'bin/python');
    // They are all of what is needed: nothing has to be resolved.
    // The certificates that this machine trusts, as pip takes them: an organisation's registry is often signed by its own.
    const args = [
      'pip',
      'install',
      '--quiet',
      '--system-certs',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--python',
      program,
    ];
    await run(uv, [...args, '-r', join(requirements, file)]);
    writeFileSync(mark, list);
  }
}

const python = await findPython();
if (python === null) {
  say(`There is no Python ${OLDEST.join('.')} or newer with venv here: the clients of Python are not tested.`);
  process.exit(0);
}
try {
  await step('Installing clients of Python', () => install(python));
} catch (error) {
  say(`The clients of Python could not be installed, and are not tested:\n${error.message}`);
  process.exit(process.env.CI === undefined ? 1 : 0);
}
await runClientTests(root, { language: 'Python', config: 'vitest.python.config.ts', env: { STUDIO_PYTHON: folder } });
