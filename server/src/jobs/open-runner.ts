import type { Bus } from '../ports/bus.ts';
import type { Logger } from '../kernel/log.ts';
import type { TenantId } from '../kernel/context.ts';
import { logFailures } from './log-failures.ts';
import { createTenantPlaces, createTenantTurns, type TenantTurns } from './tenant-turns.ts';
import { createJobWorker, type JobWorkerOptions, type LiveJob } from './worker.ts';

/** The worker of a queue in this process. */
export interface JobRunner {
  /** Ends; jobs go on in another process, or at the next start. Safe to repeat. */
  close(): Promise<void>;
}

/** A job of a tenant that this process works on. */
export interface LiveTenantJob extends LiveJob {
  readonly run: { readonly tenant_id: TenantId };
}

/** A queue of tenants' jobs, and what is done with them. */
export interface RunnerOptions<J extends LiveTenantJob> extends Pick<
  JobWorkerOptions<J>,
  'work' | 'heartbeat' | 'maintain' | 'pollMs' | 'heartbeatMs'
> {
  readonly bus: Bus;
  readonly log: Logger;
  /** Channel of the bus: a job waits. */
  readonly channel: string;
  /** What the jobs are called in the log. */
  readonly name: string;
  /** Jobs of a tenant at the same time in this process. */
  readonly perTenant: number;
  /** Takes the next job, of tenants that have a place, as their turns say; null where none waits. */
  readonly claim: (how: { readonly turns: TenantTurns; readonly except: readonly TenantId[] }) => Promise<J | null>;
  /** Whether a message of the bus brings the maintenance as well, as it may say more than that a job waits. */
  readonly maintainsWhenTold?: boolean;
}

/** Opens the worker of a queue of tenants' jobs, which are told of by the bus and looked for now and then. */
export async function openJobRunner<J extends LiveTenantJob>(options: RunnerOptions<J>): Promise<JobRunner> {
  const { bus, log, channel, name, perTenant, claim, maintainsWhenTold = false, ...given } = options;
  const turns = createTenantTurns();
  const places = createTenantPlaces(perTenant);
  const worker = createJobWorker<J>({
    ...given,
    concurrency: places.concurrency,
    async claim() {
      const except = places.full([...worker.live].map(({ run }) => run.tenant_id));
      const job = await claim({ turns, except });
      if (job !== null) turns.note(job.run.tenant_id);
      return job;
    },
    onError: logFailures(log, name),
  });
  const onTold = maintainsWhenTold ? worker.maintain : worker.poll;
  const unsubscribe = await bus.subscribe(channel, onTold, onTold);
  worker.maintain();

  async function close(): Promise<void> {
    const interrupted = await worker.close();
    await unsubscribe().catch((error: unknown) =>
      log.debug({ err: error }, 'subscription to the bus could not be ended'),
    );
    // Another process need not wait for its next poll.
    if (interrupted) await bus.publish(channel, null).catch(() => undefined);
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}
