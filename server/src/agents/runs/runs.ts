import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { TenantId } from '../../kernel/context.ts';
import { followLog } from '../../jobs/follow-log.ts';
import { createLogHub } from '../../jobs/log-hub.ts';
import { runNotFound, requestCancel } from './cancel.ts';
import { readOpenRuns, type RunFigures } from './figures.ts';
import { runEvents } from './run-events.ts';
import { hasEnded, isRunId, selectRuns, toSnapshot } from './rows.ts';
import { CANCEL_CHANNEL, createRunner, type RunnerDeps, WAKE_CHANNEL, WRITTEN_CHANNEL } from './runner.ts';
import { storeRun } from './start.ts';
import type { AgentRuns, FollowOptions, RunSnapshot } from './types.ts';

export interface RunsDeps extends Omit<RunnerDeps, 'hub'> {
  /** How long ids of messages are known, in hours; 0: never looked at. */
  readonly messageHours: number;
}

/** Runs, and what Prometheus is told of them. */
export interface CountedRuns extends AgentRuns {
  readonly figures: RunFigures;
}

/** Time for another process to end a run. */
const CANCEL_TIMEOUT_MS = 30_000;

/** The first event of a run, as it was stored with it. */
const submittedOf = ({ createdAt }: RunSnapshot): RunEvent => ({
  type: 'state',
  state: 'submitted',
  seq: 1,
  at: createdAt.toISOString(),
});

/** The runs of agents. `open` begins to run what waits. */
export function createRuns(deps: RunsDeps): CountedRuns {
  const { db, bus, log, messageHours } = deps;
  const hub = createLogHub<RunEvent>();
  const runner = createRunner({ ...deps, hub });
  const closing = new AbortController();

  const follow = (runId: string, after: number, signal: AbortSignal, options?: FollowOptions) =>
    followLog({ hub, closing: closing.signal }, runId, runEvents(db, runId, options), after, signal);

  const publish = (channel: string, payload: unknown) =>
    bus
      .publish(channel, payload)
      .catch((error: unknown) => log.warn({ err: error }, 'agent run: publishing on the bus failed'));

  async function read(tenantId: TenantId, agentId: string, runId: string): Promise<RunSnapshot> {
    const row = isRunId(runId)
      ? await selectRuns(db.query)
          .where('agent_runs.id', '=', runId)
          .where('agent_runs.tenant_id', '=', tenantId)
          .where('agent_runs.agent_id', '=', agentId)
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw runNotFound();
    return toSnapshot(row);
  }

  /** Waits until a run of another process has ended. Throws StudioError `unavailable`. */
  async function untilEnded(runId: string, after: number): Promise<void> {
    const timeout = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
    try {
      for await (const event of follow(runId, after, timeout))
        if (event.type === 'state' && hasEnded(event.state)) return;
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new StudioError('unavailable', 'The run could not be ended in time; it ends soon', {
        retryAfterSeconds: 5,
      });
    }
  }

  return {
    async start(actor, request) {
      if (closing.signal.aborted)
        throw new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 });
      const release = runner.reserve();
      try {
        const { run, joined, claimed } = await storeRun(
          { db, messageHours },
          actor,
          request,
          release === null ? null : hexId(),
        );
        release?.();
        if (claimed !== null) runner.begin(claimed, run.lastSeq === 1 ? [submittedOf(run)] : []);
        else if (!joined) {
          runner.poll();
          await publish(WAKE_CHANNEL, null);
        }
        return { run, joined };
      } finally {
        release?.();
      }
    },
    read,
    follow,
    async cancel(tenantId, agentId, runId) {
      const step = await requestCancel(db, tenantId, agentId, runId);
      if (step === 'ended') {
        hub.invalidate(runId);
        await publish(WRITTEN_CHANNEL, [runId]);
      } else {
        if (step === 'waiting') await runner.endCanceled();
        if (await runner.cancel(runId)) return read(tenantId, agentId, runId);
        await publish(CANCEL_CHANNEL, runId);
        await untilEnded(runId, 0);
      }
      return read(tenantId, agentId, runId);
    },
    figures: { open: () => readOpenRuns(db), left: () => runner.left() },
    open: () => runner.open(),
    async close() {
      closing.abort(new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 }));
      await runner.close();
    },
  };
}
