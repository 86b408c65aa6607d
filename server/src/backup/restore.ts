import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { BLOBS, copyFolder, exists, isFree, KEY, ROWS } from './folder.ts';

/** The database of an installation that is being made. */
interface NewDatabase {
  /**
   * Makes the tables by the migrations of the names, copies rows into them, and brings them up to date. Resolves with false, and
   * changes nothing, where the database holds something.
   */
  fill(folder: string, made: readonly string[]): Promise<boolean>;
  close(): Promise<void>;
}

export interface RestoreDeps {
  readonly dataDir: string;
  /** Names of the migrations of this version. */
  readonly migrations: readonly string[];
  /** Names of the migrations of a copy of rows. Throws StudioError `invalid_request` where there is none. */
  readonly migrationsOf: (folder: string) => Promise<readonly string[]>;
  readonly openDatabase: () => Promise<NewDatabase>;
}

/** What must not be there yet. */
const HELD = ['postgres', BLOBS, 'index', KEY];

async function requireNothing(dataDir: string): Promise<void> {
  for (const name of HELD)
    if (!(await isFree(join(dataDir, name))))
      throw new StudioError(
        'conflict',
        `${dataDir} holds an installation already (${name}). Name an empty folder with --data_dir, or move that one away.`,
      );
}

/**
 * Makes an installation of a copy, in an empty data folder (or database). Throws StudioError `conflict` where there is something,
 * `invalid_request` for a folder that is no copy or is of a newer version.
 */
export async function restore(
  { dataDir, migrations, migrationsOf, openDatabase }: RestoreDeps,
  wanted: string,
  onProgress: (message: string) => void,
): Promise<void> {
  const folder = resolve(wanted);
  const made = await migrationsOf(join(folder, ROWS));
  if (!made.every((name) => migrations.includes(name)))
    throw new StudioError(
      'invalid_request',
      'The copy was made by a newer version of the service. Install that one first.',
    );
  await requireNothing(dataDir);
  const database = await openDatabase();
  try {
    if (!(await database.fill(join(folder, ROWS), made)))
      throw new StudioError('conflict', 'The database holds an installation already. Name an empty one.');
    if (await exists(join(folder, BLOBS))) {
      onProgress('Bringing back the files');
      await copyFolder(join(folder, BLOBS), join(dataDir, BLOBS));
    }
    if (await exists(join(folder, KEY))) await copyFile(join(folder, KEY), join(dataDir, KEY));
  } finally {
    await database.close();
  }
}
