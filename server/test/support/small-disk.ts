import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// A file system of a few megabytes in memory, which only the programs see that are started within it: it needs no rights and leaves
// nothing behind.

const inside = (folder: string, megabytes: number): readonly string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`,
  folder,
];

/** Whether this machine lets everybody have one. */
export function hasSmallDisks(folder: string): boolean {
  const [command = '', ...rest] = inside(folder, 1);
  return spawnSync(command, [...rest, 'true']).status === 0;
}

export interface SmallDisk {
  /** What runs a program in it. */
  readonly within: readonly string[];
  /** Writes until nothing more fits. `pid`: a program that runs in it. */
  fill(pid: number): void;
  /** Room again. */
  clear(pid: number): void;
  /** Bytes that still fit. */
  room(pid: number): number;
}

/** A small disk in the place of a folder. */
export function smallDisk(folder: string, megabytes: number): SmallDisk {
  const seenBy = (pid: number, name = '') => join(`/proc/${pid}/root`, folder, name);
  const filler = 'filler';
  return {
    within: inside(folder, megabytes),
    fill(pid) {
      const file = openSync(seenBy(pid, filler), 'a');
      try {
        for (const size of [1 << 20, 1 << 12]) {
          const zeros = Buffer.alloc(size, 1);
          for (let full = false; !full;)
            try {
              full = writeSync(file, zeros) < size;
            } catch {
              full = true;
            }
        }
      } finally {
        closeSync(file);
      }
    },
    clear: (pid) => rmSync(seenBy(pid, filler), { force: true }),
    room(pid) {
      const { bavail, bsize } = statfsSync(seenBy(pid));
      return bavail * bsize;
    },
  };
}
