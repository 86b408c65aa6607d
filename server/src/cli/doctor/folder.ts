import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, warn, type Finding } from './finding.ts';

const GIB = 1024 ** 3;

/** The folder itself, or the nearest one above it that is there. */
function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

/** Reading and writing by others than the owner. That they may pass through is what a PostgreSQL of another user needs. */
const OPEN_TO_OTHERS = 0o066;

/** Whether others of this machine can look into the data folder: one that an older version made, or the operator. */
function checkMode(subject: string, dataDir: string): Finding[] {
  if (!existsSync(dataDir) || process.platform === 'win32') return [];
  const mode = statSync(dataDir).mode & 0o777;
  if ((mode & OPEN_TO_OTHERS) === 0) return [];
  return [
    warn(
      subject,
      `${dataDir} can be read by other users of this machine (mode ${mode.toString(8)})`,
      `Close it (chmod go-rw ${dataDir}) unless that is meant.`,
    ),
  ];
}

/** Rights and space of the data folder. */
export function checkDataFolder(dataDir: string): Finding[] {
  const subject = 'Data folder';
  const nearest = nearestExisting(dataDir);
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
    ...checkMode(subject, dataDir),
  ];
}
