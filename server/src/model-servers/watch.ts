import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { trouble } from '../ports/engine-trouble.ts';
import { type ConnectedServer, sealPurpose, toModel } from './record.ts';

/** Channel on which changes are announced. */
export const CHANNEL = 'model_servers';

/** The connected servers as this process knows them. */
export interface ConnectedServers {
  list(): readonly ConnectedServer[];
  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** The connected servers, watched in the database. */
export interface WatchedServers extends ConnectedServers {
  /** Safe to repeat. */
  close(): Promise<void>;
}

export interface WatchDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  /** Engine names of the configuration, which take precedence over connected servers. */
  readonly taken: ReadonlySet<string>;
  readonly log: Logger;
}

/** Delay before the servers are read again after a failure. */
const RETRY_MS = 2_000;

/** Reads all connected servers with decrypted keys, in order of creation. */
export async function readServers({
  db,
  box,
  taken,
  log,
}: Omit<WatchDeps, 'bus'>): Promise<readonly ConnectedServer[]> {
  const rows = await db.query.selectFrom('model_servers').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => {
    let apiKey: string | null = null;
    const isShadowed = taken.has(row.name);
    let problem = isShadowed ? 'The configuration has an engine of this name, which counts before it' : null;
    let serverTrouble = isShadowed ? trouble('engine_name_taken') : null;
    try {
      if (row.sealed_api_key !== null) apiKey = box.open(row.sealed_api_key, sealPurpose(row.id));
    } catch (error) {
      problem = error instanceof Error ? error.message : 'Its key cannot be opened';
      serverTrouble = trouble('engine_key_sealed');
      log.error({ server: row.name, reason: problem }, 'key of a model server cannot be opened');
    }
    return {
      id: row.id,
      name: row.name,
      baseUrl: row.base_url,
      hasApiKey: row.sealed_api_key !== null,
      apiKey,
      problem,
      trouble: serverTrouble,
      dialect: row.dialect,
      models: row.models.map(toModel),
      version: row.version,
      createdAt: row.created_at.toISOString(),
    };
  });
}

/** Reads the servers, and reads them again after every change. */
export async function watchModelServers(deps: WatchDeps): Promise<WatchedServers> {
  const listeners = new Set<() => void>();
  let servers: readonly ConnectedServer[] = [];
  let lastRead = 0;
  let appliedRead = 0;
  let retryTimer: NodeJS.Timeout | null = null;
  const read = async () => {
    const readNumber = ++lastRead;
    const found = await readServers(deps);
    // A later read has newer data.
    if (readNumber < appliedRead) return;
    appliedRead = readNumber;
    servers = found;
    for (const listener of listeners) listener();
  };
  const reread = () => {
    if (retryTimer) clearTimeout(retryTimer);
    retryTimer = null;
    read().catch((error: unknown) => {
      deps.log.error({ err: error }, 'model servers could not be read');
      retryTimer ??= setTimeout(reread, RETRY_MS).unref();
    });
  };
  const unsubscribe = await deps.bus.subscribe(CHANNEL, reread, reread);
  await read();
  return {
    list: () => servers,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      if (retryTimer) clearTimeout(retryTimer);
      await unsubscribe();
    },
  };
}

/** Maximum time that a verb waits for its own process to apply a change; the others are notified at the same time. */
const TIMEOUT_MS = 2_000;

/** Resolves once this process has applied a change, or after a timeout. */
export async function untilApplied(
  servers: ConnectedServers,
  isApplied: (list: readonly ConnectedServer[]) => boolean,
): Promise<void> {
  if (isApplied(servers.list())) return;
  const waitController = new AbortController();
  const changed = new Promise<void>((resolve) => {
    const stop = servers.onChange(() => {
      if (isApplied(servers.list())) resolve();
    });
    waitController.signal.addEventListener('abort', stop, { once: true });
  });
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: waitController.signal, ref: false }).catch(() => undefined);
  await Promise.race([changed, timeout]);
  waitController.abort();
}
