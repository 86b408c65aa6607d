import type { Logger } from '../kernel/log.ts';
import type { LocalBinding } from '../models/local.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';

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
async function bindModel({ db, bus }: BindingDeps, { catalogueId, localId }: LocalBinding): Promise<void> {
  await db.query
    .insertInto('model_bindings')
    .values({ catalogue_id: catalogueId, local_id: localId })
    .onConflict((conflict) =>
      conflict.column('catalogue_id').doUpdateSet({ local_id: localId, created_at: new Date() }),
    )
    .execute();
  await bus.publish(CHANNEL, null);
}

/** Gives an id back to the engines of the configuration. Returns whether it was bound. */
async function unbindModel({ db, bus }: BindingDeps, catalogueId: string): Promise<boolean> {
  const { numDeletedRows } = await db.query
    .deleteFrom('model_bindings')
    .where('catalogue_id', '=', catalogueId)
    .executeTakeFirst();
  await bus.publish(CHANNEL, null);
  return numDeletedRows > 0n;
}

/** The bindings of an installation, for whoever lists and changes them. */
export interface BindingAccess {
  list(): Promise<readonly LocalBinding[]>;
  bind(binding: LocalBinding): Promise<void>;
  /** Returns whether it was bound. */
  unbind(catalogueId: string): Promise<boolean>;
}

/** The bindings in a database. */
export const createBindings = (deps: BindingDeps): BindingAccess => ({
  list: () => listBindings(deps.db),
  bind: (binding) => bindModel(deps, binding),
  unbind: (catalogueId) => unbindModel(deps, catalogueId),
});

/** The bindings as they are now, in memory. */
export interface Bindings {
  list(): readonly LocalBinding[];
  /** Returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** Reads the bindings, and again whenever somebody changed them. */
export async function watchBindings({ db, bus, log }: BindingDeps & { readonly log: Logger }): Promise<Bindings> {
  const listeners = new Set<() => void>();
  let bindings: readonly LocalBinding[] = [];
  const read = async () => {
    bindings = await listBindings(db);
    for (const listener of listeners) listener();
  };
  const reread = () =>
    void read().catch((error: unknown) => log.error({ err: error }, 'the bindings of models could not be read'));
  const unsubscribe = await bus.subscribe(CHANNEL, reread, reread);
  await read();
  return {
    list: () => bindings,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await unsubscribe();
    },
  };
}
