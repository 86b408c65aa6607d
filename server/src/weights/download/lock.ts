import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { StudioError } from '../../kernel/errors.ts';

/** Locks of this process: in a container, the previous process often had the same process id. */
const ownLocks = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isHeldBy = (pid: number, path: string) => pid > 0 && (pid === process.pid ? ownLocks.has(path) : isAlive(pid));

async function readPid(path: string): Promise<number> {
  return Number(await readFile(path, 'utf8').catch(() => ''));
}

/** The live process that holds a lock; null where none does. */
export async function findLockHolder(path: string): Promise<number | null> {
  const pid = await readPid(path);
  return isHeldBy(pid, path) ? pid : null;
}

/** Removes a lock that no process holds; restores it if a process has acquired it meanwhile. */
async function removeStaleLock(path: string, asidePath: string): Promise<void> {
  const isMoved = await rename(path, asidePath).then(
    () => true,
    () => false,
  );
  if (isMoved && isHeldBy(await readPid(asidePath), path)) await link(asidePath, path).catch(() => undefined);
  await rm(asidePath, { force: true });
}

/**
 * Acquires a lock file with the id of this process; takes over the lock of a process that has ended. Resolves with a function that
 * releases it. Throws StudioError `conflict`.
 */
export async function acquireLock(path: string, title: string): Promise<() => Promise<void>> {
  const ownPath = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    // Linked, so that the lock never exists without a process id.
    await writeFile(ownPath, String(process.pid));
    for (let attempts = 0; attempts < 3; attempts++) {
      try {
        await link(ownPath, path);
        ownLocks.add(path);
        return async () => {
          ownLocks.delete(path);
          await rm(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const pid = await readPid(path);
        if (isHeldBy(pid, path))
          throw new StudioError(
            'conflict',
            `${title} is being downloaded already${pid === process.pid ? '' : `, by process ${pid}`}`,
            { cause: error },
          );
        await removeStaleLock(path, `${ownPath}.old`);
      }
    }
    throw new StudioError('conflict', `${title} is being downloaded already`);
  } finally {
    await rm(ownPath, { force: true });
  }
}
