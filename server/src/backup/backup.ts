import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { BLOBS, copyFolder, exists, isFree, KEY, ROWS } from './folder.ts';

export interface BackUpDeps {
  readonly dataDir: string;
  /** Whether the files lie in the data folder; those in object storage are not copied. */
  readonly hasFiles: boolean;
  /** Copies all rows, as of one moment, into a folder; `meanwhile` is done while nobody removes files. */
  readonly copyRowsOut: (
    folder: string,
    meanwhile: () => Promise<void>,
  ) => Promise<{ readonly tables: readonly unknown[] }>;
}

/** What a copy holds. */
export interface BackupReport {
  readonly folder: string;
  readonly tables: number;
  /** Whether files were copied; those in object storage are not. */
  readonly files: boolean;
  /** Whether the key of the secrets is in it. */
  readonly key: boolean;
}

/** Copies everything into a new folder, while the service runs. Throws StudioError `conflict` where the folder holds something. */
export async function backUp(
  { dataDir, hasFiles, copyRowsOut }: BackUpDeps,
  { folder: wanted, withKey }: { readonly folder: string; readonly withKey: boolean },
  onProgress: (message: string) => void,
): Promise<BackupReport> {
  const folder = resolve(wanted);
  if (!(await isFree(folder))) throw new StudioError('conflict', `${folder} is not empty. Name a new folder.`);
  const draft = `${folder}.part`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, ROWS), { recursive: true, mode: 0o700 });
  const blobs = join(dataDir, BLOBS);
  // Files that are there for a moment, such as those that are being written, are no part of a copy.
  const lasts = (path: string) => !path.startsWith(join(blobs, '.incoming'));
  try {
    onProgress('Copying the rows of the database');
    const { tables } = await copyRowsOut(join(draft, ROWS), async () => {
      if (!hasFiles || !(await exists(blobs))) return;
      onProgress('Copying the files');
      await copyFolder(blobs, join(draft, BLOBS), lasts);
    });
    const key = join(dataDir, KEY);
    const keyIsIn = withKey && (await exists(key));
    if (keyIsIn) await copyFile(key, join(draft, KEY));
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    await rename(draft, folder);
    return { folder, tables: tables.length, files: hasFiles, key: keyIsIn };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}
