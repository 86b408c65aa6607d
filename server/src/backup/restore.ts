import { copyFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { BLOBS, copyFolder, exists, INDEX, isFree, KEY, ROWS } from './folder.ts';

/** The database of an installation that is being made. */
interface NewDatabase {
  /**
   * Makes the tables by the migrations of the names, copies rows into them, and brings them up to date. Resolves with false, and
   * changes nothing, where the database holds something.
   */
  fill(folder: string, made: readonly string[]): Promise<boolean>;
  /** Brings the search index back by the note of its copy. Resolves with why not; null where it is there. Never rejects. */
  bringIndex(note: unknown): Promise<string | null>;
  /** Compares the search index that lies in its place already with the rows. Resolves with whether there was one. */
  checkIndex(): Promise<boolean>;
  close(): Promise<void>;
}

/** What became of the search index: it is there, of its copy or as it lay, or made anew, for a reason where it could have been there. */
export type IndexOutcome =
  | { readonly there: true; readonly from: 'copy' | 'storage' }
  | { readonly there: false; readonly reason: string | null };

export interface RestoreDeps {
  readonly dataDir: string;
  /** Names of the migrations of this version. */
  readonly migrations: readonly string[];
  /** Names of the migrations of a copy of rows. Throws StudioError `invalid_request` where there is none. */
  readonly migrationsOf: (folder: string) => Promise<readonly string[]>;
  readonly openDatabase: () => Promise<NewDatabase>;
  /** Throws StudioError where the place of the search index holds one already, or can't be looked at. */
  readonly requireFreeIndex: () => Promise<void>;
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

/** The note of the search index in a copy; undefined where it has none, null where it can't be read. */
async function noteOf(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Makes an installation of a copy, in an empty data folder (or database). Throws StudioError `conflict` where there is something,
 * `invalid_request` for a folder that is no copy or is of a newer version.
 */
export async function restore(
  { dataDir, migrations, migrationsOf, openDatabase, requireFreeIndex }: RestoreDeps,
  wanted: string,
  onProgress: (message: string) => void,
): Promise<IndexOutcome> {
  const folder = resolve(wanted);
  const made = await migrationsOf(join(folder, ROWS));
  if (!made.every((name) => migrations.includes(name)))
    throw new StudioError(
      'invalid_request',
      'The copy was made by a newer version of the service. Install that one first.',
    );
  await requireNothing(dataDir);
  await requireFreeIndex();
  const database = await openDatabase();
  try {
    if (!(await database.fill(join(folder, ROWS), made)))
      throw new StudioError('conflict', 'The database holds an installation already. Name an empty one.');
    if (await exists(join(folder, BLOBS))) {
      onProgress('Bringing back the files');
      await copyFolder(join(folder, BLOBS), join(dataDir, BLOBS));
    }
    if (await exists(join(folder, KEY))) await copyFile(join(folder, KEY), join(dataDir, KEY));
    const note = await noteOf(folder);
    let reason: string | null = null;
    if (note !== undefined) {
      onProgress('Bringing back the search index');
      reason = await database.bringIndex(note);
      if (reason === null) return { there: true, from: 'copy' };
    }
    return (await database.checkIndex()) ? { there: true, from: 'storage' } : { there: false, reason };
  } finally {
    await database.close();
  }
}
