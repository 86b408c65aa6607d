import type { NewModelServer } from '@ai-studio/contract/console/models.ts';
import type { Selectable, Transaction } from 'kysely';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database, Tables } from '../ports/database.ts';
import type { ProbeServer, ServerAddress, ServerProbe } from '../ports/server-probe.ts';
import { type ConnectedModel, sealPurpose } from './record.ts';
import { CHANNEL, type ConnectedServers, untilApplied } from './watch.ts';

/** Dependencies of the verbs. */
export interface ServerVerbDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  readonly servers: ConnectedServers;
  readonly probeServer: ProbeServer;
  /** The models of the configuration, and all current ones. */
  readonly configured: Catalogue;
  readonly catalogue: Catalogue;
  /** Engine names that the configuration or the service uses. */
  readonly taken: ReadonlySet<string>;
}

/** Work in the same transaction as a change of a server, such as its entry in the audit log. */
export type WithinServerChange = (
  tx: Transaction<Tables>,
  server: Pick<ServerRow, 'id' | 'name' | 'base_url'>,
) => Promise<void>;

export type ServerRow = Selectable<Tables['model_servers']>;

/** Finds a server to change. Throws StudioError `not_found`, `conflict` for a server of the configuration. */
export async function findServer({ db, taken }: ServerVerbDeps, id: string): Promise<ServerRow> {
  const row = await db.query.selectFrom('model_servers').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) return row;
  throw taken.has(id)
    ? new StudioError('conflict', `The engine ${id} is of the configuration, and is changed there`)
    : new StudioError('not_found', 'There is no such model server');
}

/** Announces a change to all processes, and waits until this one has applied it. `version` is null for a removal. */
export async function announceChange(
  { bus, servers }: ServerVerbDeps,
  id: string,
  version: number | null,
): Promise<void> {
  await bus.publish(CHANNEL, null);
  await untilApplied(servers, (list) => {
    const found = list.find((server) => server.id === id);
    return version === null ? !found : (found?.version ?? 0) >= version;
  });
}

/** Probes an address. Throws StudioError `client_closed` when the caller is gone. */
export async function probeAddress(
  { probeServer }: ServerVerbDeps,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerProbe> {
  try {
    return await probeServer(address, signal);
  } catch (cause) {
    throw signal.aborted ? new StudioError('client_closed', 'Nobody waits for it any more', { cause }) : cause;
  }
}

/** Probes an address before it is stored. Throws StudioError `invalid_request` for a forbidden address. */
export async function probeBeforeSaving(
  deps: ServerVerbDeps,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerProbe> {
  const found = await probeAddress(deps, address, signal);
  if (!found.ok && found.problem === 'not_allowed')
    throw new StudioError('invalid_request', found.message, { param: 'base_url', reason: 'engine_closed_address' });
  return found;
}

/** Opens the stored key. Throws StudioError `unavailable` where that fails. */
export const openKey = ({ box }: ServerVerbDeps, { id, sealed_api_key: sealed }: ServerRow) =>
  sealed === null ? null : box.open(sealed, sealPurpose(id));

export const sealKey = ({ box }: ServerVerbDeps, id: string, key: string | null) =>
  key === null ? null : box.seal(key, sealPurpose(id));

type RequestedModel = Pick<ConnectedModel, 'remoteId' | 'id' | 'kind'>;

export const toRequestedModels = (models: z.output<typeof NewModelServer>['models']): RequestedModel[] =>
  models.map(({ remote_id, id, kind }) => ({ remoteId: remote_id, id, kind }));

/** Completes the requested models: since when each serves its id, and the context length that the server reports. */
export function settleModels(
  requested: readonly RequestedModel[],
  previous: readonly ConnectedModel[],
  probed: ServerProbe,
): readonly ConnectedModel[] {
  const now = new Date().toISOString();
  return requested.map((model) => {
    const previousModel = previous.find(({ id, remoteId }) => id === model.id && remoteId === model.remoteId);
    const listedModel = probed.ok ? probed.models.find(({ name }) => name === model.remoteId) : undefined;
    return {
      ...model,
      contextLength: listedModel?.contextLength ?? previousModel?.contextLength ?? null,
      boundAt: previousModel?.boundAt ?? now,
    };
  });
}
