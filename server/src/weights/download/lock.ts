import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { StudioError } from '../../kernel/errors.ts';

/** Locks that this very process holds: in a container the process before it often had the same id. */
const held = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isHeldBy = (pid: number, path: string) => pid > 0 && (pid === process.pid ? held.has(path) : isAlive(pid));

async function readPid(path: string): Promise<number> {
  return Number(await readFile(path, 'utf8').catch(() => ''));
}

/** The living process that holds a lock; null where none does. */
export async function holderOf(path: string): Promise<number | null> {
  const pid = await readPid(path);
  return isHeldBy(pid, path) ? pid : null;
}

/** Moves a lock aside that nobody holds; puts it back if somebody took it in this moment. */
async function setAside(path: string, aside: string): Promise<void> {
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (moved && isHeldBy(await readPid(aside), path)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/**
 * Takes a lock file that names this process; that of a process that is gone is taken over. Resolves with what gives it
 * back. Throws StudioError `conflict`.
 */
export async function takeLock(path: string, what: string): Promise<() => Promise<void>> {
  const own = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    // Linked, so that the lock never stands there without its process id.
    await writeFile(own, String(process.pid));
    for (let tries = 0; tries < 3; tries++) {
      try {
        await link(own, path);
        held.add(path);
        return async () => {
          held.delete(path);
          await rm(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const pid = await readPid(path);
        if (isHeldBy(pid, path))
          throw new StudioError(
            'conflict',
            `${what} is being downloaded already${pid === process.pid ? '' : `, by process ${pid}`}`,
            { cause: error },
          );
        await setAside(path, `${own}.old`);
      }
    }
    throw new StudioError('conflict', `${what} is being downloaded already`);
  } finally {
    await rm(own, { force: true });
  }
}
