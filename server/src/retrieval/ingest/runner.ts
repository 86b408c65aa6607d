import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ParseError } from '@ai-studio/documents';
import { isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createCoalescedTask } from '../../jobs/coalesced-task.ts';
import { onceBack } from '../../jobs/once-back.ts';
import { createTenantPlaces, createTenantTurns } from '../../jobs/tenant-turns.ts';
import { logFailures } from '../../jobs/log-failures.ts';
import { LeaseLost, createJobWorker, type LiveJob } from '../../jobs/worker.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { EngineError } from '../../ports/engine.ts';
import { IndexError } from '../../ports/search-index.ts';
import { isUnusableReply } from '../embedding.ts';
import { TextsTooLarge } from '../texts/index.ts';
import { processRemovals } from '../writing/removals.ts';
import { markTableLost, TableMoved } from '../writing/table.ts';
import { advanceBuilds, restartBuild } from './builds.ts';
import { recordBuilt, publishRevision } from './finish.ts';
import { claimNext, failJob, advanceStage, heartbeat, ingestJobs, type Job, requeue, type Reason } from './jobs.ts';
import { followPrefixes } from './prefix-changes.ts';
import { purgeCollections, removeAbandonedUploads } from './purge.ts';
import { reconcileTables, rebuildLostTables } from './rebuild.ts';
import { createShortWorker } from './short-worker.ts';
import { embedAll } from './embed-stage.ts';
import { addContexts } from './contexts.ts';
import { createLearnedLengths } from './fitting-cut.ts';
import { copy, cut, indexAll, parse, type StageDeps, IngestRejected, type StageContext } from './stages.ts';
import { INGEST_CHANNEL, type IngestWork, wakeIngest } from './wake.ts';

export interface IngestDeps extends Omit<StageDeps, 'learned'> {
  /** Documents of a tenant that this process works on at the same time. */
  readonly size: number;
  /** How long a document is retried while a model or a store is unreachable. */
  readonly retryHours: number;
  /** How often it polls for work whose message on the bus was missed. */
  readonly pollMs?: number;
}

/** The ingest worker of this process. */
export interface Ingest {
  /** Ends; what is under way waits again at once, for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Live extends LiveJob {
  readonly job: Job;
  progress: number | null;
}

const POLL_MS = 3_000;
/** Maximum backoff for dependencies that cannot be reached. */
const MAX_BACKOFF_SECONDS = 60;
/** Unforeseen failures after which a document fails for good. */
const MAX_FAILURES = 5;
/** Tables are compared with the database so often. */
const RECONCILE_INTERVAL_MS = 30_000;

/** How often a document is cut anew because its model refused a chunk: each time something was learnt of its lengths. */
const MAX_RECUTS = 3;

/** A rebuild of a table stops between two batches. */
const REBUILD_END_MS = 5_000;

const internalFailure: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be taken in, for a reason that lies in the service.',
};

const tooManyAttempts: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be taken in: it was begun several times without getting further.',
};

/** The reason why a document can never be ingested; null when a retry may succeed. */
function finalReason(error: unknown): Reason | null {
  if (error instanceof ParseError || error instanceof IngestRejected)
    return { code: error.code, message: error.message };
  if (error instanceof TextsTooLarge)
    return { code: 'TOO_LARGE', message: 'The document holds more text than can be cut. Split it and try again.' };
  if (error instanceof EngineError && error.kind === 'refused')
    return {
      code: 'EMBEDDING_REFUSED',
      message: error.detail ?? 'The embedding model refused a text of the document.',
    };
  return null;
}

