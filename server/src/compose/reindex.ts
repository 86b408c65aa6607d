import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { checkIndexes, moveIndexes, rebuildIndexes } from '../retrieval/index.ts';
import { openParts } from './parts.ts';
import { openTexts } from './retrieval.ts';
import { openIndexAt, openSearchIndex, type IndexPlace } from './storage.ts';
import { createBus } from './store.ts';

interface Work {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
}

/**
 * Fills the search index of another place from the database, beside a running service. Resolves with how many collections. Throws
 * ConfigError where the configuration does not say where it is, StudioError and IndexError.
 */
export async function moveCollections(
  { config, database: db, log }: Work,
  to: IndexPlace,
  onProgress: (message: string) => void,
): Promise<number> {
  const opened = await openParts(log, async (parts) => {
    const bus = parts.own('bus', await createBus(config, db, log));
    const index = parts.own('search index', openIndexAt(config, to, log));
    const texts = openTexts({ config, log, parts });
    return moveIndexes({ db, bus, index, texts, log, now: Date.now }, index, onProgress);
  });
  await opened.close(0);
  return opened.value;
}

/**
 * Compares the search index that is there with a database that was taken back to another moment, while no service runs. Resolves with how many
 * collections have theirs; the others' are made anew when it starts.
 */
export async function checkCollections(
  { config, database: db, log }: Work,
  onProgress: (message: string) => void,
): Promise<number> {
  const opened = await openParts(log, async (parts) => {
    const bus = parts.own('bus', await createBus(config, db, log));
    const index = parts.own('search index', openSearchIndex(config, log));
    const texts = openTexts({ config, log, parts });
    return checkIndexes({ db, bus, index, texts, log, now: Date.now }, onProgress);
  });
  await opened.close(0);
  return opened.value;
}

/** Makes the search index anew from the database, beside a running service or without one. Resolves with how many collections. */
export async function reindexCollections(
  { config, database: db, log, ids }: Work & { readonly ids: readonly string[] },
  onProgress: (message: string) => void,
): Promise<number> {
  const opened = await openParts(log, async (parts) => {
    const bus = parts.own('bus', await createBus(config, db, log));
    const index = parts.own('search index', openSearchIndex(config, log));
    const texts = openTexts({ config, log, parts });
    return rebuildIndexes({ db, bus, index, texts, log, now: Date.now }, ids, onProgress);
  });
  await opened.close(0);
  return opened.value;
}
