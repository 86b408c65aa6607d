import type { RunFile, RunPart } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../../kernel/context.ts';
import { createJobWorker, type LiveJob } from '../../../jobs/worker.ts';
import type { Logger } from '../../../kernel/log.ts';
import { FetchRefused, type GuardedRequest } from '../../../net-guard/index.ts';
import type { Database } from '../../../ports/database.ts';
import { terminalStates, selectRuns, toSnapshot } from '../../runs/rows.ts';
import { fileBytes } from '../../runs/answer-parts.ts';
import type { A2aWire } from '../form.ts';
import { createLoadPart, loadParts, type ReadRunFile, type ShownPart } from '../parts.ts';
import { renderTask } from '../tasks.ts';
import { readExchanges } from '../replies.ts';
import type { PushConfigs } from './configs.ts';
import type { Signer } from './sign.ts';

// Sends push notifications: when a task asks for input, and when it ends. Due notifications are rows of the database, so that any
// process can send them; a failed one is retried with backoff, each time with the current state of the task.

const POLL_MS = 1_000;
/** Notifications of this process that are on their way at the same time. */
const CONCURRENCY = 16;
const TIMEOUT_MS = 15_000;
/** A process that claimed a notification so long ago is gone: sending one has a shorter timeout, and needs no heartbeat. */
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 12;
const MAX_WAIT_SECONDS = 600;
const MAX_REASON_LENGTH = 500;
/** Files of one notification together: receivers bound what they take. */
const MAX_FILES_BYTES = 1024 * 1024;

export interface DeliverDeps {
  readonly db: Database;
  readonly configs: Pick<PushConfigs, 'secretsOf'>;
  readonly request: GuardedRequest;
  readonly signer: Signer;
  /** Reads files of answers. */
  readonly readFile: ReadRunFile;
  readonly log: Logger;
  readonly pollMs?: number;
  /** Wait after the first failure; it doubles. */
  readonly firstWaitSeconds?: number;
}

/** A notification that this process is to send. */
interface Due extends A2aWire {
  readonly run_id: string;
  readonly id: string;
  readonly url: string;
  readonly secrets: string;
  readonly attempts: number;
}

interface Live extends LiveJob {
  readonly due: Due;
}

