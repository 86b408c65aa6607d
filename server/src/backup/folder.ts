import { constants, cp, readdir, stat } from 'node:fs/promises';

// What a copy of an installation is made of: its rows as of one moment, the files that they name, and, where that is asked, the key
// of its secrets. The search index is no part of it: it is made anew from the rows, or lies elsewhere, and a note says where.

export const ROWS = 'rows';
export const BLOBS = 'blobs';
export const KEY = 'secret.key';
export const INDEX = 'search-index.json';

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whether nothing is there, or a folder without anything in it. */
export async function isFree(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return true;
  return found.isDirectory() && (await readdir(path)).length === 0;
}

/** Copies a folder with all that `takes` takes; shares the blocks where the file system can. */
export const copyFolder = (from: string, to: string, takes: (path: string) => boolean = () => true): Promise<void> =>
  cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: takes });
