import { join } from 'node:path';
import { backUpStore, restoreStore } from '../compose/backup.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { commandLog, withDatabase } from './with-database.ts';

/** Copies an installation into a folder, also while it runs. */
export const backup: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['json', 'with-key']);
  const loaded = load(rest);
  const { config } = loaded;
  const [given] = line.positionals;
  const name = `backup-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const folder = given ?? join(config.data_dir, 'backups', name);
  const onProgress = (message: string) => out.note(`▸ ${message}`);
  const report = await withDatabase(loaded, out, (_database, store) =>
    backUpStore({ config, store }, { folder, withKey: own['with-key'] !== undefined }, onProgress),
  );
  if (own['json'] === true) out.print(JSON.stringify(report));
  else {
    out.print(`Copied to ${report.folder}`);
    if (!report.files) out.note('Files in object storage are not part of it: use the copies of the storage itself.');
    if (!report.key)
      out.note('The key of the secrets is not in it (--with-key puts it there): keep a copy of it apart.');
    out.note('"studio restore FOLDER" makes an installation of it.');
  }
  return 0;
};

/** Makes an installation of a copy. */
export const restore: Command = async ({ line, out, load }) => {
  const [folder] = line.positionals;
  if (folder === undefined) throw new UsageError('Use "studio restore FOLDER", with an empty data folder.');
  const { config } = load();
  await restoreStore({ config, log: commandLog(), onProgress: (message) => out.note(`▸ ${message}`) }, folder);
  out.print(`${config.data_dir} holds what the copy held. The search index is made anew when the service starts.`);
  return 0;
};
