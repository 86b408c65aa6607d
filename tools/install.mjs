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

/** Whether npm's own record of node_modules holds what the lock file asks for (a developer may have installed by hand). */
function recordMatches(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const have = present[path];
    // A part of the project that was not there at the last installation.
    if (entry.link) return have?.resolved === entry.resolved;
    return have ? have.version === entry.version : entry.optional === true;
  });
}

/** Makes node_modules what package-lock.json says. Returns at once when it is. */
export async function ensureInstalled(root, node) {
  const lockFile = join(root, 'package-lock.json');
  if (!existsSync(lockFile))
    throw new SetupError('package-lock.json is missing: this is not a whole copy of the project.');
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const wanted = `${hash} ${process.platform}-${process.arch}`;
  const stamp = join(root, 'node_modules/.ai-studio-installed');
  const fresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (fresh()) return;
  mkdirSync(join(root, '.runtime'), { recursive: true });
  const waiting = 'another installation is running in this folder; waiting for it';
  await withLock(join(root, '.runtime/install.lock'), waiting, async () => {
    if (fresh()) return;
    if (!recordMatches(root)) {
      await step('Installing packages', () =>
        npm(node, ['ci', '--ignore-scripts', '--include=dev'], { cwd: root, purpose: 'install the packages' }),
      );
    }
    // A project without packages has no such folder.
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(stamp, wanted);
  });
}
