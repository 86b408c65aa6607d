import { storedServers } from '../../compose/stored-servers.ts';
import { openStoreDatabase, runningStore } from '../../compose/store.ts';
import type { LoadedConfig } from '../../config/index.ts';
import { type ConnectedServer, type DrainedAddress, readDrains } from '../../model-servers/index.ts';
import {
  type EmbeddedLength,
  embeddedLengths,
  type EmbeddedPrefixes,
  embeddedPrefixes,
} from '../../retrieval/index.ts';
import { commandLog } from '../with-database.ts';

/** What the database knows of models. */
export interface StoredModels {
  /** Those that were connected in the console. */
  readonly servers: readonly ConnectedServer[];
  /** Addresses that get no new calls. */
  readonly drains: readonly DrainedAddress[];
  /** What embedding models have filled. */
  readonly lengths: readonly EmbeddedLength[];
  /** What stands before the texts of collections. */
  readonly prefixes: readonly EmbeddedPrefixes[];
}

/** Reads the database where it answers and has its tables; empty where not, which the check of the database tells. Starts nothing. */
export async function readStoredModels({ config }: LoadedConfig): Promise<StoredModels> {
  const nothing = { servers: [], drains: [], lengths: [], prefixes: [] };
  const store = runningStore(config);
  if (store === null) return nothing;
  const log = commandLog();
  try {
    const db = await openStoreDatabase(store.connection, log, 2);
    try {
      return {
        servers: await storedServers(config, db, log),
        // Before the schema is brought up to date there are none.
        drains: await readDrains({ db }).catch(() => []),
        lengths: await embeddedLengths(db),
        prefixes: await embeddedPrefixes(db),
      };
    } finally {
      await db.close();
    }
  } catch {
    return nothing;
  }
}
