import type { ConnectorAccess, ConnectorSettings } from '@ai-studio/contract/retrieval/connector.ts';
import { sql } from 'kysely';
import { onceBack } from '../jobs/once-back.ts';
import { type JobRunner, type LiveTenantJob, openJobRunner } from '../jobs/open-runner.ts';
import { LeaseLost } from '../jobs/worker.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { isDatabaseUnavailable } from '../ports/database.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { findOwnCollection } from '../retrieval/index.ts';
import { type ConnectorDeps, secretPurpose } from './deps.ts';
import { ownerOf } from './owner.ts';
import { forgetGroups } from './readers.ts';
import { removeConnector, removeDocuments } from './removal.ts';
import { type ClaimedRun, CONNECTORS_CHANNEL, connectorJobs, MAX_RUNS } from './run-rows.ts';
import { synchronize } from './sync.ts';
import type { SyncCounts } from './sync-counts.ts';
import { toldOf } from './told.ts';

/** How far a source was listed. */
interface Reached {
  readonly cursor: string | null;
  readonly settings: ConnectorSettings;
  readonly access: ConnectorAccess;
}

interface Live extends LiveTenantJob {
  readonly run: ClaimedRun;
  /** What it has done so far. */
  counts: SyncCounts | null;
}

/** Runs of a tenant at the same time in this process: it is work that nobody waits for. */
const PER_TENANT = 2;
const POLL_MS = 5_000;
const HEARTBEAT_MS = 1_000;
/** How often the progress of a run is written. */
const PROGRESS_MS = 1_000;
/** Connectors whose time has come that are begun by one poll. */
const DUE_AT_ONCE = 20;

/** Has connectors run whose time has come, each once, whichever process asks. Resolves with their number. */
async function beginDue({ retrieval: { db } }: Pick<ConnectorDeps, 'retrieval'>): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows: due } = await sql<{ id: string; tenant_id: string }>`
      UPDATE connectors SET next_at = clock_timestamp() + make_interval(mins => every_minutes)
      WHERE id IN (
        SELECT id FROM connectors WHERE next_at <= clock_timestamp() AND NOT paused
        ORDER BY next_at LIMIT ${DUE_AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING id, tenant_id`.execute(tx);
    // One that still runs is left alone until its next time.
    for (const { id, tenant_id: tenantId } of due)
      await sql`
        INSERT INTO connector_runs (id, tenant_id, connector_id, dry, removes_all)
        VALUES (${hexId()}, ${tenantId}, ${id}, false, false)
        ON CONFLICT (connector_id) WHERE state = 'running' DO NOTHING`.execute(tx);
    return due.length;
  });
}

