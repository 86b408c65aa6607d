import {
  type Connector,
  type ConnectorAccess,
  type ConnectorChanges,
  type ConnectorList,
  type ConnectorRun,
  type ConnectorSettings,
  kindsWithReaders,
  type NewConnector,
} from '@ai-studio/contract/retrieval/connector.ts';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Actor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { isUniqueViolation, type Tables } from '../ports/database.ts';
import { findOwnCollection } from '../retrieval/index.ts';
import { refuseSecretsInAddress } from './addresses.ts';
import { type ConnectorDeps, secretPurpose } from './deps.ts';
import { removeConnector } from './removal.ts';
import { CONNECTORS_CHANNEL, MAX_RUNS, runRecord } from './run-rows.ts';
import { connectorRecord, type ConnectorRow } from './records.ts';

/** Connectors of a collection. */
const MAX_CONNECTORS = 20;

/** How a run is asked for. */
export interface RunAsked {
  /** Only tells what would be done. */
  readonly dry?: boolean;
  /** Removes what is gone, however much it is. */
  readonly removesAll?: boolean;
}

/** Connectors of collections; whoever may change a collection may change its connectors, and nobody else sees them. All throw StudioError `not_found`, `forbidden`. */
export interface Connectors {
  list(actor: Actor, collectionId: string): Promise<ConnectorList>;
  read(actor: Actor, collectionId: string, id: string): Promise<Connector>;
  /** Runs of a connector, the newest first. */
  runs(actor: Actor, collectionId: string, id: string): Promise<{ items: ConnectorRun[] }>;
  /** Makes one; it first runs by its schedule, at once where it has one. Throws `invalid_request`, `conflict` where there are too many. */
  create(actor: Actor, collectionId: string, given: NewConnector): Promise<Connector>;
  /** Changes one, which is of the actor from now on. Throws `invalid_request`. */
  change(actor: Actor, collectionId: string, id: string, changes: ConnectorChanges): Promise<Connector>;
  /** Has it run now, also while it is paused. Throws `conflict` while it runs. */
  run(actor: Actor, collectionId: string, id: string, asked?: RunAsked): Promise<ConnectorRun>;
  /** Ends a run that is under way; what was done stays. */
  cancel(actor: Actor, collectionId: string, id: string): Promise<Connector>;
  /** Removes one. The documents that it took stay, as any others, or are removed in the background, and the connector after them. */
  remove(actor: Actor, collectionId: string, id: string, documents: 'keep' | 'remove'): Promise<void>;
}

const notFound = () => new StudioError('not_found', 'There is no such connector');
const beingRemoved = () => new StudioError('conflict', 'The connector is being removed', { reason: 'connector_runs' });
const soon = sql<Date>`clock_timestamp()`;

/** Ends the run that is under way; whoever makes it finds out with its next heartbeat. */
const endRun = (query: Kysely<Tables>, id: string) =>
  query
    .updateTable('connector_runs')
    .set({ state: 'cancelled', claim: null, ended_at: soon })
    .where('connector_id', '=', id)
    .where('state', '=', 'running')
    .execute();

