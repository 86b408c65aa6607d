import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { createTextThreads, remakeIndexes } from '../retrieval/index.ts';
import { openSearchIndex } from './storage.ts';
import { createBus } from './store.ts';

const TEXT_TIMEOUT_MS = 300_000;

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
  const { text_threads: size, text_memory_mb: heapMb, encoding } = config.retrieval;
  const texts = createTextThreads({ size, heapMb, timeoutMs: TEXT_TIMEOUT_MS, encoding });
  const index = openSearchIndex(config, log);
  const bus = await createBus(config, db, log);
  try {
    return await remakeIndexes({ db, bus, index, texts, log, now: Date.now }, ids, onProgress);
  } finally {
    await bus.close();
    await index.close();
    await texts.close();
  }
}
