import { constants, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The files of tables as they lie in storage, for copies of them and for what the engine can't remove. */
export interface TableFiles {
  /** Paths of a table's files within it, with `/`; none where there is no table. */
  list(table: string): Promise<readonly string[]>;
  /** Brings one into a file of this machine, whose folder is there. Resolves with false where it is gone. */
  download(table: string, path: string, file: string): Promise<boolean>;
  /** Puts one there. */
  upload(table: string, path: string, file: string): Promise<void>;
  /** Removes every file of a table. No failure where there is none. */
  remove(table: string): Promise<void>;
}

/** The folder of each table has this ending. Source: LanceDB. */
export const TABLE_ENDING = '.lance';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Paths of all files below a folder, with `/`; none where there is no folder. What goes away meanwhile is left out. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const below = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      return (await filesBelow(join(folder, entry.name))).map((path) => `${entry.name}/${path}`);
    }),
  );
  return below.flat();
}

/** Tables in a folder. */
export function createFolderFiles(parent: string): TableFiles {
  const pathOf = (table: string, path = '') => join(parent, `${table}${TABLE_ENDING}`, path);
  return {
    list: (table) => filesBelow(pathOf(table)),
    async download(table, path, file) {
      try {
        await copyFile(pathOf(table, path), file, constants.COPYFILE_FICLONE);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    async upload(table, path, file) {
      const to = pathOf(table, path);
      await mkdir(dirname(to), { recursive: true });
      await copyFile(file, to, constants.COPYFILE_FICLONE);
    },
    remove: (table) => rm(pathOf(table), { recursive: true, force: true }),
  };
}
