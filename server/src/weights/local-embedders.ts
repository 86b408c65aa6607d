import type { Logger } from '../kernel/log.ts';
import type { LocalEmbedder } from '../models/local.ts';
import { EmbeddingProfile } from '../models/profile.ts';
import type { Database, WithinChange } from '../ports/database.ts';
import type { BindingDeps } from './bindings.ts';
import { type WatchedList, watchList } from './watch-list.ts';

const CHANNEL = 'local_embedders';

/** How embedding models of this machine are read where somebody said so, in the order of their ids. */
async function listEmbedders(db: Database): Promise<readonly LocalEmbedder[]> {
  const rows = await db.query
    .selectFrom('local_embedders')
    .select(['local_id', 'settings'])
    .orderBy('local_id')
    .execute();
  return rows.flatMap(({ local_id: localId, settings }) => {
    // What a later version wrote may be more than this one knows.
    const { data } = EmbeddingProfile.safeParse(settings);
    return data ? [{ localId, settings: data }] : [];
  });
}

async function setEmbedder(
  { db, bus }: BindingDeps,
  { localId, settings }: LocalEmbedder,
  within?: WithinChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    const text = JSON.stringify(settings);
    if (Object.keys(settings).length === 0)
      await tx.deleteFrom('local_embedders').where('local_id', '=', localId).execute();
    else
      await tx
        .insertInto('local_embedders')
        .values({ local_id: localId, settings: text })
        .onConflict((conflict) => conflict.column('local_id').doUpdateSet({ settings: text, changed_at: new Date() }))
        .execute();
    await within?.(tx);
  });
  await bus.publish(CHANNEL, null);
}

/** What people said of embedding models of this machine, for whoever lists and changes it. */
export interface EmbedderAccess {
  list(): Promise<readonly LocalEmbedder[]>;
  /** In every process of the installation from now on; without any setting the model is read as its file and its name say. */
  set(embedder: LocalEmbedder, within?: WithinChange): Promise<void>;
}

/** The settings in a database. */
export const createEmbedderAccess = (deps: BindingDeps): EmbedderAccess => ({
  list: () => listEmbedders(deps.db),
  set: (embedder, within) => setEmbedder(deps, embedder, within),
});

/** Reads the settings, and again whenever somebody changed them. */
export const watchEmbedders = ({
  db,
  bus,
  log,
}: BindingDeps & { readonly log: Logger }): Promise<WatchedList<LocalEmbedder>> =>
  watchList({ bus, log, channel: CHANNEL, read: () => listEmbedders(db), what: 'settings of embedding models' });
