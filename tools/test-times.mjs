// How long each test file took last time: the longest begin first, so that no worker is left alone with one at the end.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Times that everybody begins with, kept by `npm test -- --keep-times`. */
const committed = join(root, 'tools/test-times.json');
/** Times of this checkout's last run. */
const own = join(root, '.runtime/test-times.json');

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
};

/** Seconds by path of the file, relative to the project: those of the last run here, else the committed ones. */
export const readTimes = () => ({ ...read(committed), ...read(own) });

/** Keeps the times of a run, in seconds by absolute path; `keep` also for the repository. Files that are gone are forgotten. */
export function writeTimes(times, { keep }) {
  const fresh = Object.fromEntries(Object.entries(times).map(([path, seconds]) => [relative(root, path), seconds]));
  for (const file of keep ? [own, committed] : [own]) {
    const all = Object.entries({ ...read(file), ...fresh }).filter(([path]) => existsSync(join(root, path)));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify(Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
    );
  }
}
