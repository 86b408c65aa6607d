import { openCommandStore, openStoreDatabase, type Store } from '../compose/store.ts';
import type { LoadedConfig } from '../config/index.ts';
import { createLineSink, createLog } from '../kernel/json-log.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import type { Output } from './output.ts';

const STDERR = 2;

/** The log of a command: only what a person should see beside its output. */
export const commandLog = (): Logger => createLog({ sink: createLineSink(STDERR), level: 'error', format: 'pretty' });

/**
 * Does work on the database of the configuration: that of a running service, else one that is started for the time of the
 * work. Everything is closed again whatever happens.
 */
export async function withDatabase<T>(
  { config }: LoadedConfig,
  out: Output,
  work: (database: Database, store: Store, log: Logger) => Promise<T>,
): Promise<T> {
  const log = commandLog();
  const store = await openCommandStore({ config, log, onProgress: (message) => out.note(`▸ ${message}`) });
  try {
    const database = await openStoreDatabase(store.connection, log, 2);
    try {
      return await work(database, store, log);
    } finally {
      await database.close();
    }
  } finally {
    await store.close();
  }
}
