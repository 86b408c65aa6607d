import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { ParsePool } from '../src/index.ts';

/** Ids of the processes that this one has for reading files of a folder, the oldest first. */
export function readersOf(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
      return (
        parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--allow-fs-read=${folder}\0`)
      );
    } catch {
      // It has ended since.
      return false;
    }
  });
}

/** Kills the processes that read files of a folder, one after the other, as they come: so many. */
export async function killReaders(folder: string, times: number): Promise<void> {
  const killed = new Set<number>();
  while (killed.size < times) {
    const pid = await vi.waitFor(
      () => {
        const next = readersOf(folder).find((one) => !killed.has(one));
        if (next === undefined) throw new Error('no process reads');
        return next;
      },
      { timeout: 60_000, interval: 5 },
    );
    killed.add(pid);
    process.kill(pid, 'SIGKILL');
  }
}

/** A file in a folder that nobody writes into: a process that reads it is at it until it is killed, however late that is. */
export function endlessFile(folder: string): string {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

/** A pool that reads {@link endlessFile} for whatever it is given. */
export function readingEndlessly(pool: ParsePool, folder: string): Pick<ParsePool, 'parse'> {
  const path = endlessFile(folder);
  return { parse: (tenant, job, options) => pool.parse(tenant, { ...job, path }, options) };
}
