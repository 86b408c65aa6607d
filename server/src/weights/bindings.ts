import type { Logger } from '../kernel/log.ts';
import type { LocalBinding } from '../models/local.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database, WithinChange } from '../ports/database.ts';
import { type WatchedList, watchList } from './watch-list.ts';

export interface BindingDeps {
  readonly db: Database;
  readonly bus: Bus;
}

const CHANNEL = 'model_bindings';

/** Every binding, in the order of the ids. */
async function listBindings(db: Database): Promise<readonly LocalBinding[]> {
  const rows = await db.query
    .selectFrom('model_bindings')
    .select(['catalogue_id', 'local_id', 'created_at'])
    .orderBy('catalogue_id')
    .execute();
  return rows.map((row) => ({
    catalogueId: row.catalogue_id,
    localId: row.local_id,
    boundAt: row.created_at.toISOString(),
  }));
}

/** Lets a local model serve an id of the catalogue from now on, in every process of the installation. */
async function bindModel(
  { db, bus }: BindingDeps,
  { catalogueId, localId }: LocalBinding,
  within?: WithinChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insertInto('model_bindings')
      .values({ catalogue_id: catalogueId, local_id: localId })
      .onConflict((conflict) =>
        conflict.column('catalogue_id').doUpdateSet({ local_id: localId, created_at: new Date() }),
      )
      .execute();
    await within?.(tx);
  });
  await bus.publish(CHANNEL, null);
}

/** Gives an id back to the engines of the configuration. Returns whether it was bound. */
async function unbindModel({ db, bus }: BindingDeps, catalogueId: string, within?: WithinChange): Promise<boolean> {
  const was = await db.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('model_bindings')
      .where('catalogue_id', '=', catalogueId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await within?.(tx);
    return numDeletedRows > 0n;
  });
  await bus.publish(CHANNEL, null);
  return was;
}

/** The bindings of an installation, for whoever lists and changes them. `within` is part of the change, such as its note in the audit log. */
export interface BindingAccess {
  list(): Promise<readonly LocalBinding[]>;
  bind(binding: LocalBinding, within?: WithinChange): Promise<void>;
  /** Returns whether it was bound; `within` is called only then. */
  unbind(catalogueId: string, within?: WithinChange): Promise<boolean>;
}

/** The bindings in a database. */
export const createBindings = (deps: BindingDeps): BindingAccess => ({
  list: () => listBindings(deps.db),
  bind: (binding, within) => bindModel(deps, binding, within),
  unbind: (catalogueId, within) => unbindModel(deps, catalogueId, within),
});

/** The bindings as they are now, in memory. */
export type Bindings = WatchedList<LocalBinding>;

/** Reads the bindings, and again whenever somebody changed them. */
export const watchBindings = ({ db, bus, log }: BindingDeps & { readonly log: Logger }): Promise<Bindings> =>
  watchList({ bus, log, channel: CHANNEL, read: () => listBindings(db), what: 'bindings of models' });
