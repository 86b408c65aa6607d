import type { OpenedHost } from '@ai-studio/contract/console/network.ts';
import type { Transaction } from 'kysely';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';
import { type Database, isUniqueViolation, type Tables } from '../ports/database.ts';
import { type AllowList, parseAllowList } from './addresses.ts';
import { openableHost } from './openable-host.ts';

/** Channel on which changes are announced. */
const CHANNEL = 'opened_hosts';
/** Delay before they are read again after a failure. */
const RETRY_MS = 2_000;
/** All that are opened in the console. */
const MAX_HOSTS = 500;

/** Writes the act down within its transaction. */
type Within = (tx: Transaction<Tables>, host: OpenedHost) => Promise<void>;

/** Private hosts that requests may go to, as this process follows them. */
export interface OpenedHosts {
  /** What is open now: those of the configuration, and those opened in the console. */
  readonly allowed: () => AllowList;
  /** Entries of the configuration. */
  readonly configured: readonly string[];
  /** Those opened in the console, in order. */
  list(): Promise<OpenedHost[]>;
  /** Opens one for all tenants; once this resolves, this process goes there. Throws StudioError `invalid_request`, `conflict`. */
  open(
    host: { readonly host: string; readonly note: string; readonly openedBy: string },
    within: Within,
  ): Promise<OpenedHost>;
  /** Closes one. Throws StudioError `not_found`. */
  shut(id: string, within: Within): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

interface Deps {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly configured: readonly string[];
}

const toOut = (row: { id: string; host: string; note: string; opened_by: string; opened_at: Date }): OpenedHost => ({
  id: row.id,
  host: row.host,
  note: row.note,
  opened_by: row.opened_by,
  opened_at: row.opened_at.toISOString(),
});

const readHosts = async ({ db }: Pick<Deps, 'db'>) =>
  (await db.query.selectFrom('opened_hosts').selectAll().orderBy('host').execute()).map(toOut);

/** Follows the list in this process, now and after every change. */
async function follow({ db, bus, log, configured }: Deps) {
  const own = parseAllowList(configured);
  let current: AllowList = own;
  let lastRead = 0;
  let appliedRead = 0;
  let retryTimer: NodeJS.Timeout | null = null;
  const read = async () => {
    const readNumber = ++lastRead;
    const hosts = await readHosts({ db });
    // A later read has newer data.
    if (readNumber < appliedRead) return;
    appliedRead = readNumber;
    current = { ...own, added: parseAllowList(hosts.map(({ host }) => host)) };
  };
  const reread = () => {
    if (retryTimer) clearTimeout(retryTimer);
    retryTimer = null;
    read().catch((error: unknown) => {
      log.error({ err: error }, 'opened hosts could not be read');
      retryTimer ??= setTimeout(reread, RETRY_MS).unref();
    });
  };
  const unsubscribe = await bus.subscribe(CHANNEL, reread, reread);
  await read();
  return {
    allowed: () => current,
    async changed() {
      await bus.publish(CHANNEL, null);
      await read();
    },
    async close() {
      if (retryTimer) clearTimeout(retryTimer);
      await unsubscribe();
    },
  };
}

/** Opens the list of private hosts that requests may go to. Throws RangeError for an entry of the configuration that is none. */
export async function openOpenedHosts(deps: Deps): Promise<OpenedHosts> {
  const { db, configured } = deps;
  const followed = await follow(deps);
  return {
    allowed: followed.allowed,
    configured,
    list: () => readHosts(deps),
    async open({ host: given, note, openedBy }, within) {
      const host = openableHost(given);
      if (host === null)
        throw new StudioError('invalid_request', 'host must be a name, an address or a network that may be opened', {
          param: 'host',
          reason: 'host_not_openable',
        });
      const opened = await db
        .transaction(async (tx) => {
          const { count } = await tx
            .selectFrom('opened_hosts')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow();
          if (Number(count) >= MAX_HOSTS)
            throw new StudioError('conflict', `There are ${MAX_HOSTS} opened hosts already; close one first`);
          const row = await tx
            .insertInto('opened_hosts')
            .values({ id: hexId(), host, note: note.trim(), opened_by: openedBy })
            .returningAll()
            .executeTakeFirstOrThrow();
          await within(tx, toOut(row));
          return toOut(row);
        })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error;
          throw new StudioError('conflict', `${host} is opened already`, {
            param: 'host',
            reason: 'host_opened',
            cause: error,
          });
        });
      await followed.changed();
      return opened;
    },
    async shut(id, within) {
      await db.transaction(async (tx) => {
        const row = await tx.deleteFrom('opened_hosts').where('id', '=', id).returningAll().executeTakeFirst();
        if (row === undefined) throw new StudioError('not_found', 'There is no such opened host');
        await within(tx, toOut(row));
      });
      await followed.changed();
    },
    close: followed.close,
  };
}