/** The unreachable dependency that a retry waits for; null for other failures. */
function waitReason(error: unknown): Reason | null {
  if (isDiskFull(error))
    return { code: 'STORAGE_FULL', message: 'The storage of the service is full; it is tried again by itself.' };
  if (error instanceof EngineError)
    return {
      code: isUnusableReply(error) ? 'EMBEDDING_UNUSABLE' : 'EMBEDDING_UNAVAILABLE',
      message: `${error.detail ?? 'The embedding model cannot be reached at the moment'}; it is tried again by itself.`,
    };
  if (error instanceof IndexError)
    return {
      code: 'INDEX_UNAVAILABLE',
      message: 'The search index cannot be written at the moment; it is tried again by itself.',
    };
  if (error instanceof StudioError && (error.code === 'unavailable' || error.code === 'timeout'))
    return { code: 'UNAVAILABLE', message: `${error.message.replace(/\.$/, '')}; it is tried again by itself.` };
  return null;
}

/** Starts the ingest worker. */
export async function startIngest(given: IngestDeps): Promise<Ingest> {
  const deps = { ...given, learned: createLearnedLengths() };
  const { db, bus, folder, size, retryHours, log, pollMs = POLL_MS } = deps;
  const turns = createTenantTurns();
  const places = createTenantPlaces(size);
  const stop = new AbortController();

  /** All stages that are left. */
  async function advance(work: StageContext): Promise<void> {
    let { job } = work;
    let recuts = 0;
    const next = (stage: Job['stage']) => (job = { ...job, stage, attempts: 1, waiting_since: null });
    const now = () => ({ ...work, job });
    for (;;) {
      work.signal.throwIfAborted();
      switch (job.stage) {
        case 'parsing':
          await parse(deps, now());
          next('chunking');
          break;
        case 'chunking':
          await cut(deps, now());
          job = await reread(job);
          break;
        case 'copying':
          await copy(deps, now());
          job = await reread(job);
          break;
        case 'embedding':
          await addContexts(deps, now());
          next((await embedAll(deps, now(), { mayRecut: recuts++ < MAX_RECUTS })) ? 'indexing' : 'chunking');
          break;
        case 'indexing': {
          const table = await indexAll(deps, now());
          if (job.kind === 'build') return recordBuilt(deps, job, table);
          if (await publishRevision(deps, job, table)) return;
          // It was changed meanwhile: what is in the index is put there again.
          job = { ...(await reread(job)), attempts: 2 };
        }
      }
    }
  }

  /** The job as it stands in the database. Throws LeaseLost. */
  async function reread(job: Job): Promise<Job> {
    const row = await db.query
      .selectFrom('ingest_jobs')
      .select(['stage', 'base_edits', 'attempts', 'waiting_since'])
      .where('document_id', '=', job.document_id)
      .where('claim', '=', job.claim)
      .executeTakeFirst();
    if (row === undefined) throw new LeaseLost();
    return { ...job, ...row };
  }

  async function retry(job: Job, reason: Reason): Promise<void> {
    const seconds = Math.min(MAX_BACKOFF_SECONDS, 2 ** Math.min(job.attempts, 6));
    await requeue(db, job, { reason, afterSeconds: seconds, counts: true });
  }

  const isRetryExpired = ({ waiting_since: since }: Job) =>
    since !== null && deps.now() - since.getTime() > retryHours * 3_600_000;

  /** Decides what follows a failed attempt: another try, failure for good, or an earlier stage. */
  async function settle({ job: begun, controller }: Live, error: unknown): Promise<void> {
    if (error instanceof LeaseLost || (error instanceof StudioError && error.code === 'not_found')) return;
    const job = await reread(begun);
    if (controller.signal.aborted || isDatabaseUnavailable(error))
      return requeue(db, job, { reason: null, afterSeconds: 0, counts: false });
    const final = finalReason(error);
    if (final !== null) return failJob(db, job, final);
    if (error instanceof TableMoved) {
      await advanceStage(db.query, job, 'embedding');
      return requeue(db, job, { reason: null, afterSeconds: 0, counts: false });
    }
    if (error instanceof IndexError && error.kind === 'lost') {
      if (job.kind === 'build') return restartBuild(deps, job.collection_id, error.table);
      await markTableLost(deps, job.collection_id, error.table);
      return requeue(db, job, { reason: null, afterSeconds: 1, counts: true });
    }
    const wait = waitReason(error);
    if (wait !== null) return isRetryExpired(job) ? failJob(db, job, wait) : retry(job, wait);
    log.warn({ err: error, documentId: job.document_id }, 'document could not be ingested');
    if (job.attempts >= MAX_FAILURES) await failJob(db, job, internalFailure);
    else await retry(job, internalFailure);
  }

  async function work(one: Live): Promise<void> {
    const { job, controller } = one;
    // A document that waits for an unreachable service is retried until its time is over.
    const isGivenUp = ingestJobs.isExhausted(job) && job.waiting_since === null;
    try {
      if (isGivenUp) await failJob(db, job, tooManyAttempts);
      else await advance({ job, signal: controller.signal, onProgress: (progress) => (one.progress = progress) });
    } catch (error) {
      await onceBack(() => settle(one, error), stop.signal).catch(rethrowUnlessLeaseLost);
    } finally {
      await rm(join(folder, `ingest-${job.claim}`), { force: true });
    }
    if (job.kind === 'build') worker.maintain();
  }

  async function claim(): Promise<Live | null> {
    const busy = places.full([...worker.live].map(({ job }) => job.tenant_id));
    const job = await claimNext(db, turns, busy);
    return job === null ? null : { job, controller: new AbortController(), progress: null };
  }

  const logFailure = (what: string) => (error: unknown) => {
    if (!stop.signal.aborted) log.warn({ err: error }, `maintenance failed: ${what}`);
  };
  // Runs in parallel, as it may take long.
  const rebuild = createCoalescedTask(
    () => rebuildLostTables(deps, stop.signal),
    logFailure('lost tables of the index'),
  );

  /** Changes of prefixes that this process began. */
  const followed = new Map<string, string>();
  let reconciledMs = -Infinity;
  async function maintain(): Promise<void> {
    await ingestJobs.takeUpAbandoned(db.query).catch(logFailure('documents of other processes'));
    await purgeCollections(deps, stop.signal).catch(logFailure('deleted collections'));
    await removeAbandonedUploads(deps).catch(logFailure('uploads that broke off'));
    await followPrefixes(deps, followed).catch(logFailure('prefixes of embedding models'));
    await advanceBuilds(deps).catch(logFailure('changes of collections'));
    if (deps.now() - reconciledMs > RECONCILE_INTERVAL_MS) {
      reconciledMs = deps.now();
      await reconcileTables(deps).catch(logFailure('tables of the index'));
    }
    rebuild();
    await processRemovals(deps, stop.signal);
  }

  const worker = createJobWorker<Live>({
    concurrency: places.concurrency,
    claim,
    work,
    heartbeat: ({ job, progress }) => heartbeat(db, job, progress),
    maintain,
    pollMs,
    onError: logFailures(log, 'ingest of documents'),
  });
  const short = createShortWorker({ ...deps, turns, pollMs, stop: stop.signal, onLeft: worker.poll });
  const pollAll = () => {
    short.poll();
    worker.poll();
  };
  const maintainAll = () => {
    short.poll();
    worker.maintain();
  };
  const unsubscribe = await bus.subscribe(
    INGEST_CHANNEL,
    (work) => (work === ('document' satisfies IngestWork) ? pollAll() : maintainAll()),
    maintainAll,
  );
  maintainAll();

  async function close(): Promise<void> {
    stop.abort(new Error('the service is stopping'));
    const ended = await Promise.all([worker.close(), short.close()]);
    const interrupted = ended.some(Boolean);
    await Promise.race([rebuild.stop(), delay(REBUILD_END_MS, undefined, { ref: false })]);
    await unsubscribe().catch((error: unknown) =>
      log.debug({ err: error }, 'subscription to the bus could not be ended'),
    );
    // Others need not wait for their next poll.
    if (interrupted) await wakeIngest(deps, 'document');
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}

function rethrowUnlessLeaseLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
