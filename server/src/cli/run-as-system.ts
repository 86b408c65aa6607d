import { createBus, migrateStore } from '../compose/store.ts';
import type { LoadedConfig } from '../config/index.ts';
import { ensureDefaultTenant, systemAuditActor, type TenantAuditActor } from '../identity/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { Output } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Where a command changes something, and tells the processes of the service. */
interface ChangeDeps {
  readonly db: Database;
  readonly bus: Bus;
}

/** Does the work as the service itself, for the first tenant; the schema is brought up to date before. */
export async function runAsSystem<T>(
  loaded: LoadedConfig,
  out: Output,
  work: (deps: ChangeDeps, who: TenantAuditActor) => Promise<T>,
): Promise<T> {
  return withDatabase(loaded, out, async (database, store, log) => {
    await migrateStore(database, {
      copyRows: store.copyRows,
      config: loaded.config,
      onProgress: (message) => out.note(`▸ ${message}`),
    });
    const bus = await createBus(loaded.config, database, log);
    try {
      const tenantId = await ensureDefaultTenant({ db: database });
      return await work({ db: database, bus }, systemAuditActor(tenantId));
    } finally {
      await bus.close();
    }
  });
}
