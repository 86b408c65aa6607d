import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Makes the folder of this process below `parent`, for files that are worked on. Those of processes that were ended before they
 * could clear up are removed, also of one that had the same number, as in containers.
 */
export async function openProcessFolder(parent: string): Promise<string> {
  const own = join(parent, String(process.pid));
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (path !== own && !isAlive(Number(name))) await rm(path, { recursive: true, force: true });
  }
  for (const name of await readdir(own)) {
    const path = join(own, name);
    if ((await stat(path)).mtimeMs < performance.timeOrigin) await rm(path, { recursive: true, force: true });
  }
  return own;
}
