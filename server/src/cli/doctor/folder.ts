import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, warn, type Finding } from './finding.ts';

const GIB = 1024 ** 3;

/** The folder itself, or the nearest one above it that is there. */
function existing(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existing(dirname(path));
}

/** Rights and space of the data folder. */
export function checkDataFolder(dataDir: string): Finding[] {
  const subject = 'Data folder';
  const nearest = existing(dataDir);
  if (!statSync(nearest).isDirectory()) {
    return [fail(subject, `${nearest} is a file`, 'Name another folder in data_dir, or move the file away.')];
  }
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    const user = process.getuid?.() ?? 'this user';
    return [
      fail(
        subject,
        `${nearest} can't be written by user ${user}`,
        `Give it to that user (chown ${user} ${nearest}), or name another folder in data_dir.`,
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(nearest);
  const free = bavail * bsize;
  const space = `${(free / GIB).toFixed(1)} GiB free`;
  return [
    free < GIB
      ? warn(subject, `${dataDir}: only ${space}`, 'Make room; the database stops when the disk is full.')
      : ok(subject, `${dataDir}${nearest === dataDir ? '' : ' (made at the first start)'}, ${space}`),
  ];
}
