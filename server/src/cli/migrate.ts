import { migrateStore } from '../compose/store.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrate: Command = async ({ out, load }) => {
  const loaded = load();
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const { applied } = await withDatabase(loaded, out, (database, store) =>
    migrateStore(database, { copyRows: store.copyRows, config: loaded.config, onProgress }),
  );
  out.print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
  return 0;
};
