// A folder as a lock between processes. Runs on Node 20 with nothing installed.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.mjs';

const LOCK_POLL_MS = 250;

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * Runs `work` while it holds a folder as a lock between processes; takes over the lock of a process that has died.
 * `waitingMessage` is printed when another process holds it.
 */
export async function withLock(folder, waitingMessage, work) {
  const owner = join(folder, 'pid');
  for (let waited = 0; ; waited += 1) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = Number(existsSync(owner) ? readFileSync(owner, 'utf8') : 0);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (pid ? !alive(pid) : age > 2_000) {
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (waited === 1) say(`  ${waitingMessage}`);
    await sleep(LOCK_POLL_MS);
  }
  try {
    writeFileSync(owner, String(process.pid));
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
