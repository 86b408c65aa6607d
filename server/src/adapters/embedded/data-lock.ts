import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StudioError } from '../../kernel/errors.ts';
import { makeDataFolder } from './data-folder.ts';

const LOCK_FILE = 'service.lock';

/** The right of one process to use a data folder. */
export interface DataLock {
  /** Gives the folder free. Safe to repeat. */
  release(): void;
}

/**
 * Takes the data folder for this process, or throws StudioError `conflict` that names the process which has it.
 *
 * Node has no file lock of its own. An exclusive transaction of SQLite holds one that the kernel drops with the
 * process, however it ends, so nothing stale is ever left and two starts at one moment cannot both win.
 * Nothing is written into that file.
 */
export function lockDataFolder(dataDir: string): DataLock {
  makeDataFolder(dataDir);
  const pidFile = join(dataDir, 'service.pid');
  const lock = new DatabaseSync(join(dataDir, LOCK_FILE));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw refusal(dataDir, readPid(pidFile), cause);
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      lock.close();
    },
  };
}

/** Whether a service has the data folder at this moment. */
export function isDataFolderInUse(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  const lock = new DatabaseSync(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  } finally {
    lock.close();
  }
}

function refusal(dataDir: string, pid: string | null, cause: unknown): StudioError {
  const holder = pid === null ? 'another process' : `the process ${pid}`;
  return new StudioError(
    'conflict',
    `The data folder ${dataDir} is in use by ${holder}. Stop that service first, or give this one another folder (data_dir).`,
    { cause },
  );
}

function readPid(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
