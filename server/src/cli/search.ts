import { moveCollections } from '../compose/reindex.ts';
import { reshardCollections } from '../compose/search-server.ts';
import { migrateStore } from '../compose/store.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { commandLog, withDatabase } from './with-database.ts';

const counted = (count: number): string => (count === 1 ? '1 collection' : `${count} collections`);

/** Gives collections that have an index of their own in OpenSearch as many shards as they want now. */
const reshard: Command = async ({ line, out, load }) => {
  const ids = line.positionals.slice(1);
  const { config } = load();
  const { moved, left } = await reshardCollections(config, commandLog(), ids, (message) => out.note(`▸ ${message}`));
  out.print(`The indexes of ${counted(moved.length)} have another number of shards now.`);
  if (left.length === 0) return 0;
  out.note(
    `${counted(left.length)} could not be moved now, as they are written too fast or by another process: run it again.`,
  );
  return 1;
};

/** Fills the search index of another place from the database. */
const move: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['to']);
  const { to } = own;
  if (to !== 'opensearch' && to !== 'embedded')
    throw new UsageError('"studio search move --to opensearch" or "--to embedded" fills the index of that place.');
  const loaded = load(rest);
  const { config } = loaded;
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const count = await withDatabase(loaded, out, async (database, store, log) => {
    await migrateStore(database, { copyRows: store.copyRows, config, onProgress });
    return moveCollections({ config, database, log }, to, onProgress);
  });
  out.print(`The index of ${counted(count)} is there, and was compared with the database.`);
  return 0;
};

/** What is done about the search index by hand. */
export const search: Command = (given) => {
  const [what] = given.line.positionals;
  if (what === 'move') return move(given);
  if (what === 'reshard') return reshard(given);
  throw new UsageError(
    '"studio search move --to opensearch" (or "--to embedded") fills the index of that place; "studio search reshard" counts the shards of large collections anew.',
  );
};