/** The verbs of connectors. */
export function createConnectors({ retrieval: { db, bus, log }, open, box, limits }: ConnectorDeps): Connectors {
  async function find(actor: Actor, collectionId: string, id: string): Promise<ConnectorRow> {
    const collection = await findOwnCollection(db.query, actor, collectionId);
    const row = await db.query
      .selectFrom('connectors')
      .selectAll()
      .where('id', '=', id.slice(0, 64).replaceAll('\0', ''))
      .where('collection_id', '=', collection.id)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    return row;
  }

  const runsOf = (id: string, max: number) =>
    db.query
      .selectFrom('connector_runs')
      .selectAll()
      .where('connector_id', '=', id)
      .orderBy('number', 'desc')
      .limit(max)
      .execute();

  async function recordOf(row: ConnectorRow): Promise<Connector> {
    const [last] = await runsOf(row.id, 1);
    const { documents } = await db.query
      .selectFrom('connector_items')
      .select(({ fn }) => fn.countAll<number>().as('documents'))
      .where('connector_id', '=', row.id)
      .executeTakeFirstOrThrow();
    return connectorRecord(row, Number(documents), last);
  }

  /** Throws StudioError `invalid_request` for what the operator does not allow. */
  function checkLimits({ every_minutes: every = null, max_documents: max }: ConnectorChanges): void {
    if (every !== null && every < limits.minMinutes)
      throw new StudioError('invalid_request', `There are ${limits.minMinutes} minutes between runs at least`, {
        param: 'every_minutes',
      });
    if (max !== undefined && max > limits.maxDocuments)
      throw new StudioError('invalid_request', `A connector takes ${limits.maxDocuments} documents at most`, {
        param: 'max_documents',
      });
  }

  /** Throws StudioError `invalid_request` where a source tells nothing of readers. */
  function checkAccess({ kind }: ConnectorSettings, access: ConnectorAccess): void {
    if (access === 'collection' || kindsWithReaders.includes(kind)) return;
    throw new StudioError('invalid_request', `A source of the kind ${kind} does not tell who may read its documents`, {
      param: 'access',
    });
  }

  /** Locks a tenant for one more connector. Throws StudioError `conflict`. */
  async function makeRoom(tx: Transaction<Tables>, { tenant_id: tenantId, id }: { tenant_id: TenantId; id: string }) {
    // One after the other, so that they do not become too many together.
    await tx.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute();
    const { all, own } = await tx
      .selectFrom('connectors')
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('collection_id', '=', id).as('own'),
      ])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    const isFull = Number(own) >= MAX_CONNECTORS;
    if (!isFull && Number(all) < limits.perTenant) return;
    const limit = isFull ? MAX_CONNECTORS : limits.perTenant;
    throw new StudioError('conflict', `A ${isFull ? 'collection' : 'tenant'} has ${limit} connectors at most`, {
      reason: 'too_many_connectors',
      values: { limit },
    });
  }

  /** Throws StudioError where the source can't be opened by what was given. */
  function check(settings: ConnectorSettings, secrets: Readonly<Record<string, string>> | null): Promise<void> {
    refuseSecretsInAddress(settings);
    return open(settings, secrets).close();
  }

  // A process that misses the message finds the run with its next poll.
  const announce = () =>
    bus
      .publish(CONNECTORS_CHANNEL, null)
      .catch((error: unknown) => log.warn({ err: error }, 'waiting connector could not be announced on the bus'));

  const seal = (tenantId: string, id: string, secrets: Readonly<Record<string, string>> | null) =>
    secrets === null ? null : box.seal(JSON.stringify(secrets), secretPurpose(tenantId, id));

  return {
    async list(actor, collectionId) {
      const { id } = await findOwnCollection(db.query, actor, collectionId);
      const rows = await db.query
        .selectFrom('connectors')
        .selectAll()
        .where('collection_id', '=', id)
        .orderBy('number')
        .execute();
      return {
        items: await Promise.all(rows.map(recordOf)),
        folders: [...limits.folders],
        min_minutes: limits.minMinutes,
        max_documents: limits.maxDocuments,
      };
    },
    read: async (actor, collectionId, id) => recordOf(await find(actor, collectionId, id)),
    async runs(actor, collectionId, id) {
      const row = await find(actor, collectionId, id);
      return { items: (await runsOf(row.id, MAX_RUNS)).map(runRecord) };
    },
    async create(actor, collectionId, given) {
      const {
        name,
        settings,
        secrets = null,
        every_minutes: every,
        max_documents: max,
        paused,
        access,
        groups,
      } = given;
      const collection = await findOwnCollection(db.query, actor, collectionId);
      checkLimits(given);
      checkAccess(settings, access);
      await check(settings, secrets);
      const id = hexId();
      const row = await db.transaction(async (tx) => {
        await makeRoom(tx, collection);
        return tx
          .insertInto('connectors')
          .values({
            id,
            tenant_id: collection.tenant_id,
            collection_id: collection.id,
            name,
            settings: JSON.stringify(settings),
            secrets: seal(collection.tenant_id, id, secrets),
            every_minutes: every,
            max_documents: max,
            paused,
            access,
            groups: JSON.stringify(groups),
            next_at: every === null ? null : soon,
            key_id: actor.keyId,
            user_id: actor.userId,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      if (every !== null && !paused) await announce();
      return recordOf(row);
    },
    async change(actor, collectionId, id, changes) {
      const row = await find(actor, collectionId, id);
      if (row.removing) throw beingRemoved();
      checkLimits(changes);
      const { settings = row.settings, secrets: given, every_minutes: every = row.every_minutes } = changes;
      const { access = row.access } = changes;
      if (settings.kind !== row.settings.kind)
        throw new StudioError(
          'invalid_request',
          `The connector is of the kind ${row.settings.kind}; make a new one for another kind`,
          { param: 'settings.kind' },
        );
      checkAccess(settings, access);
      const isForOthers = access !== row.access;
      const isElsewhere = !isDeepStrictEqual(settings, row.settings);
      // Secrets were given for where the source lay: sent elsewhere, they would be told to somebody who was not meant.
      if (isElsewhere && row.secrets !== null && given === undefined)
        throw new StudioError(
          'invalid_request',
          'Give the secrets again with other settings: they were meant for the former source',
          { param: 'secrets' },
        );
      if (given !== undefined || isElsewhere) await check(settings, given ?? null);
      const changed = await db.transaction(async (tx) => {
        // What is under way reads the former source, or takes its documents for those who were to read them.
        if (isElsewhere || isForOthers) await endRun(tx, row.id);
        if (isElsewhere)
          // What is known of its documents says nothing of those of this one.
          await tx.updateTable('connector_items').set({ version: '' }).where('connector_id', '=', row.id).execute();
        return tx
          .updateTable('connectors')
          .set({
            name: changes.name ?? row.name,
            settings: JSON.stringify(settings),
            ...(given === undefined ? {} : { secrets: seal(row.tenant_id, row.id, given) }),
            ...(isElsewhere || isForOthers ? { cursor: null } : {}),
            // Who may read what is there is asked for at once.
            ...(every === row.every_minutes && !isForOthers ? {} : { next_at: every === null ? null : soon }),
            every_minutes: every,
            max_documents: changes.max_documents ?? row.max_documents,
            paused: changes.paused ?? row.paused,
            access,
            groups: JSON.stringify(changes.groups ?? row.groups),
            key_id: actor.keyId,
            user_id: actor.userId,
          })
          .where('id', '=', row.id)
          .returningAll()
          .executeTakeFirst();
      });
      if (changed === undefined) throw notFound();
      return recordOf(changed);
    },
    async run(actor, collectionId, id, { dry = false, removesAll = false } = {}) {
      const row = await find(actor, collectionId, id);
      if (row.removing) throw beingRemoved();
      try {
        const run = await db.query
          .insertInto('connector_runs')
          .values({ id: hexId(), tenant_id: row.tenant_id, connector_id: row.id, dry, removes_all: removesAll })
          .returningAll()
          .executeTakeFirstOrThrow();
        await announce();
        return runRecord(run);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new StudioError('conflict', 'The connector runs already; wait for its end, or cancel it', {
          reason: 'connector_runs',
          cause: error,
        });
      }
    },
    async cancel(actor, collectionId, id) {
      const row = await find(actor, collectionId, id);
      if (row.removing) throw beingRemoved();
      await endRun(db.query, row.id);
      return recordOf(row);
    },
    async remove(actor, collectionId, id, documents) {
      const row = await find(actor, collectionId, id);
      if (documents === 'keep') return void (await removeConnector(db.query, row.id));
      await db.transaction(async (tx) => {
        await endRun(tx, row.id);
        await tx
          .updateTable('connectors')
          .set({ removing: true, paused: true, key_id: actor.keyId, user_id: actor.userId })
          .where('id', '=', row.id)
          .execute();
        await tx
          .insertInto('connector_runs')
          .values({ id: hexId(), tenant_id: row.tenant_id, connector_id: row.id, dry: false, removes_all: true })
          .execute();
      });
      await announce();
    },
  };
}
