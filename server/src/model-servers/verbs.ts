import type { ModelServerChange, NewModelServer } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { guessKind } from '../models/served.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { LookAtServer, ServerLook } from '../ports/server-look.ts';
import { checkModels, cleanAddress, cleanKey, sameServer } from './checks.ts';
import { type ConnectedModel, type ConnectedServer, sealPurpose, toModel, toRow } from './record.ts';
import { CHANNEL, type ConnectedServers, untilSeen } from './watch.ts';

export interface ServerVerbDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  readonly servers: ConnectedServers;
  readonly look: LookAtServer;
  /** The entries of the configuration, and those of now. */
  readonly configured: Catalogue;
  readonly catalogue: Catalogue;
  /** Names of engines that the configuration and the service itself have. */
  readonly taken: ReadonlySet<string>;
}

type Wanted = Pick<ConnectedModel, 'remoteId' | 'id' | 'kind'>;
type NewServer = z.output<typeof NewModelServer>;
type Change = z.output<typeof ModelServerChange>;

/** Servers of all tenants together; each has its connections and its check. */
const MOST_SERVERS = 200;

const noSuch = () => new StudioError('not_found', 'There is no such model server');
const ofConfiguration = (name: string) =>
  new StudioError('conflict', `The engine ${name} is of the configuration, and is changed there`);
const nameTaken = (name: string, cause?: unknown) =>
  new StudioError('conflict', `The name ${name} is that of another engine`, {
    param: 'name',
    reason: 'name_taken',
    values: { name },
    cause,
  });

const isUniqueViolation = (error: unknown) => (error as { code?: unknown } | null)?.code === '23505';

const wantedOf = (models: NewServer['models']): Wanted[] =>
  models.map(({ remote_id, id, kind }) => ({ remoteId: remote_id, id, kind }));

/** The models with what is known of each: since when it serves its id, and what the server said of its room. */
function settle(wanted: readonly Wanted[], before: readonly ConnectedModel[], look: ServerLook | null, at: string) {
  return wanted.map((model): ConnectedModel => {
    const same = before.find(({ id, remoteId }) => id === model.id && remoteId === model.remoteId);
    const said = look?.ok === true ? look.models.find(({ name }) => name === model.remoteId) : undefined;
    return {
      ...model,
      contextLength: said?.contextLength ?? same?.contextLength ?? null,
      boundAt: same?.boundAt ?? at,
    };
  });
}

