// Where the bundle of the server's sources lies, once `tools/build-server.mjs` has made it. Runs on Node 20.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a bundle is made of, and what its form depends on. */
const folders = ['server/src', 'contract/src', 'packages'];
const files = ['package-lock.json', 'tools/build-server.mjs'];
const isLeftOut = (name) => name === 'node_modules' || name === 'test' || /\.(?:test|fixture)\.ts$/.test(name);

/** Length and time: to read all sources takes as long as the bundle saves. */
function lineOf(path) {
  const { mtimeMs, size } = statSync(path);
  return `${path} ${mtimeMs} ${size}`;
}

function linesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isLeftOut(name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? linesBelow(path) : [lineOf(path)];
    });
}

/**
 * The folder of the bundle that has been, or would be, made of the sources as they are now. Each state of the sources has its own, so
 * that a service which runs keeps what it has not loaded yet. Throws where a source is missing.
 */
export function bundleFolder(root) {
  const lines = [
    ...files.map((file) => lineOf(join(root, file))),
    ...folders.flatMap((folder) => linesBelow(join(root, folder))),
  ];
  const state = createHash('sha256')
    .update(lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n'))
    .digest('hex')
    .slice(0, 16);
  return join(root, '.runtime', 'server', state);
}
