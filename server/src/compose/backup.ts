import { openDatabase } from '../adapters/postgres/index.ts';
import { copyRowsIn, copyRowsOut, readManifest } from '../adapters/postgres/rows.ts';
import { backUp, type BackupReport, type IndexOutcome, restore } from '../backup/index.ts';
import { type Config, objectStorageOf } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import { migrations } from '../migrations/index.ts';
import { FILES_LOCK } from '../retrieval/index.ts';
import { bringIndexBack, checkKeptIndex, indexCopier, requireFreeIndex } from './index-copies.ts';
import { openStore, type Store } from './store.ts';

/** Copies an installation into a new folder, while the service runs. */
export const backUpStore = (
  { config, store, log }: { readonly config: Config; readonly store: Store; readonly log: Logger },
  wanted: { readonly folder: string; readonly withKey: boolean },
  onProgress: (message: string) => void,
): Promise<BackupReport> =>
  backUp(
    {
      dataDir: config.data_dir,
      hasFiles: objectStorageOf(config.storage) === null,
      index: indexCopier(config, log),
      copyRowsOut: (folder, meanwhile) => copyRowsOut(store.connection, folder, { lock: FILES_LOCK, meanwhile }),
    },
    wanted,
    onProgress,
  );

interface RestoreOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly onProgress: (message: string) => void;
}

async function fill({ connection }: Store, folder: string, made: readonly string[], given: RestoreOptions) {
  const database = await openDatabase({ connection, log: given.log, poolSize: 2 });
  try {
    // As it was when the copy was made; then as this version needs it.
    const { fresh } = await database.migrate({ migrations: migrations.filter(({ name }) => made.includes(name)) });
    if (!fresh) return false;
    given.onProgress('Bringing back the rows of the database');
    await copyRowsIn(connection, folder);
    await database.migrate({ migrations });
    return true;
  } finally {
    await database.close();
  }
}

/** Makes an installation of a copy, in an empty data folder (or database). */
export const restoreStore = (given: RestoreOptions, wanted: string): Promise<IndexOutcome> =>
  restore(
    {
      dataDir: given.config.data_dir,
      migrations: migrations.map(({ name }) => name),
      migrationsOf: async (folder) => (await readManifest(folder)).migrations,
      requireFreeIndex: () => requireFreeIndex(given.config, given.log),
      async openDatabase() {
        const store = await openStore(given);
        return {
          fill: (folder, made) => fill(store, folder, made, given),
          bringIndex: (note) => bringIndexBack(given, store, note),
          checkIndex: () => checkKeptIndex(given, store),
          close: () => store.close(),
        };
      },
    },
    wanted,
    given.onProgress,
  );
