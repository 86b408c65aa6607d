/** A file that is taken by one process alone. */
export interface FileLock {
  /** Gives it free. Safe to repeat. */
  release(): void;
}

/**
 * Takes a file, which is made where there is none, until it is released or the process has ended, however it ended. Null where it is
 * taken, also by this process. Throws where it cannot be made or taken for another reason.
 */
export type LockFile = (path: string) => FileLock | null;
