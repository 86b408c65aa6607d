import { migrateStore } from '../compose/store.ts';
import { reindexCollections } from '../compose/reindex.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Makes the search index anew from the database: of all collections, or of those that are named. */
export const reindex: Command = async ({ line, out, load }) => {
  const loaded = load();
  const { config } = loaded;
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const count = await withDatabase(loaded, out, async (database, store, log) => {
    await migrateStore(database, { copyRows: store.copyRows, config, onProgress });
    return reindexCollections({ config, database, log, ids: line.positionals }, onProgress);
  });
  out.print(count === 1 ? 'Made the index of 1 collection anew.' : `Made the indexes of ${count} collections anew.`);
  return 0;
};
