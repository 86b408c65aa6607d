import type { KeyRing } from '../identity/index.ts';
import { logFailures } from '../jobs/log-failures.ts';
import { onceBack } from '../jobs/once-back.ts';
import { createTenantPlaces } from '../jobs/tenant-turns.ts';
import { createJobWorker, LeaseLost } from '../jobs/worker.ts';
import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';
import { endEarly, endWithoutKey, type LiveBatch } from './live-batch.ts';
import { failAtOnce } from './outcomes.ts';
import { batchJobs, CANCEL_CHANNEL, type ClaimedBatch, WAKE_CHANNEL } from './record.ts';
import { runBatch, type RunBatchDeps } from './run-batch.ts';

export interface BatchRunnerDeps extends RunBatchDeps {
  readonly bus: Bus;
  readonly onKeyRevoked: KeyRing['onRevoked'];
  /** Batches of a tenant that this process runs at the same time. */
  readonly batchesAtOnce: number;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** What runs batches, in one process of several. */
export interface BatchRunner {
  /** Ends; batches under way wait for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

const POLL_MS = 5_000;

const gaveUp = {
  code: 'internal_error',
  line: null,
  message: 'The batch could not be run: the service failed or ended again and again without a line being answered.',
  param: null,
} as const;

/** Begins to run the batches that wait. */
export async function startBatchRunner(deps: BatchRunnerDeps): Promise<BatchRunner> {
  const { db, bus, log, onKeyRevoked, batchesAtOnce, pollMs = POLL_MS } = deps;
  const places = createTenantPlaces(batchesAtOnce);
  const closing = new AbortController();

  /** Ends a batch that was cancelled, or whose time is over. */
  function noteState(live: LiveBatch, { state, expires_at }: Pick<ClaimedBatch, 'state' | 'expires_at'>): void {
    if (state === 'cancelling') endEarly(live, { why: 'cancelled' });
    else if (expires_at.getTime() <= deps.now()) endEarly(live, { why: 'expired' });
  }

  async function work(live: LiveBatch): Promise<void> {
    const { batch, controller } = live;
    if (batchJobs.isExhausted(batch)) return void (await failAtOnce(db, batch, [gaveUp]));
    try {
      await runBatch(deps, live);
      log.info({ batchId: batch.id, tenantId: batch.tenant_id }, 'batch has ended');
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const isOwnEnd = controller.signal.aborted;
      if (!isOwnEnd) log.warn({ err: error, batchId: batch.id }, 'batch was interrupted; it is tried again');
      await onceBack(() => batchJobs.release(db.query, batch, { countsAttempt: !isOwnEnd }), closing.signal);
      if (!isOwnEnd) worker.pause();
    }
  }

  async function claim(): Promise<LiveBatch | null> {
    const except = places.full([...worker.live].map(({ batch }) => batch.tenant_id));
    const [batch] = await batchJobs.claim(db.query, 1, { except });
    if (batch === undefined) return null;
    const [controller, ending, cut] = [new AbortController(), new AbortController(), new AbortController()];
    const live: LiveBatch = { batch, controller, ending, cut };
    noteState(live, batch);
    return live;
  }

  const worker = createJobWorker<LiveBatch>({
    concurrency: places.concurrency,
    claim,
    work,
    heartbeat: {
      async all(lives) {
        const mine = await batchJobs.heartbeat(
          db.query,
          lives.map(({ batch }) => batch),
          ['state', 'expires_at'],
        );
        for (const live of lives) {
          const row = mine.get(live.batch.claim);
          if (row) noteState(live, row);
        }
        return ({ batch }) => mine.has(batch.claim);
      },
    },
    maintain: () => batchJobs.takeUpAbandoned(db.query),
    pausesAfterFailure: true,
    pollMs,
    onError: logFailures(log, 'batches'),
  });
  const unsubscribe = await bus.subscribe(WAKE_CHANNEL, worker.poll, worker.poll);
  const stopListening = await bus.subscribe(CANCEL_CHANNEL, (id) => {
    for (const live of worker.live) if (live.batch.id === id) endEarly(live, { why: 'cancelled' });
    worker.poll();
  });
  const forgetKeys = onKeyRevoked(({ id }) => {
    for (const live of worker.live) if (live.batch.key_id === id) endWithoutKey(live);
  });
  worker.maintain();

  async function close(): Promise<void> {
    closing.abort(new Error('the service is stopping'));
    forgetKeys();
    const interrupted = await worker.close();
    for (const stop of [unsubscribe, stopListening])
      await stop().catch((error: unknown) => log.debug({ err: error }, 'subscription to the bus could not be ended'));
    // Others need not wait for their next poll.
    if (interrupted) await bus.publish(WAKE_CHANNEL, null).catch(() => undefined);
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}
