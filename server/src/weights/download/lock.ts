import { open, readFile, rm } from 'node:fs/promises';
import { StudioError } from '../../kernel/errors.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Takes a lock file that names this process; that of a process that is gone is taken over. Resolves with what gives it
 * back. Throws StudioError `conflict`.
 */
export async function takeLock(path: string, what: string): Promise<() => Promise<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(await readFile(path, 'utf8').catch(() => ''));
      if (pid > 0 && pid !== process.pid && isAlive(pid))
        throw new StudioError('conflict', `${what} is being downloaded already, by process ${pid}`, { cause: error });
      if (pid === process.pid)
        throw new StudioError('conflict', `${what} is being downloaded already`, { cause: error });
      await rm(path, { force: true });
    }
  }
  throw new StudioError('conflict', `${what} is being downloaded already`);
}
