import { constants, cp, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openDatabase } from '../adapters/postgres/index.ts';
import { copyRowsIn, copyRowsOut, readManifest } from '../adapters/postgres/rows.ts';
import { type Config, objectStorageOf } from '../config/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { migrations } from '../migrations/index.ts';
import { FILES_LOCK } from '../retrieval/index.ts';
import { openStore, type Store } from './store.ts';

// Copies of an installation: its rows as of one moment, the files that they name, and, where that is asked, the key of its secrets. The
// search index is no part of it: it is made anew from the rows.

const ROWS = 'rows';
const BLOBS = 'blobs';
const KEY = 'secret.key';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const isEmpty = async (folder: string) => !(await exists(folder)) || (await readdir(folder)).length === 0;

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
  {
    config,
    store,
    folder: wanted,
    withKey,
  }: { readonly config: Config; readonly store: Store; readonly folder: string; readonly withKey: boolean },
  onProgress: (message: string) => void,
): Promise<BackupReport> {
  const folder = resolve(wanted);
  if (!(await isEmpty(folder))) throw new StudioError('conflict', `${folder} is not empty. Name a new folder.`);
  const draft = `${folder}.part`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, ROWS), { recursive: true, mode: 0o700 });
  const blobs = join(config.data_dir, BLOBS);
  const files = objectStorageOf(config.storage) === null;
  try {
    onProgress('Copying the rows of the database');
    const { tables } = await copyRowsOut(store.connection, join(draft, ROWS), {
      lock: FILES_LOCK,
      async meanwhile() {
        if (!files || !(await exists(blobs))) return;
        onProgress('Copying the files');
        await copyFiles(blobs, join(draft, BLOBS));
      },
    });
    const key = join(config.data_dir, KEY);
    const keyIsIn = withKey && (await exists(key));
    if (keyIsIn) await copyFile(key, join(draft, KEY));
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    await rename(draft, folder);
    return { folder, tables: tables.length, files, key: keyIsIn };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Files that are there for a moment, such as those that are being written, are no part of a copy. */
const copyFiles = (from: string, to: string) =>
  cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !path.startsWith(join(from, '.incoming')),
  });

/** What must not be there yet. */
const HELD = ['postgres', BLOBS, 'index', KEY];

/**
 * Makes an installation of a copy, in an empty data folder (or database). Throws StudioError `conflict` where there is something,
 * `invalid_request` for a folder that is no copy or is of a newer version.
 */
export async function restore(
  { config, folder: wanted, log }: { readonly config: Config; readonly folder: string; readonly log: Logger },
  onProgress: (message: string) => void,
): Promise<void> {
  const folder = resolve(wanted);
  const { migrations: made } = await readManifest(join(folder, ROWS));
  const known = migrations.filter(({ name }) => made.includes(name));
  if (known.length !== made.length)
    throw new StudioError(
      'invalid_request',
      'The copy was made by a newer version of the service. Install that one first.',
    );
  for (const name of HELD)
    if (!(await isEmptyOrMissing(join(config.data_dir, name))))
      throw new StudioError(
        'conflict',
        `${config.data_dir} holds an installation already (${name}). Name an empty folder with --data_dir, or move that one away.`,
      );
  const store = await openStore({ config, log, onProgress });
  try {
    await fill(store, { folder, known, config, log }, onProgress);
  } finally {
    await store.close();
  }
}

async function isEmptyOrMissing(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return true;
  return found.isDirectory() && (await readdir(path)).length === 0;
}

async function fill(
  { connection }: Store,
  {
    folder,
    known,
    config,
    log,
  }: { readonly folder: string; readonly known: typeof migrations; readonly config: Config; readonly log: Logger },
  onProgress: (message: string) => void,
): Promise<void> {
  const database = await openDatabase({ connection, log, poolSize: 2 });
  try {
    // As it was when the copy was made; then as this version needs it.
    const { fresh } = await database.migrate({ migrations: known });
    if (!fresh) throw new StudioError('conflict', 'The database holds an installation already. Name an empty one.');
    onProgress('Bringing back the rows of the database');
    await copyRowsIn(connection, join(folder, ROWS));
    await database.migrate({ migrations });
  } finally {
    await database.close();
  }
  if (await exists(join(folder, BLOBS))) {
    onProgress('Bringing back the files');
    await cp(join(folder, BLOBS), join(config.data_dir, BLOBS), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  if (await exists(join(folder, KEY))) await copyFile(join(folder, KEY), join(config.data_dir, KEY));
}