/** What people do with model servers. Changes count in every process when a verb is done, but for the time of a message. */
export function createServerVerbs(deps: ServerVerbDeps) {
  const { db, bus, box, servers, configured, catalogue, taken } = deps;

  const look: LookAtServer = (address, signal) =>
    deps.look(address, signal).catch((error: unknown) => {
      throw signal.aborted ? new StudioError('client_closed', 'Nobody waits for it any more', { cause: error }) : error;
    });

  /** A server that may be changed. Throws StudioError `not_found`, `conflict`. */
  const find = async (id: string) => {
    const row = await db.query.selectFrom('model_servers').selectAll().where('id', '=', id).executeTakeFirst();
    if (row) return row;
    throw taken.has(id) ? ofConfiguration(id) : noSuch();
  };
  const told = async (id: string, version: number | null) => {
    await bus.publish(CHANNEL, null);
    await untilSeen(servers, (list) => {
      const found = list.find((server) => server.id === id);
      return version === null ? !found : (found?.version ?? 0) >= version;
    });
  };
  const seal = (id: string, key: string | null) => (key === null ? null : box.seal(key, sealPurpose(id)));

  return {
    /** Connects a server. Resolves with its id. Throws StudioError `invalid_request`, `conflict`. */
    async connect(server: NewServer, signal: AbortSignal): Promise<string> {
      const id = hexId();
      const { name } = server;
      const baseUrl = cleanAddress(server.base_url);
      const apiKey = cleanKey(server.api_key);
      const wanted = wantedOf(server.models);
      checkModels(wanted, configured, catalogue);
      if (taken.has(name)) throw nameTaken(name);
      // One that does not answer now may still be connected: it may be on its way.
      const found = await look({ baseUrl, apiKey }, signal);
      const models = settle(wanted, [], found, new Date().toISOString());
      const { count } = await db.query
        .selectFrom('model_servers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (count >= MOST_SERVERS)
        throw new StudioError('conflict', `There are ${MOST_SERVERS} model servers already; remove one first`);
      const row = {
        id,
        name,
        base_url: baseUrl,
        sealed_api_key: seal(id, apiKey),
        dialect: found.ok ? found.dialect : null,
        models: JSON.stringify(models.map(toRow)),
      };
      await db.query
        .insertInto('model_servers')
        .values(row)
        .execute()
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? nameTaken(name, error) : error;
        });
      await told(id, 1);
      return id;
    },

    /**
     * Changes what is given. A stored key stays with its server: another address asks for the key anew. Resolves with
     * the name. Throws StudioError `invalid_request`, `not_found`, `conflict`.
     */
    async change(id: string, change: Change, signal: AbortSignal): Promise<string> {
      const row = await find(id);
      const baseUrl = change.base_url === undefined ? row.base_url : cleanAddress(change.base_url);
      const moved = !sameServer(baseUrl, row.base_url);
      if (moved && row.sealed_api_key !== null && change.api_key === undefined)
        throw new StudioError('invalid_request', 'Another address asks for the API key anew', {
          param: 'api_key',
          reason: 'invalid_field',
        });
      const apiKey =
        change.api_key === undefined
          ? row.sealed_api_key === null
            ? null
            : box.open(row.sealed_api_key, sealPurpose(id))
          : cleanKey(change.api_key);
      const before = row.models.map(toModel);
      const wanted = change.models === undefined ? before : wantedOf(change.models);
      if (change.models !== undefined) checkModels(wanted, configured, catalogue);
      const found = await look({ baseUrl, apiKey }, signal);
      const models = settle(wanted, before, found, new Date().toISOString());
      const changed = await db.query
        .updateTable('model_servers')
        .set((eb) => ({
          base_url: baseUrl,
          sealed_api_key: change.api_key === undefined ? row.sealed_api_key : seal(id, apiKey),
          dialect: found.ok ? found.dialect : moved ? null : row.dialect,
          models: JSON.stringify(models.map(toRow)),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .where('version', '=', row.version)
        .returning('version')
        .executeTakeFirst();
      if (!changed)
        throw new StudioError(
          'conflict',
          'Somebody else has changed this model server at the same moment; look at it anew',
        );
      await told(id, changed.version);
      return row.name;
    },

    /** Removes a server; the ids that it served go back to what served them before. Resolves with its name. Throws StudioError `not_found`, `conflict`. */
    async remove(id: string): Promise<string> {
      const { name } = await find(id);
      await db.query.deleteFrom('model_servers').where('id', '=', id).execute();
      await told(id, null);
      return name;
    },

    /** Asks an address for its models; with `serverId` and no key of its own with the stored key, where the address is that server's. */
    async test(
      address: { readonly baseUrl: string; readonly apiKey: string | null; readonly serverId: string | null },
      signal: AbortSignal,
    ) {
      const baseUrl = cleanAddress(address.baseUrl);
      let apiKey = cleanKey(address.apiKey);
      if (apiKey === null && address.serverId !== null) {
        const row = await find(address.serverId);
        if (row.sealed_api_key !== null && sameServer(baseUrl, row.base_url))
          apiKey = box.open(row.sealed_api_key, sealPurpose(row.id));
      }
      return describeLook(await look({ baseUrl, apiKey }, signal));
    },

    /** Looks at a connected server again, and takes in what it says of itself. Throws StudioError `not_found`, `conflict`. */
    async refresh(id: string, signal: AbortSignal) {
      const row = await find(id);
      const apiKey = row.sealed_api_key === null ? null : box.open(row.sealed_api_key, sealPurpose(id));
      const found = await look({ baseUrl: row.base_url, apiKey }, signal);
      const before = row.models.map(toModel);
      const models = JSON.stringify(settle(before, before, found, row.created_at.toISOString()).map(toRow));
      const dialect = found.ok ? (found.dialect ?? row.dialect) : row.dialect;
      if (models !== JSON.stringify(before.map(toRow)) || dialect !== row.dialect) {
        const changed = await db.query
          .updateTable('model_servers')
          .set((eb) => ({ models, dialect, version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .where('version', '=', row.version)
          .returning('version')
          .executeTakeFirst();
        if (changed) await told(id, changed.version);
      }
      return describeLook(found);
    },

    /** The connected servers as this process has them. */
    list: (): readonly ConnectedServer[] => servers.list(),
  };
}
export type ServerVerbs = ReturnType<typeof createServerVerbs>;

/** A look with what its models are for; what is of no use here is left out. */
export type DescribedLook =
  | (ServerLook & { ok: false })
  | {
      readonly ok: true;
      readonly latencyMs: number;
      readonly models: readonly Pick<ConnectedModel, 'remoteId' | 'kind'>[];
    };

function describeLook(found: ServerLook): DescribedLook {
  if (!found.ok) return found;
  const models = found.models.flatMap(({ name }) => {
    const kind = guessKind(name);
    return kind === null ? [] : [{ remoteId: name, kind }];
  });
  return { ok: true, latencyMs: found.latencyMs, models };
}