/** Starts the worker of connectors. */
export async function startConnectors(deps: ConnectorDeps): Promise<JobRunner> {
  const { retrieval, box, open } = deps;
  const { db, bus, log } = retrieval;

  const columnsOf = ({ changes, problems, ...counts }: SyncCounts) => ({
    ...counts,
    changes: JSON.stringify(changes),
    problems: JSON.stringify(problems),
  });

  /** Writes how far a run is, once in a while. */
  function progressOf(live: Live) {
    const { run, controller } = live;
    const { signal } = controller;
    let writtenAt = 0;
    // What gets on does not end the service: only processes that end without any document taken or removed in between count.
    let isCounted = run.attempts > 1 && !run.dry;
    return async (counts: SyncCounts) => {
      signal.throwIfAborted();
      live.counts = counts;
      const getsOn = isCounted && counts.added + counts.changed + counts.removed + counts.readers_changed > 0;
      if (!getsOn && retrieval.now() - writtenAt < PROGRESS_MS) return;
      writtenAt = retrieval.now();
      const change = { ...columnsOf(counts), ...(getsOn ? { attempts: 1 } : {}) };
      if (!(await connectorJobs.update(db.query, run, change))) throw new LeaseLost();
      isCounted &&= !getsOn;
    };
  }

  async function make(live: Live): Promise<void> {
    const { run, controller } = live;
    const { signal } = controller;
    const connector = await db.query
      .selectFrom('connectors')
      .selectAll()
      .where('id', '=', run.connector_id)
      .executeTakeFirst();
    if (connector === undefined) throw new LeaseLost();
    const { id: connectorId, tenant_id: tenantId, collection_id: collectionId } = connector;
    const actor = await ownerOf(deps, { tenantId, keyId: connector.key_id, userId: connector.user_id });
    await findOwnCollection(db.query, actor, collectionId);
    const shared = { connectorId, collectionId, actor, signal, onProgress: progressOf(live) };
    if (connector.removing) {
      await removeDocuments(deps, shared);
      await forgetGroups(db.query, { tenantId, collectionId }, connectorId);
      await onceBack(() => removeConnector(db.query, connectorId), signal);
      return;
    }
    const secrets =
      connector.secrets === null
        ? null
        : (JSON.parse(box.open(connector.secrets, secretPurpose(tenantId, connectorId))) as Record<string, string>);
    const keepsReaders = connector.access === 'source';
    const source = open(connector.settings, secrets, { tellsReaders: keepsReaders });
    try {
      const { counts, cursor } = await synchronize(deps, {
        ...shared,
        source,
        cursor: connector.cursor,
        maxItems: connector.max_documents,
        dry: run.dry,
        removesAll: run.removes_all,
        keepsReaders,
        groups: connector.groups,
      });
      await onceBack(
        () => finish(run, counts, run.dry ? null : { cursor, settings: connector.settings, access: connector.access }),
        signal,
      );
    } finally {
      await source.close();
    }
  }

  /** Ends a run that went through, and forgets the oldest. Throws LeaseLost. */
  const finish = (run: ClaimedRun, counts: SyncCounts, reached: Reached | null) =>
    db.transaction(async (tx) => {
      const change = { ...columnsOf(counts), state: 'done' as const, ended_at: sql<Date>`clock_timestamp()` };
      if (!(await connectorJobs.update(tx, run, change))) throw new LeaseLost();
      if (reached !== null)
        await tx
          .updateTable('connectors')
          .set({ cursor: reached.cursor })
          .where('id', '=', run.connector_id)
          // A cursor says nothing of another source, or of other readers, that were named meanwhile.
          .where('access', '=', reached.access)
          .where('settings', '=', sql<ConnectorSettings>`${JSON.stringify(reached.settings)}::jsonb`)
          .execute();
      await sql`
        DELETE FROM connector_runs WHERE connector_id = ${run.connector_id} AND state <> 'running' AND number < (
          SELECT min(number) FROM (
            SELECT number FROM connector_runs WHERE connector_id = ${run.connector_id}
            ORDER BY number DESC LIMIT ${MAX_RUNS}) AS kept)`.execute(tx);
    });

  async function work(one: Live): Promise<void> {
    const { run, controller } = one;
    const fail = (error: StudioError) =>
      connectorJobs.update(db.query, run, {
        // What it met before it failed is told as well.
        ...(one.counts === null ? {} : columnsOf(one.counts)),
        state: 'failed',
        failure: JSON.stringify({ code: error.code, ...toldOf(error) }),
        ended_at: sql`clock_timestamp()`,
      });
    if (connectorJobs.isExhausted(run)) return void (await fail(sourceFailure('process_ended')));
    try {
      await make(one);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      // The process that claims it next lists the source anew; what was taken is known.
      if (controller.signal.aborted || isDatabaseUnavailable(error))
        await onceBack(() => connectorJobs.release(db.query, run, { countsAttempt: false }), controller.signal);
      else {
        if (!(error instanceof StudioError)) log.error({ err: error }, 'run of a connector failed');
        await fail(error instanceof StudioError ? error : sourceFailure('run_failed'));
      }
    }
  }

  return openJobRunner<Live>({
    bus,
    log,
    channel: CONNECTORS_CHANNEL,
    name: 'connectors',
    perTenant: PER_TENANT,
    async claim(how) {
      const [run] = await connectorJobs.claim(db.query, 1, how);
      return run === undefined ? null : { run, controller: new AbortController(), counts: null };
    },
    work,
    // One that was cancelled is not this process's any more.
    heartbeat: ({ run }) => connectorJobs.update(db.query, run),
    async maintain() {
      await connectorJobs.takeUpAbandoned(db.query);
      await beginDue(deps);
    },
    maintainsWhenTold: true,
    pollMs: POLL_MS,
    heartbeatMs: HEARTBEAT_MS,
  });
}
