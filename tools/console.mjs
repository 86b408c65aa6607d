// Builds the web console when its output is missing or older than its sources. Runs on Node 20; what it starts runs
// under the Node that it is given.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { capture, say, step } from './progress.mjs';

/** What the output is made of. */
const sources = ['console', 'contract/src', 'docs/guide', 'package-lock.json', 'tools/build-console.mjs'];
const isOutput = (path) => /^console\/(?:dist|node_modules)(?:[./]|$)/.test(path);
const isTest = (path) => /\.test\.tsx?$/.test(path);

function filesBelow(root, path) {
  if (isOutput(path)) return [];
  let entries;
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true });
  } catch (error) {
    if (error.code !== 'ENOTDIR') throw error;
    return isTest(path) ? [] : [path];
  }
  return entries.flatMap(({ name }) => filesBelow(root, `${path}/${name}`));
}

/** Changes when any source does. */
function hashOfSources(root) {
  const hash = createHash('sha256');
  const paths = sources.flatMap((source) => filesBelow(root, source));
  for (const path of paths.toSorted((a, b) => (a < b ? -1 : 1))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function stampOf(folder) {
  try {
    return readFileSync(join(folder, '.stamp'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Builds beside the final place, so that a service that is running never sees half of it. */
async function build(root, node, output, stamp) {
  const staging = `${output}.${process.pid}`;
  const old = `${output}.${process.pid}.old`;
  try {
    const { code, output: said } = await capture(node, [join(root, 'tools/build-console.mjs'), staging, stamp], {
      cwd: join(root, 'console'),
      env: { ...process.env, NO_COLOR: '1' },
    });
    if (code !== 0) throw new Error(said.trimEnd());
    try {
      renameSync(output, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    renameSync(staging, output);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** Reports a failed build. Returns false. */
function reportFailure(error) {
  say(`${error.message}\n`);
  say('The web console could not be built; above is why. `npm run console` tries again, also while the service runs.');
  return false;
}

async function ensure(root, node) {
  const output = join(root, 'console/dist');
  const stamp = hashOfSources(root);
  const fresh = () => stampOf(output) === stamp;
  if (fresh()) return true;
  mkdirSync(join(root, '.runtime'), { recursive: true });
  const waiting = 'another build of the console is running in this folder; waiting for it';
  return withLock(join(root, '.runtime/console.lock'), waiting, async () => {
    if (fresh()) return true;
    try {
      await step('Building the web console', () => build(root, node, output, stamp));
      return true;
    } catch (error) {
      rmSync(output, { recursive: true, force: true });
      return reportFailure(error);
    }
  });
}

/**
 * Builds console/dist from the sources. Returns false when that failed, after it printed why; an output of other sources
 * is gone then, as it may not fit the service. Never throws: the service is of use without its console. A copy without
 * the sources is left as it is.
 */
export async function ensureConsole(root, node) {
  if (!existsSync(join(root, 'console/package.json'))) return true;
  try {
    return await ensure(root, node);
  } catch (error) {
    return reportFailure(error);
  }
}
