import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../kernel/errors.ts';
import type { FileLock } from '../../ports/file-lock.ts';
import { makeDataFolder } from './data-folder.ts';
import { lockFile } from './file-lock.ts';

const LOCK_FILE = 'service.lock';

/** Locks the data folder for this process, or throws StudioError `conflict` that names the process which holds the lock. */
export function lockDataFolder(dataDir: string): FileLock {
  makeDataFolder(dataDir);
  const pidFile = join(dataDir, 'service.pid');
  const lock = lockFile(join(dataDir, LOCK_FILE));
  if (lock === null) throw folderInUseError(dataDir, readPid(pidFile));
  writeFileSync(pidFile, `${process.pid}\n`);
  return lock;
}

/** Whether a service holds the lock of the data folder. */
export function isDataFolderInUse(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  const lock = lockFile(file);
  lock?.release();
  return lock === null;
}

function folderInUseError(dataDir: string, pid: string | null): StudioError {
  const holder = pid === null ? 'another process' : `the process ${pid}`;
  return new StudioError(
    'conflict',
    `The data folder ${dataDir} is in use by ${holder}. Stop that service first, or give this one another folder (data_dir).`,
  );
}

function readPid(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
