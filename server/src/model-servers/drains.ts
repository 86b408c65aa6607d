import type { Transaction } from 'kysely';
import type { AddressName } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database, DatabaseDeps, Tables } from '../ports/database.ts';

/** Channel on which changes are announced. */
const CHANNEL = 'engine_drains';
/** Delay before the drains are read again after a failure. */
const RETRY_MS = 2_000;

/** An address that gets no new calls. */
export interface DrainedAddress extends AddressName {
  /** Since when, ISO 8601 in UTC. */
  readonly since: string;
}

/** The addresses that are drained, in order. */
export async function readDrains({ db }: DatabaseDeps): Promise<readonly DrainedAddress[]> {
  const rows = await db.query.selectFrom('engine_drains').selectAll().orderBy('engine').orderBy('url').execute();
  return rows.map(({ engine, url, drained_at: since }) => ({ engine, url, since: since.toISOString() }));
}

/** Where drains are kept, and announced to all processes. */
interface DrainDeps {
  readonly db: Database;
  readonly bus: Pick<Bus, 'publish'>;
}

/** Drains an address, or puts it back to work, in all processes and for all tenants. Resolves with whether that changed anything. */
export async function setDrained(
  { db, bus }: DrainDeps,
  { engine, url }: AddressName,
  isDrained: boolean,
  within?: (tx: Transaction<Tables>) => Promise<void>,
): Promise<boolean> {
  const changed = await db.transaction(async (tx) => {
    const rows = isDrained
      ? await tx
          .insertInto('engine_drains')
          .values({ engine, url })
          .onConflict((conflict) => conflict.doNothing())
          .returning('engine')
          .execute()
      : await tx
          .deleteFrom('engine_drains')
          .where('engine', '=', engine)
          .where('url', '=', url)
          .returning('engine')
          .execute();
    if (rows.length > 0) await within?.(tx);
    return rows.length > 0;
  });
  if (changed) await bus.publish(CHANNEL, null);
  return changed;
}

/** The drains as a process follows them. */
export interface WatchedDrains {
  /** Drains an address, or puts it back; resolves once this process does so. The others are told at the same time. */
  set(address: AddressName, isDrained: boolean, within?: (tx: Transaction<Tables>) => Promise<void>): Promise<boolean>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** Applies the drains in this process, now and after every change. */
export async function watchDrains({
  db,
  bus,
  log,
  apply,
}: {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly apply: (addresses: readonly AddressName[]) => void;
}): Promise<WatchedDrains> {
  let lastRead = 0;
  let appliedRead = 0;
  let retryTimer: NodeJS.Timeout | null = null;
  const read = async () => {
    const readNumber = ++lastRead;
    const found = await readDrains({ db });
    // A later read has newer data.
    if (readNumber < appliedRead) return;
    appliedRead = readNumber;
    apply(found);
  };
  const reread = () => {
    if (retryTimer) clearTimeout(retryTimer);
    retryTimer = null;
    read().catch((error: unknown) => {
      log.error({ err: error }, 'drained addresses could not be read');
      retryTimer ??= setTimeout(reread, RETRY_MS).unref();
    });
  };
  const unsubscribe = await bus.subscribe(CHANNEL, reread, reread);
  await read();
  return {
    async set(address, isDrained, within) {
      const changed = await setDrained({ db, bus }, address, isDrained, within);
      await read();
      return changed;
    },
    async close() {
      if (retryTimer) clearTimeout(retryTimer);
      await unsubscribe();
    },
  };
}
