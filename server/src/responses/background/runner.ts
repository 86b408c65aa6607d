import { sql } from 'kysely';
import { agentsAreModels, type KeyRecord, type RevokedKey } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { LogHub } from '../../jobs/log-hub.ts';
import { createTenantPlaces } from '../../jobs/tenant-turns.ts';
import { createJobWorker, LeaseLost, type JobWorker, type LiveJob } from '../../jobs/worker.ts';
import { logFailures } from '../../jobs/log-failures.ts';
import { onceBack } from '../../jobs/once-back.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Bus } from '../../ports/bus.ts';
import { type Database, isDatabaseUnavailable } from '../../ports/database.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { ConversationStore } from '../conversations.ts';
import { keepInConversation } from '../keep.ts';
import { openPlan, type Plan, type PlanDeps } from '../plan.ts';
import type { Asking, PreparedResponse } from '../prepare.ts';
import { ResponseRun, type RunDeps, type RunStart } from '../run.ts';
import type { ResponseStore } from '../store.ts';
import { SourceBook } from '../tools/sources.ts';
import { type HalfTurn, readHalfTurn } from '../half-turn.ts';
import type { StreamedEvent } from '../streamed-event.ts';
import { responseEvents } from './events.ts';
import { type ClaimedResponse, type KeptProgress, responseJobs, type SealedJobs, type Work } from './jobs.ts';
import { ResponseLog } from './response-log.ts';
import { failureOf } from './turn-failure.ts';

/** Channel of the bus: responses wait to be made. */
export const WAKE_CHANNEL = 'responses';
/** Channel of the bus: events of responses were written, or one has ended. */
export const WRITTEN_CHANNEL = 'responses_written';
/** Channel of the bus: the response of this id is not wanted any more. */
export const CANCEL_CHANNEL = 'responses_canceled';

/** A key as it is now, and its holder. */
export interface PayingKey {
  readonly key: KeyRecord;
  readonly actor: Actor;
}

export interface RunnerDeps extends PlanDeps, RunDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly sealed: SealedJobs;
  readonly hub: LogHub<StreamedEvent>;
  /** Who pays for a response; null once the key is gone. Throws StudioError `forbidden` for one that has expired. */
  readonly findKey: (tenantId: TenantId, keyId: string) => Promise<PayingKey | null>;
  /** Calls back with each key that may not be used any more; returns a function that unsubscribes. */
  readonly onKeyRefused: (listener: (key: RevokedKey) => void) => () => void;
  /** Responses of a tenant that this process makes at the same time. */
  readonly size: number;
  /** How long one waits whose turn is refused again and again, as its model is away or limits are used up, in milliseconds. */
  readonly patienceMs: number;
  readonly leaseSeconds?: number;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
}

