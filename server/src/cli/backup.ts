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
  const report = await withDatabase(loaded, out, (_database, store, log) =>
    backUpStore({ config, store, log }, { folder, withKey: own['with-key'] !== undefined }, onProgress),
  );
  if (own['json'] === true) out.print(JSON.stringify(report));
  else {
    out.print(`Copied to ${report.folder}`);
    if (!report.files) out.note('Files in object storage are not part of it: use the copies of the storage itself.');
    if (!report.key)
      out.note('The key of the secrets is not in it (--with-key puts it there): keep a copy of it apart.');
    if (report.index !== null) out.note(`The search index is in it, as snapshot ${report.index} in OpenSearch.`);
    else if (report.indexTrouble !== null)
      out.note(
        `The search index is not in it and will be made anew: OpenSearch made no snapshot (${report.indexTrouble}).`,
      );
    else out.note('The search index is not in it: it is made anew from the rows.');
    out.note('"studio restore FOLDER" makes an installation of it.');
  }
  return 0;
};

/** Makes an installation of a copy. */
export const restore: Command = async ({ line, out, load }) => {
  const [folder] = line.positionals;
  if (folder === undefined) throw new UsageError('Use "studio restore FOLDER", with an empty data folder.');
  const { config } = load();
  const index = await restoreStore(
    { config, log: commandLog(), onProgress: (message) => out.note(`▸ ${message}`) },
    folder,
  );
  const what = !index.there
    ? 'The search index is made anew when the service starts.'
    : index.from === 'copy'
      ? 'The search index was brought back from its snapshot, and compared with the rows.'
      : 'The search index in the object storage was compared with the rows; what is not in it is made anew when the service starts.';
  out.print(`${config.data_dir} holds what the copy held. ${what}`);
  if (!index.there && index.reason !== null) out.note(`Its snapshot could not be brought back: ${index.reason}`);
  return 0;
};
