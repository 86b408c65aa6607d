import { moveCollections } from '../compose/reindex.ts';
import { migrateStore } from '../compose/store.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Fills the search index of another place from the database. */
export const search: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['to']);
  const { to } = own;
  if (line.positionals[0] !== 'move' || (to !== 'opensearch' && to !== 'embedded'))
    throw new UsageError('"studio search move --to opensearch" or "--to embedded" fills the index of that place.');
  const loaded = load(rest);
  const { config } = loaded;
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const count = await withDatabase(loaded, out, async (database, store, log) => {
    await migrateStore(database, { copyRows: store.copyRows, config, onProgress });
    return moveCollections({ config, database, log }, to, onProgress);
  });
  out.print(
    `The index of ${count === 1 ? '1 collection' : `${count} collections`} is there, and was compared with the database.`,
  );
  return 0;
};