/** What makes responses in the background, in one process of several. */
export interface Runner {
  poll(): void;
  /** Ends one that this process makes, if it does. */
  cancel(id: string): void;
  open(): Promise<void>;
  /** Ends; what is being made waits again, for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Live extends LiveJob {
  readonly job: ClaimedResponse;
}

const POLL_MS = 3_000;
/** Interval at which other processes are told of what was written. */
const NOTIFY_INTERVAL_MS = 50;
/** Ids in one message of the bus. */
const MAX_IDS_PER_MESSAGE = 100;
/** How long a response waits where the limits of its key, or a model server that is away, do not say. */
const WAIT_SECONDS = 5;
/** And one whose engine broke off: another may be there at once, and the same has begun anew in a moment. */
const BREAK_SECONDS = 1;

/** The response is not wanted any more. */
class Canceled extends Error {}
const canceled = () => new Canceled('the response was canceled');

const cutOff = () =>
  new StudioError(
    'unavailable',
    'The process that made this response ended in the middle of what it told, and another cannot go on from there; send the request again',
  );
const exhausted = () =>
  new StudioError('internal', 'The response ended the service several times and was given up; send the request again');

/** A plan that can only fail. */
const brokenPlan = (prepared: PreparedResponse, error: unknown): Plan => ({
  prepared,
  tools: [],
  book: new SourceBook(),
  maxCalls: 0,
  approved: [],
  unlisted: [],
  store: true,
  admit: () => Promise.reject(error instanceof Error ? error : new Error(String(error))),
  shorten: () => false,
});

export function createRunner(deps: RunnerDeps): Runner {
  const { db, bus, hub, sealed, log: logger, store, conversations, findKey, onKeyRefused } = deps;
  const { leaseSeconds, pollMs = POLL_MS, heartbeatMs } = deps;
  const places = createTenantPlaces(deps.size);
  const unsubscribers: (() => Promise<void>)[] = [];
  /** None before `open`. */
  let worker: JobWorker<Live> | null = null;
  const closing = new AbortController();
  const liveJobs = () => [...(worker?.live ?? [])];

  const notify = (channel: string, payload: unknown) =>
    bus
      .publish(channel, payload)
      .catch((error: unknown) =>
        logger.debug({ err: error }, 'responses in the background: telling other processes failed'),
      );
  /** Ids of responses of whose written events other processes were not told yet. */
  const written = new Set<string>();
  let notifyTimer: NodeJS.Timeout | null = null;
  function notifyWritten(): void {
    if (notifyTimer !== null) clearTimeout(notifyTimer);
    notifyTimer = null;
    const ids = [...written];
    written.clear();
    for (let at = 0; at < ids.length; at += MAX_IDS_PER_MESSAGE)
      void notify(WRITTEN_CHANNEL, ids.slice(at, at + MAX_IDS_PER_MESSAGE));
  }
  const onWritten = (id: string, events: readonly StreamedEvent[]) => {
    hub.publish(id, events);
    written.add(id);
    notifyTimer ??= setTimeout(notifyWritten, NOTIFY_INTERVAL_MS).unref();
  };

  const logOf = ({ job, controller }: Live, { prepared }: Work) =>
    new ResponseLog(
      {
        db,
        sealed,
        onWritten,
        failureOf: (error, fate, isNewTurn) =>
          failureOf(error, fate, {
            attempts: isNewTurn ? 1 : job.attempts,
            waitedMs: isNewTurn ? 0 : (job.waited_seconds ?? 0) * 1000,
            patienceMs: deps.patienceMs,
          }),
        async keep(tx, ended) {
          const { request, items: input, conversationId } = prepared;
          const response = {
            ...(JSON.parse(Buffer.from(ended.rendered, 'latin1').toString('utf8')) as object),
            output: ended.items(),
          };
          const stored = { response: response as never, input, include: request.include ?? [] };
          await store.change(job.tenant_id, stored, tx);
          if (ended.status === 'completed' || ended.status === 'incomplete')
            await keepInConversation(conversations, tx, job.tenant_id, conversationId, stored);
        },
      },
      job,
      controller,
    );

  /** How the response is made; in a plan that can only fail, why not. Rejects where the database is away. */
  async function planOf(
    { job, controller }: Live,
    { prepared, requestId }: Work,
    kept: KeptProgress | null,
  ): Promise<Plan | null> {
    try {
      const paying = await findKey(job.tenant_id, job.key_id);
      if (paying === null) return null;
      const { actor, key } = paying;
      const asking: Asking = {
        actor,
        scopes: key.scopes,
        agentModels: agentsAreModels(key),
        requestId,
        startedMs: deps.now(),
        signal: controller.signal,
      };
      return await openPlan(deps, asking, prepared, {
        store: true,
        first: null,
        before: kept?.progress.sources ?? [],
      });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return brokenPlan(prepared, error);
    }
  }

  /** What was told beyond the last checkpoint; `isLost` where nobody can go on from there. */
  async function halfOf(
    job: ClaimedResponse,
    kept: KeptProgress | null,
  ): Promise<{ half: HalfTurn | null; isLost: boolean }> {
    if (kept === null || kept.progress.pending !== null || job.last_seq <= kept.lastSeq)
      return { half: null, isLost: false };
    const source = responseEvents(db, sealed, job.id);
    const told: StreamedEvent[] = [];
    for (let last = kept.lastSeq; last < job.last_seq;) {
      const { events } = await source.read(last);
      if (events.length === 0) break;
      told.push(...events);
      last = events.at(-1)?.seq ?? job.last_seq;
    }
    const half = readHalfTurn(told);
    return { half, isLost: half === null };
  }

  async function make(one: Live, log: ResponseLog, work: Work): Promise<void> {
    const { job, controller } = one;
    const kept = job.progress === null ? null : sealed.openProgress(job.id, job.progress);
    const { half, isLost } = await halfOf(job, kept);
    const lost = responseJobs.isExhausted(job) ? exhausted() : isLost ? cutOff() : null;
    const plan = lost === null ? await planOf(one, work, kept) : brokenPlan(work.prepared, lost);
    const start: RunStart = {
      model: work.model,
      admitted: null,
      progress: kept?.progress ?? null,
      half,
      sequence: job.last_seq + 1,
      opened: kept === null ? 'queued' : 'told',
    };
    const run = new ResponseRun(deps, plan ?? brokenPlan(work.prepared, canceled()), log, start);
    const end = () => (controller.signal.reason instanceof Canceled ? run.stop() : run.cancel());
    if (plan === null || job.cancel_requested) run.stop();
    else if (lost !== null) run.terminate(lost);
    else if (controller.signal.aborted) end();
    controller.signal.addEventListener('abort', end, { once: true });
    const { error } = await run.ended;
    if (error !== null && toStudioError(error).code === 'internal' && !controller.signal.aborted)
      logger.error({ err: error, responseId: job.id }, 'response in the background failed');
    controller.signal.removeEventListener('abort', end);
  }

  async function work(one: Live): Promise<void> {
    const { job, controller } = one;
    // It ended, and its work with it.
    if (job.work === null) return;
    const given = sealed.openWork(job.id, job.work);
    const log = logOf(one, given);
    await make(one, log, given);
    await log.close();
    if (log.hasEnded || controller.signal.reason instanceof LeaseLost) return;
    const { postponedBy, isBroken } = log;
    // Without either its end could not be written, for a reason that nobody foresaw.
    const isStop = postponedBy === null && controller.signal.aborted;
    const wanted = postponedBy === null ? undefined : toStudioError(postponedBy).retryAfterSeconds;
    const seconds = isStop ? 0 : (wanted ?? (isBroken ? BREAK_SECONDS : WAIT_SECONDS));
    const change = {
      due_at: sql<Date>`clock_timestamp() + ${seconds} * interval '1 second'`,
      ...(postponedBy === null || isBroken ? {} : { waits_since: sql<Date>`coalesce(waits_since, clock_timestamp())` }),
    };
    const countsAttempt = isBroken || (postponedBy === null && !isStop);
    if (isBroken)
      logger.info(
        { responseId: job.id, reason: toStudioError(postponedBy).code },
        'response in the background broke off, and is made again',
      );
    await onceBack(() => responseJobs.release(db.query, job, { countsAttempt, change }), closing.signal);
  }

  async function claim(): Promise<Live | null> {
    const except = places.full(liveJobs().map(({ job }) => job.tenant_id));
    const [job] = await responseJobs.claim(db.query, 1, { except });
    return job === undefined ? null : { job, controller: new AbortController() };
  }

  /** One statement for all of them, which also says which are not wanted any more. */
  async function heartbeatAll(all: readonly Live[]): Promise<(one: Live) => boolean> {
    const ours = await responseJobs.heartbeat(
      db.query,
      all.map(({ job }) => job),
      ['cancel_requested'],
    );
    for (const { job, controller } of all)
      if (ours.get(job.claim)?.cancel_requested === true) controller.abort(canceled());
    return ({ job }) => ours.has(job.claim);
  }

  const cancel = (id: string) => {
    for (const { job, controller } of liveJobs()) if (job.id === id) controller.abort(canceled());
  };

  /** Responses of a key that may not be used any more end, also those that wait. */
  async function endThoseOf({ id }: RevokedKey): Promise<void> {
    for (const { job, controller } of liveJobs()) if (job.key_id === id) controller.abort(canceled());
    const change = { cancel_requested: true, due_at: sql<Date>`clock_timestamp()` };
    await db.query
      .updateTable('response_jobs')
      .set(change)
      .where('key_id', '=', id)
      .where('state', '<>', 'ended')
      .execute();
    worker?.poll();
  }

  async function open(): Promise<void> {
    const opened = createJobWorker<Live>({
      concurrency: places.concurrency,
      claim,
      work,
      heartbeat: { all: heartbeatAll },
      stopping: () => new Error('the service is stopping'),
      maintain: () => responseJobs.takeUpAbandoned(db.query, leaseSeconds),
      pollMs,
      ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
      onError: logFailures(logger, 'responses in the background'),
    });
    worker = opened;
    unsubscribers.push(await bus.subscribe(WAKE_CHANNEL, opened.poll, opened.poll));
    unsubscribers.push(await bus.subscribe(CANCEL_CHANNEL, (id) => cancel(String(id))));
    unsubscribers.push(
      await bus.subscribe(
        WRITTEN_CHANNEL,
        (ids) => {
          const isOwn = new Set(liveJobs().map(({ job }) => job.id));
          for (const id of Array.isArray(ids) ? ids : []) if (!isOwn.has(String(id))) hub.invalidate(String(id));
        },
        () => hub.invalidate(null),
      ),
    );
    const stopListening = onKeyRefused((key) => {
      endThoseOf(key).catch((error: unknown) =>
        logger.warn({ err: error }, 'responses in the background: canceling those of a deleted key failed'),
      );
    });
    unsubscribers.push(() => Promise.resolve(stopListening()));
    opened.maintain();
  }

  async function close(): Promise<void> {
    closing.abort(new Error('the service is stopping'));
    const interrupted = (await worker?.close()) ?? false;
    notifyWritten();
    for (const end of unsubscribers)
      await end().catch((error: unknown) =>
        logger.debug({ err: error }, 'responses in the background: unsubscribing failed, bus closed already'),
      );
    // Others need not wait for their next poll.
    if (interrupted) await notify(WAKE_CHANNEL, null);
  }
  let closed: Promise<void> | null = null;
  return { poll: () => worker?.poll(), cancel, open, close: () => (closed ??= close()) };
}
