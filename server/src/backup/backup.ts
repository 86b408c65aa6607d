import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { BLOBS, copyFolder, exists, INDEX, isFree, KEY, ROWS } from './folder.ts';

/** A copy of the search index that lies elsewhere, and belongs to one copy of an installation. */
export interface IndexCopier {
  /** Makes it, in words for whoever waits. Resolves with what brings it back, as JSON, or with why there is none. Never rejects. */
  take(): Promise<{ readonly note: object; readonly name: string } | { readonly reason: string }>;
  /** Removes it again. Never rejects. */
  discard(): Promise<void>;
}

export interface BackUpDeps {
  readonly dataDir: string;
  /** Whether the files lie in the data folder; those in object storage are not copied. */
  readonly hasFiles: boolean;
  /** Copies all rows, as of one moment, into a folder; `meanwhile` is done while nobody removes files. */
  readonly copyRowsOut: (
    folder: string,
    meanwhile: () => Promise<void>,
  ) => Promise<{ readonly tables: readonly unknown[] }>;
  /** Null where the search index is not copied. */
  readonly index: IndexCopier | null;
}

/** What a copy holds. */
export interface BackupReport {
  readonly folder: string;
  readonly tables: number;
  /** Whether files were copied; those in object storage are not. */
  readonly files: boolean;
  /** Whether the key of the secrets is in it. */
  readonly key: boolean;
  /** Name of the copy of the search index; null where there is none, and it is made anew. */
  readonly index: string | null;
  /** Why there is none, where there should be one. */
  readonly indexTrouble: string | null;
}

/** Copies everything into a new folder, while the service runs. Throws StudioError `conflict` where the folder holds something. */
export async function backUp(
  { dataDir, hasFiles, copyRowsOut, index }: BackUpDeps,
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
    if (index !== null) onProgress('Copying the search index');
    const copied = (await index?.take()) ?? { reason: null };
    if ('note' in copied) await writeFile(join(draft, INDEX), JSON.stringify(copied.note));
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    await rename(draft, folder);
    const found =
      'note' in copied ? { index: copied.name, indexTrouble: null } : { index: null, indexTrouble: copied.reason };
    return { folder, tables: tables.length, files: hasFiles, key: keyIsIn, ...found };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    await index?.discard();
    throw error;
  }
}
