// Installs the packages of package-lock.json when they are not the ones in node_modules. Runs on Node 20 with
// nothing installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { SetupError, step } from './progress.mjs';

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** What a folder holds once all packages of the lock file are there, and once those are there that the service itself needs. */
const extents = { all: '', service: ' without those for development' };

/** Whether npm's own record of node_modules holds what the lock file asks for (a developer may have installed by hand). */
function recordMatches(root, extent) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || (extent === 'service' && entry.dev)) return true;
    const have = present[path];
    // A part of the project that was not there at the last installation.
    if (entry.link) return have?.resolved === entry.resolved;
    return have ? have.version === entry.version : entry.optional === true;
  });
}

/** Who had all packages is given all again. */
function extentFor(root, stamp, asked) {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return asked;
  return existsSync(stamp) && readFileSync(stamp, 'utf8').endsWith(extents.service) ? asked : 'all';
}

/** Arguments of npm: what is there is added to, as a service may run from it; else node_modules is made anew. */
function installArguments(root, extent) {
  if (extent === 'service') return ['ci', '--omit=dev'];
  return recordMatches(root, 'service') ? ['install', '--no-save', '--include=dev'] : ['ci', '--include=dev'];
}

/**
 * Makes node_modules what package-lock.json says. Returns at once when it is. `extent` 'service' leaves out what only
 * tests, checks and benches need, a third of the files.
 */
export async function ensureInstalled(root, node, asked = 'all') {
  const lockFile = join(root, 'package-lock.json');
  if (!existsSync(lockFile))
    throw new SetupError('package-lock.json is missing: this is not a whole copy of the project.');
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const stampOf = (of) => `${hash} ${process.platform}-${process.arch}${extents[of]}`;
  const stamp = join(root, 'node_modules/.ai-studio-installed');
  const fresh = () => existsSync(stamp) && [stampOf('all'), stampOf(asked)].includes(readFileSync(stamp, 'utf8'));
  if (fresh()) return;
  mkdirSync(join(root, '.runtime'), { recursive: true });
  const waiting = 'another installation is running in this folder; waiting for it';
  await withLock(join(root, '.runtime/install.lock'), waiting, async () => {
    if (fresh()) return;
    const extent = extentFor(root, stamp, asked);
    if (!recordMatches(root, extent)) {
      await step('Installing packages', () =>
        npm(node, [...installArguments(root, extent), '--ignore-scripts'], {
          cwd: root,
          purpose: 'install the packages',
        }),
      );
    }
    // A project without packages has no such folder.
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(stamp, stampOf(extent));
  });
}
