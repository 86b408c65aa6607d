import { DatabaseSync } from 'node:sqlite';
import type { LockFile } from '../../ports/file-lock.ts';

/** Source: SQLite, "Result and Error Codes". */
const SQLITE_BUSY = 5;

/**
 * Node has no file lock of its own. An exclusive transaction of SQLite holds one that the kernel drops with the process, however it
 * ends, so locks are never stale and two concurrent attempts cannot both succeed. Nothing is written into the file.
 */
export const lockFile: LockFile = (path) => {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  let held = true;
  return {
    release() {
      if (held) lock.close();
      held = false;
    },
  };
};
