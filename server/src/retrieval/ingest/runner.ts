import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ParseError } from '@ai-studio/documents';
import { isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createCoalescedTask } from '../../jobs/coalesced-task.ts';
import { onceBack } from '../../jobs/once-back.ts';
import { createTenantPlaces, createTenantTurns } from '../../jobs/tenant-turns.ts';
import { createJobWorker, type LiveJob } from '../../jobs/worker.ts';
import { isDatabaseAway } from '../../ports/database.ts';
import { EngineError } from '../../ports/engine.ts';
import { IndexError } from '../../ports/search-index.ts';
import { isUnusable } from '../embedding.ts';
import { TextsTooLarge } from '../texts/index.ts';
import { workOffRemovals } from '../writing/removals.ts';
import { noteLost, TableMoved } from '../writing/table.ts';
import { advanceBuilds, restartBuild } from './builds.ts';
import { noteBuilt, showDocument } from './finish.ts';
import { claimNext, giveUp, goOn, heartbeat, ingestJobs, type Job, putBack, type Reason } from './jobs.ts';
import { purgeCollections, removeLeftUploads } from './purge.ts';
import { compareTables, rebuildLost } from './rebuild.ts';
import { copy, cut, embedAll, indexAll, NotOurs, parse, type StageDeps, Unfit, type Working } from './stages.ts';
import { INGEST_CHANNEL, type IngestWork, wakeIngest } from './wake.ts';

export interface IngestDeps extends StageDeps {
  /** Documents of a tenant that this process works on at the same time. */
  readonly size: number;
  /** How long a document is retried while a model or a store is unreachable. */
  readonly retryHours: number;
  /** How often it polls for work of which no message told. */
  readonly pollMs?: number;
}

/** What takes documents in, in one process of several. */
export interface Ingest {
  /** Ends; what is under way waits again at once, for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Live extends LiveJob {
  readonly job: Job;
  progress: number | null;
}

const POLL_MS = 3_000;
/** Longest wait before what could not be reached is tried again. */
const MAX_WAIT_SECONDS = 60;
/** A document that failed so often for a reason that nobody foresaw is given up. */
const MAX_FAILURES = 5;
/** Tables are compared with the database so often. */
const COMPARE_MS = 30_000;

/** What is filling a table is ended between two batches of it. */
const REBUILD_END_MS = 5_000;

const troubles = {
  poll: 'documents that wait could not be looked for',
  maintain: 'collections could not be looked after',
  // The database did not take the outcome; the document is taken up again when its lease has run out.
  work: 'what became of a document could not be stored',
  close: 'documents that were being taken in did not end in time; they are taken up again',
} as const;

const ownFault: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be taken in, for a reason that lies in the service.',
};

const begunTooOften: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be taken in: it was begun several times without getting further.',
};

/** A document that cannot be taken in, whatever is tried; null where it may be. */
function finalReason(error: unknown): Reason | null {
  if (error instanceof ParseError || error instanceof Unfit) return { code: error.code, message: error.message };
  if (error instanceof TextsTooLarge)
    return { code: 'TOO_LARGE', message: 'The document holds more text than can be cut. Split it and try again.' };
  if (error instanceof EngineError && error.kind === 'refused')
    return {
      code: 'EMBEDDING_REFUSED',
      message: error.detail ?? 'The embedding model refused a text of the document.',
    };
  return null;
}

