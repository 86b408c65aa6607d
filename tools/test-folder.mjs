// Where tests keep what they write. Some ten gigabytes pass through it in a run, and services wait for the disk at each commit: so it
// is in memory where there is room, which makes nothing else of what is tested.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^ai-studio-tests-(\d+)-/;
const MEMORY = '/dev/shm';
/** What a run holds at one time, with a margin. */
const WANTED_BYTES = 6 * 1024 ** 3;

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > WANTED_BYTES;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A new folder for this run. Removes those of runs that were killed. The caller removes it. */
export function createTestFolder() {
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, `ai-studio-tests-${process.pid}-`));
  // PostgreSQL may run as another user, who has to get to its own folder.
  chmodSync(folder, 0o711);
  return folder;
}