/** Claims what is due: others leave it alone until the lease is over. */
async function claimDue({ query }: Database, max: number): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    UPDATE agent_push_configs AS taken
    SET attempts = taken.attempts + 1, due_at = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    FROM (
      SELECT config.run_id, config.id FROM agent_push_configs AS config
      JOIN agent_runs AS run ON run.id = config.run_id
      WHERE NOT config.done AND config.due_at <= clock_timestamp() AND run.last_seq > config.told_seq
        AND run.state IN ('input-required', 'completed', 'failed', 'canceled')
      ORDER BY config.due_at LIMIT ${max} FOR UPDATE OF config SKIP LOCKED
    ) AS chosen
    WHERE taken.run_id = chosen.run_id AND taken.id = chosen.id
    RETURNING taken.run_id, taken.id, taken.form, taken.door, taken.url, taken.secrets, taken.attempts`.execute(query);
  return rows;
}

const failureMessages = {
  poll: 'push notifications: polling for due ones failed',
  maintain: 'push notifications: maintenance failed',
  close: 'push notifications: shutdown timed out; they are sent again',
} as const;

const isEnd = (state: string) => (terminalStates as readonly string[]).includes(state);

/** What tells of tasks, in one process of several. */
export interface PushDelivery {
  /** Ends; what is on its way is sent again by another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Loaded {
  readonly parts: readonly ShownPart[];
  /** Files that are left to GetTask. */
  readonly left: readonly RunFile[];
}

/** Parts with as many of their files as receivers take within one notification. */
async function loadWithin(readFile: ReadRunFile, tenantId: TenantId, all: readonly RunPart[]): Promise<Loaded> {
  const load = createLoadPart(readFile, tenantId, () => true);
  const left: RunFile[] = [];
  let bytes = 0;
  const sent = all.filter((part) => {
    bytes += fileBytes(part);
    if (part.kind === 'data' || bytes <= MAX_FILES_BYTES) return true;
    bytes -= fileBytes(part);
    left.push(part.file);
    return false;
  });
  return { parts: await loadParts(load, sent), left };
}

export function startDelivery(deps: DeliverDeps): PushDelivery {
  const { db, configs, request, signer, readFile, log, pollMs = POLL_MS, firstWaitSeconds = 2 } = deps;

  const own = ({ run_id: runId, id }: Due) =>
    db.query.updateTable('agent_push_configs').where('run_id', '=', runId).where('id', '=', id);

  async function post(due: Due, body: string, signal: AbortSignal): Promise<void> {
    const { token, authentication } = configs.secretsOf(due.run_id, due.id, due.secrets);
    const jwt = signer.sign({ url: due.url, taskId: due.run_id, body });
    const credentials = authentication?.credentials;
    const authorization =
      authentication === null || typeof credentials !== 'string'
        ? `Bearer ${jwt}`
        : `${authentication.scheme} ${credentials}`;
    const answer = await request(due.url, {
      method: 'POST',
      headers: {
        'content-type': due.form === '0.3' ? 'application/json' : 'application/a2a+json',
        'a2a-version': due.form,
        authorization,
        'x-a2a-notification-signature': jwt,
        ...(token === null ? {} : { 'x-a2a-notification-token': token }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    await answer.close();
    if (answer.status < 200 || answer.status > 299) throw new FetchRefused(`its server answered ${answer.status}`);
  }

  async function work({ due, controller: { signal } }: Live): Promise<void> {
    const row = await selectRuns(db.query)
      .select('agent_runs.tenant_id')
      .where('agent_runs.id', '=', due.run_id)
      .executeTakeFirst();
    if (row === undefined) return;
    const run = toSnapshot(row);
    const exchanges = await readExchanges(db, run.id);
    const { parts, left } = await loadWithin(readFile, row.tenant_id, run.parts);
    const task = renderTask(due, run, { historyLength: null, artifacts: true, parts, exchanges, leftOut: left });
    try {
      await post(due, JSON.stringify(due.form === '0.3' ? task : { task }), signal);
      const delivered = { told_seq: run.lastSeq, attempts: 0, failure: null, due_at: sql<Date>`clock_timestamp()` };
      await own(due)
        .set({ ...delivered, done: isEnd(run.state) })
        .execute();
    } catch (error) {
      if (signal.aborted) {
        // Somebody else may have it at once.
        await own(due)
          .set((eb) => ({ attempts: eb('attempts', '-', 1), due_at: sql<Date>`clock_timestamp()` }))
          .execute();
        return;
      }
      const wait = Math.min(firstWaitSeconds * 2 ** (due.attempts - 1), MAX_WAIT_SECONDS);
      const reason = error instanceof Error ? error.message : String(error);
      const over = due.attempts >= MAX_ATTEMPTS;
      const failed = { failure: reason.slice(0, MAX_REASON_LENGTH), done: over && isEnd(run.state) };
      const next = over ? { told_seq: run.lastSeq, attempts: 0 } : {};
      const later = sql<Date>`clock_timestamp() + ${wait} * interval '1 second'`;
      await own(due)
        .set({ ...failed, ...next, due_at: later })
        .execute();
      if (over) log.warn({ runId: due.run_id, reason }, 'push notification dropped after its last attempt');
    }
  }

  const worker = createJobWorker<Live>({
    concurrency: CONCURRENCY,
    claimBatch: CONCURRENCY,
    pollsAfterFullOnly: true,
    claim: async (max) => (await claimDue(db, max)).map((due) => ({ due, controller: new AbortController() })),
    work,
    pollMs,
    onError(error, during) {
      if (during === 'work') log.error({ err: error }, 'push notification could not be processed');
      else log.warn({ err: error }, failureMessages[during]);
    },
  });

  return {
    async close() {
      await worker.close();
    },
  };
}
