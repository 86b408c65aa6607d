import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client, type Reply, type Request } from './client.ts';
import type { OpenSearchOptions } from './options.ts';
import { readServer } from './server.ts';

// Snapshots of all our indices, in a repository that the operator of the cluster has registered there.

const LOOK_MS = 500;
/** Looks in a row at which nothing comes back any more. */
const IDLE_LOOKS = 20;
/** What the server does while it waits for us. */
const ASK_MS = 60_000;

/** Where a snapshot is. */
export interface SnapshotPlace {
  readonly repository: string;
  readonly snapshot: string;
}

/** Why something was not done, in words of the server. */
export class SnapshotError extends Error {}

function reasonOf({ status, body }: Reply): string {
  const { type, reason } = (body?.error ?? {}) as { readonly type?: string; readonly reason?: string };
  return `${status} ${type ?? ''}: ${reason ?? ''}`.slice(0, 300);
}

/** Sends a request. Throws SnapshotError for an answer that is an error, and Unreachable. */
async function ask(client: Client, request: Request): Promise<Reply['body']> {
  const reply = await client.send({ timeoutMs: ASK_MS, ...request });
  if (reply.status >= 300) throw new SnapshotError(reasonOf(reply));
  return reply.body;
}

const pathOf = ({ repository, snapshot }: SnapshotPlace): string => `/_snapshot/${repository}/${snapshot}`;
const ownOf = ({ prefix }: OpenSearchOptions): string => `${prefix}-i-*`;

async function withClient<T>(options: OpenSearchOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(options);
  try {
    const { refusal } = await readServer(client);
    if (refusal !== null) throw new SnapshotError(refusal);
    return await work(client);
  } finally {
    await client.close();
  }
}

const stateOf = async (client: Client, place: SnapshotPlace): Promise<string> =>
  String((await ask(client, { method: 'GET', path: pathOf(place) }))?.snapshots?.[0]?.state);

/** Removes a snapshot. Throws SnapshotError and Unreachable. */
export const removeSnapshot = (options: OpenSearchOptions, place: SnapshotPlace): Promise<void> =>
  withClient(options, async (client) => void (await ask(client, { method: 'DELETE', path: pathOf(place) })));

/**
 * Makes a snapshot of all our indices, while they are used. Resolves once it is whole; one that is not leaves none. Throws SnapshotError,
 * Unreachable, and Error where the server refuses us.
 */
export const takeSnapshot = (options: OpenSearchOptions, place: SnapshotPlace): Promise<void> =>
  withClient(options, async (client) => {
    const body = { indices: ownOf(options), include_global_state: false, partial: false, ignore_unavailable: true };
    await ask(client, { method: 'PUT', path: pathOf(place), body, attempts: 1 });
    let state: string;
    do {
      await delay(LOOK_MS);
      state = await stateOf(client, place);
    } while (state === 'IN_PROGRESS' || state === 'STARTED');
    if (state === 'SUCCESS') return;
    await ask(client, { method: 'DELETE', path: pathOf(place) }).catch(() => undefined);
    throw new SnapshotError(`the snapshot came to the state ${state}`);
  });

/** Names of our indices that are there. Throws SnapshotError, Unreachable, and Error where the server refuses us. */
export const ownIndices = (options: OpenSearchOptions): Promise<readonly string[]> =>
  withClient(options, (client) => listOwn(client, options));

const listOwn = async (client: Client, options: OpenSearchOptions): Promise<readonly string[]> =>
  Object.keys((await ask(client, { method: 'GET', path: `/${ownOf(options)}/_alias` })) ?? {});

/** Removes all our indices. Throws as the others. */
export const dropAll = (options: OpenSearchOptions): Promise<void> =>
  withClient(options, async (client) => dropThese(client, await listOwn(client, options)));

async function dropThese(client: Client, indices: readonly string[]): Promise<void> {
  for (const index of indices)
    await ask(client, { method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } });
}

interface IndexHealth {
  readonly number_of_shards?: number;
  readonly active_primary_shards?: number;
}

/** How our indices come back: those that do not, once nothing moves any more. Throws SnapshotError. */
async function waitForShards(client: Client, options: OpenSearchOptions): Promise<readonly string[]> {
  for (let [idle, last] = [0, '']; ;) {
    const health = await ask(client, {
      method: 'GET',
      path: `/_cluster/health/${ownOf(options)}`,
      query: { level: 'indices', timeout: '1s' },
    });
    // One that has only just begun to come back is not red yet.
    const red = Object.entries<IndexHealth>(health?.indices ?? {}).flatMap(
      ([index, { number_of_shards: all = 0, active_primary_shards: active = 0 }]) => (active < all ? [index] : []),
    );
    if (red.length === 0) return [];
    const now = JSON.stringify([red, health?.initializing_shards, health?.active_shards]);
    idle = health?.initializing_shards > 0 || now !== last ? 0 : idle + 1;
    if (idle >= IDLE_LOOKS) return red;
    last = now;
    await delay(LOOK_MS);
  }
}

/**
 * Brings our indices back from a snapshot, with the names by which tables are used; none of them may be there. Resolves with how many are
 * there, and how many of them were damaged and are not. Throws SnapshotError where nothing could be brought back, Unreachable, and Error where the
 * server refuses us; then none of them is there.
 */
export const restoreSnapshot = (
  options: OpenSearchOptions,
  place: SnapshotPlace,
): Promise<{ readonly indices: number; readonly damaged: number }> =>
  withClient(options, async (client) => {
    const state = await stateOf(client, place);
    if (state !== 'SUCCESS') throw new SnapshotError(`the snapshot is in the state ${state}`);
    try {
      const body = { indices: ownOf(options), include_global_state: false, include_aliases: true };
      await ask(client, { method: 'POST', path: `${pathOf(place)}/_restore`, body, attempts: 1 });
      const damaged = await waitForShards(client, options);
      await dropThese(client, damaged);
      return { indices: (await listOwn(client, options)).length, damaged: damaged.length };
    } catch (error) {
      await dropThese(client, await listOwn(client, options).catch(() => [])).catch(() => undefined);
      throw error;
    }
  });
