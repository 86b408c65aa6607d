import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { trouble } from '../ports/engine-trouble.ts';
import { type ConnectedServer, sealPurpose, toModel } from './record.ts';

/** Where changes are told. */
export const CHANNEL = 'model_servers';

/** The connected servers as this process knows them now. */
export interface ConnectedServers {
  list(): readonly ConnectedServer[];
  /** Returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** The same, read from the database. */
export interface WatchedServers extends ConnectedServers {
  /** Safe to repeat. */
  close(): Promise<void>;
}

export interface WatchDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  /** Names of engines of the configuration, which count before those of the same name here. */
  readonly taken: ReadonlySet<string>;
  readonly log: Logger;
}

/** Before the servers are read again after a failure. */
const RETRY_MS = 2_000;

/** Every connected server with its key opened, in the order in which they came. */
async function readServers({ db, box, taken, log }: WatchDeps): Promise<readonly ConnectedServer[]> {
  const rows = await db.query.selectFrom('model_servers').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => {
    let apiKey: string | null = null;
    const shadowed = taken.has(row.name);
    let problem = shadowed ? 'The configuration has an engine of this name, which counts before it' : null;
    let why = shadowed ? trouble('engine_name_taken') : null;
    try {
      if (row.sealed_api_key !== null) apiKey = box.open(row.sealed_api_key, sealPurpose(row.id));
    } catch (error) {
      problem = error instanceof Error ? error.message : 'Its key cannot be opened';
      why = trouble('engine_key_sealed');
      log.error({ server: row.name, reason: problem }, 'the key of a model server cannot be opened');
    }
    return {
      id: row.id,
      name: row.name,
      baseUrl: row.base_url,
      hasApiKey: row.sealed_api_key !== null,
      apiKey,
      problem,
      trouble: why,
      dialect: row.dialect,
      models: row.models.map(toModel),
      version: row.version,
      createdAt: row.created_at.toISOString(),
    };
  });
}

/** Reads the servers, and again whenever somebody changed them. */
export async function watchModelServers(deps: WatchDeps): Promise<WatchedServers> {
  const listeners = new Set<() => void>();
  let servers: readonly ConnectedServer[] = [];
  let started = 0;
  let shown = 0;
  let retry: NodeJS.Timeout | null = null;
  const read = async () => {
    const mine = ++started;
    const found = await readServers(deps);
    // One that began later has seen more.
    if (mine < shown) return;
    shown = mine;
    servers = found;
    for (const listener of listeners) listener();
  };
  const reread = () => {
    if (retry) clearTimeout(retry);
    retry = null;
    read().catch((error: unknown) => {
      deps.log.error({ err: error }, 'the model servers could not be read');
      retry ??= setTimeout(reread, RETRY_MS).unref();
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
      if (retry) clearTimeout(retry);
      await unsubscribe();
    },
  };
}

/** How long a verb waits for its own process to have taken a change in; the others are told at the same time. */
const TIMEOUT_MS = 2_000;

/** Resolves when this process has taken in a change, or has had time to. */
export async function untilSeen(
  servers: ConnectedServers,
  seen: (list: readonly ConnectedServer[]) => boolean,
): Promise<void> {
  if (seen(servers.list())) return;
  const waiting = new AbortController();
  const changed = new Promise<void>((resolve) => {
    const stop = servers.onChange(() => {
      if (seen(servers.list())) resolve();
    });
    waiting.signal.addEventListener('abort', stop, { once: true });
  });
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([changed, timeout]);
  waiting.abort();
}
