import { onceBack } from '../../jobs/once-back.ts';
import type { TenantTurns } from '../../jobs/tenant-turns.ts';
import { createJobWorker, type JobWorker, LeaseLost, type LiveJob } from '../../jobs/worker.ts';
import { logFailures } from '../../jobs/log-failures.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { createCallLimit } from './embed-together.ts';
import { claimGroup, heartbeatGroup, type Job, requeue } from './jobs.ts';
import { GONE_SECONDS, takeInShort } from './short-group.ts';
import type { StageDeps } from './stages.ts';

interface LiveGroup extends LiveJob {
  readonly jobs: readonly Job[];
}

/** Groups at the same time: while one waits for the database or a model, the other is read and cut. */
const CONCURRENCY = 2;

export interface ShortWorkerDeps extends StageDeps {
  readonly turns: TenantTurns;
  readonly pollMs: number;
  /** Aborted when the service stops. */
  readonly stop: AbortSignal;
  /** Documents were left to those that are taken in one by one. */
  readonly onLeft: () => void;
}

/** Takes in short texts, many at a time. It claims nothing before its first poll. */
export function createShortWorker({ turns, pollMs, stop, onLeft, ...given }: ShortWorkerDeps): JobWorker<LiveGroup> {
  const deps = { ...given, callLimit: createCallLimit() };
  const { db, log } = deps;

  /** What was not done is tried again: one by one, where it may be the fault of one of them. */
  async function release({ jobs, controller }: LiveGroup, error: unknown): Promise<void> {
    const isFault = !(error instanceof LeaseLost || controller.signal.aborted || isDatabaseUnavailable(error));
    if (isFault) log.warn({ err: error, documents: jobs.length }, 'short documents are taken in one by one');
    const afterSeconds = error instanceof LeaseLost ? GONE_SECONDS : 0;
    for (const job of jobs) await requeue(db, job, { reason: null, afterSeconds, counts: isFault });
  }

  return createJobWorker<LiveGroup>({
    concurrency: CONCURRENCY,
    async claim() {
      const jobs = await claimGroup(db, turns);
      return jobs.length === 0 ? null : { jobs, controller: new AbortController() };
    },
    async work(group) {
      try {
        await takeInShort(deps, group.jobs, group.controller.signal);
      } catch (error) {
        await onceBack(() => release(group, error), stop);
      }
      onLeft();
    },
    heartbeat: ({ jobs }) => heartbeatGroup(db, jobs),
    pollMs,
    onError: logFailures(log, 'ingest of short documents'),
  });
}
