import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IndexError } from '../../../ports/search-index.ts';
import { filesBelow, type TableFiles } from './files.ts';

// Files of a table never change, only new ones come; a version is a file that names others, and they stay for a while when there are newer
// versions. So a copy takes the newest version first and the rest after it, and putting back goes the other way.

const VERSIONS = '_versions/';
/** A version. Its number is counted down from the largest one, so that the newest comes first. Source: Lance, manifest naming V2. */
const MANIFEST = /^_versions\/\d{20}\.manifest$/;
const ATTEMPTS = 3;

/** A file that is still being written, and goes as it gets its name. Source: Lance on folders (`.tmpXXXXXX`), object_store (`#1`). */
const isUnfinished = (path: string): boolean => path.includes('#') || /(?:^|\/)\./.test(path);

/** What belongs to a copy besides the version. */
const isPart = (path: string): boolean => !path.startsWith(VERSIONS) && !isUnfinished(path);

async function tryCopyOut(files: TableFiles, table: string, folder: string): Promise<boolean> {
  const fetchFile = async (path: string) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    return files.download(table, path, file);
  };
  const [newest] = (await files.list(table)).filter((path) => MANIFEST.test(path)).toSorted();
  if (newest === undefined) throw new IndexError('lost', table, `Table ${table} of the search index is not there`);
  if (!(await fetchFile(newest))) return false;
  for (const path of await files.list(table)) if (isPart(path) && !(await fetchFile(path))) return false;
  return true;
}

/** Copies a table as it is now into a folder. Throws IndexError. */
export async function copyOut(files: TableFiles, table: string, folder: string): Promise<void> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    await mkdir(folder, { recursive: true });
    if (await tryCopyOut(files, table, folder)) return;
    // Obsolete files were removed meanwhile, perhaps some of the copied version.
    await rm(folder, { recursive: true });
  }
  throw new IndexError('unavailable', table, `Table ${table} of the search index changes too fast to be copied`);
}

/** Puts a copy where no table is: its version last, as a table that is not whole is none. */
export async function copyIn(files: TableFiles, table: string, folder: string): Promise<void> {
  const paths = await filesBelow(folder);
  const versions = paths.filter((path) => path.startsWith(VERSIONS));
  for (const path of [...paths.filter(isPart), ...versions]) await files.upload(table, path, join(folder, path));
}
