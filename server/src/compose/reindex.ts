import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { rebuildIndexes } from '../retrieval/index.ts';
import { openParts } from './parts.ts';
import { openTexts } from './retrieval.ts';
import { openSearchIndex } from './storage.ts';
import { createBus } from './store.ts';

/** Makes the search index anew from the database, beside a running service or without one. Resolves with how many collections. */
export async function reindexCollections(
  {
    config,
    database: db,
    log,
    ids,
  }: { readonly config: Config; readonly database: Database; readonly log: Logger; readonly ids: readonly string[] },
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
