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
import { CHANNEL, type ConnectedServers, untilSeen } from './watch.ts';

/** What the verbs work with. */
export interface ServerVerbDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  readonly servers: ConnectedServers;
  readonly probeServer: ProbeServer;
  /** The entries of the configuration, and those of now. */
  readonly configured: Catalogue;
  readonly catalogue: Catalogue;
  /** Names of engines that the configuration and the service itself have. */
  readonly taken: ReadonlySet<string>;
}

/** Work that is part of a change of a server, such as its note in the audit log: one does not stand without the other. */
export type WithinServerChange = (
  tx: Transaction<Tables>,
  server: Pick<ServerRow, 'id' | 'name' | 'base_url'>,
) => Promise<void>;

export type ServerRow = Selectable<Tables['model_servers']>;

/** A server that may be changed. Throws StudioError `not_found`, `conflict` for one of the configuration. */
export async function findServer({ db, taken }: Pick<ServerVerbDeps, 'db' | 'taken'>, id: string): Promise<ServerRow> {
  const row = await db.query.selectFrom('model_servers').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) return row;
  throw taken.has(id)
    ? new StudioError('conflict', `The engine ${id} is of the configuration, and is changed there`)
    : new StudioError('not_found', 'There is no such model server');
}

/** Tells all processes of a change, and waits until this one has taken it in. `version` is null for a removal. */
export async function tell(
  { bus, servers }: Pick<ServerVerbDeps, 'bus' | 'servers'>,
  id: string,
  version: number | null,
): Promise<void> {
  await bus.publish(CHANNEL, null);
  await untilSeen(servers, (list) => {
    const found = list.find((server) => server.id === id);
    return version === null ? !found : (found?.version ?? 0) >= version;
  });
}

/** Looks at an address. Throws StudioError `client_closed` when nobody waits any more. */
export async function probe(
  { probeServer }: Pick<ServerVerbDeps, 'probeServer'>,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerProbe> {
  try {
    return await probeServer(address, signal);
  } catch (cause) {
    throw signal.aborted ? new StudioError('client_closed', 'Nobody waits for it any more', { cause }) : cause;
  }
}

/** The same for an address that is to be kept: throws StudioError `invalid_request` where it leads where nothing is ever sent. */
export async function probeBeforeSaving(
  deps: Pick<ServerVerbDeps, 'probeServer'>,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerProbe> {
  const found = await probe(deps, address, signal);
  if (!found.ok && found.problem === 'not_allowed')
    throw new StudioError('invalid_request', found.message, { param: 'base_url', reason: 'engine_closed_address' });
  return found;
}

/** The stored key. Throws StudioError `unavailable` where it cannot be opened. */
export const openKey = ({ box }: Pick<ServerVerbDeps, 'box'>, { id, sealed_api_key: sealed }: ServerRow) =>
  sealed === null ? null : box.open(sealed, sealPurpose(id));

export const sealKey = ({ box }: Pick<ServerVerbDeps, 'box'>, id: string, key: string | null) =>
  key === null ? null : box.seal(key, sealPurpose(id));

type Wanted = Pick<ConnectedModel, 'remoteId' | 'id' | 'kind'>;

export const wantedOf = (models: z.output<typeof NewModelServer>['models']): Wanted[] =>
  models.map(({ remote_id, id, kind }) => ({ remoteId: remote_id, id, kind }));

/** The models with what is known of each: since when it serves its id, and what the server said of its room. */
export function settleModels(
  wanted: readonly Wanted[],
  before: readonly ConnectedModel[],
  probed: ServerProbe,
): readonly ConnectedModel[] {
  const now = new Date().toISOString();
  return wanted.map((model) => {
    const same = before.find(({ id, remoteId }) => id === model.id && remoteId === model.remoteId);
    const said = probed.ok ? probed.models.find(({ name }) => name === model.remoteId) : undefined;
    return {
      ...model,
      contextLength: said?.contextLength ?? same?.contextLength ?? null,
      boundAt: same?.boundAt ?? now,
    };
  });
}