/** What is away now and may come back; null where the failure is another. */
function waitReason(error: unknown): Reason | null {
  if (isDiskFull(error))
    return { code: 'STORAGE_FULL', message: 'The storage of the service is full; it is tried again by itself.' };
  if (error instanceof EngineError)
    return {
      code: isUnusable(error) ? 'EMBEDDING_UNUSABLE' : 'EMBEDDING_UNAVAILABLE',
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

/** Begins to take in what waits. */
export async function startIngest(deps: IngestDeps): Promise<Ingest> {
  const { db, bus, folder, size, retryHours, log, pollMs = POLL_MS } = deps;
  const turns = createTenantTurns();
  const places = createTenantPlaces(size);
  const stop = new AbortController();

  /** All stages that are left. */
  async function advance(work: Working): Promise<void> {
    let { job } = work;
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
          await embedAll(deps, now());
          next('indexing');
          break;
        case 'indexing': {
          const table = await indexAll(deps, now());
          if (job.kind === 'build') return noteBuilt(deps, job, table);
          if (await showDocument(deps, job, table)) return;
          // It was changed meanwhile: what is in the index is put there again.
          job = { ...(await reread(job)), attempts: 2 };
        }
      }
    }
  }

  /** The job as it stands in the database. Throws NotOurs. */
  async function reread(job: Job): Promise<Job> {
    const row = await db.query
      .selectFrom('ingest_jobs')
      .select(['stage', 'base_edits', 'attempts', 'waiting_since'])
      .where('document_id', '=', job.document_id)
      .where('claim', '=', job.claim)
      .executeTakeFirst();
    if (row === undefined) throw new NotOurs();
    return { ...job, ...row };
  }

  async function retry(job: Job, reason: Reason): Promise<void> {
    const seconds = Math.min(MAX_WAIT_SECONDS, 2 ** Math.min(job.attempts, 6));
    await putBack(db, job, { reason, afterSeconds: seconds, counts: true });
  }

  const isTooLate = ({ waiting_since: since }: Job) =>
    since !== null && deps.now() - since.getTime() > retryHours * 3_600_000;

  /** What becomes of a document that was not taken in by this attempt. */
  async function settle({ job: begun, controller }: Live, error: unknown): Promise<void> {
    if (error instanceof NotOurs || (error instanceof StudioError && error.code === 'not_found')) return;
    const job = await reread(begun);
    if (controller.signal.aborted || isDatabaseAway(error))
      return putBack(db, job, { reason: null, afterSeconds: 0, counts: false });
    const final = finalReason(error);
    if (final !== null) return giveUp(db, job, final);
    if (error instanceof TableMoved) {
      await goOn(db.query, job, 'embedding');
      return putBack(db, job, { reason: null, afterSeconds: 0, counts: false });
    }
    if (error instanceof IndexError && error.kind === 'lost') {
      if (job.kind === 'build') return restartBuild(deps, job.collection_id, error.table);
      await noteLost(deps, job.collection_id, error.table);
      return putBack(db, job, { reason: null, afterSeconds: 1, counts: true });
    }
    const wait = waitReason(error);
    if (wait !== null) return isTooLate(job) ? giveUp(db, job, wait) : retry(job, wait);
    log.warn({ err: error, documentId: job.document_id }, 'a document could not be taken in');
    if (job.attempts >= MAX_FAILURES) await giveUp(db, job, ownFault);
    else await retry(job, ownFault);
  }

  async function work(one: Live): Promise<void> {
    const { job, controller } = one;
    // A document that waits for an unreachable service is retried until its time is over.
    const isGivenUp = ingestJobs.isExhausted(job) && job.waiting_since === null;
    try {
      if (isGivenUp) await giveUp(db, job, begunTooOften);
      else await advance({ job, signal: controller.signal, onProgress: (progress) => (one.progress = progress) });
    } catch (error) {
      await onceBack(() => settle(one, error), stop.signal).catch(unlessNotOurs);
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

  const quietly = (what: string) => (error: unknown) => {
    if (!stop.signal.aborted) log.warn({ err: error }, `${what} could not be looked after`);
  };
  // Beside the rest, as it may take long.
  const rebuild = createCoalescedTask(() => rebuildLost(deps, stop.signal), quietly('lost tables of the index'));

  let comparedMs = -Infinity;
  async function maintain(): Promise<void> {
    await ingestJobs.takeUpAbandoned(db.query).catch(quietly('documents of other processes'));
    await purgeCollections(deps, stop.signal).catch(quietly('deleted collections'));
    await removeLeftUploads(deps).catch(quietly('uploads that broke off'));
    await advanceBuilds(deps).catch(quietly('changes of collections'));
    if (deps.now() - comparedMs > COMPARE_MS) {
      comparedMs = deps.now();
      await compareTables(deps).catch(quietly('tables of the index'));
    }
    rebuild();
    await workOffRemovals(deps, stop.signal);
  }

  const worker = createJobWorker<Live>({
    concurrency: places.concurrency,
    claim,
    work,
    heartbeat: ({ job, progress }) => heartbeat(db, job, progress),
    leaseLost: () => new NotOurs(),
    maintain,
    pollMs,
    onError: (error, what) => log.warn({ err: error }, troubles[what]),
  });
  const unsubscribe = await bus.subscribe(
    INGEST_CHANNEL,
    (work) => (work === ('document' satisfies IngestWork) ? worker.poll() : worker.maintain()),
    worker.maintain,
  );
  worker.maintain();

  async function close(): Promise<void> {
    stop.abort(new Error('the service is stopping'));
    const interrupted = await worker.close();
    await Promise.race([rebuild.stop(), delay(REBUILD_END_MS, undefined, { ref: false })]);
    await unsubscribe().catch((error: unknown) => log.debug({ err: error }, 'the bus was gone before'));
    // Others need not wait for their next poll.
    if (interrupted) await wakeIngest(deps, 'document');
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}

function unlessNotOurs(error: unknown): void {
  if (!(error instanceof NotOurs)) throw error;
}
