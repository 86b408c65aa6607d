import type { Response, ResponseEventType } from '@ai-studio/contract/responses/response.ts';
import { type Kysely, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '../../kernel/context.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import { followLog } from '../../jobs/follow-log.ts';
import { createLogHub } from '../../jobs/log-hub.ts';
import { lastingName, namesAgent } from '../agent-turn.ts';
import { createEnvelope } from '../envelope.ts';
import type { Asking, PreparedResponse } from '../prepare.ts';
import { isOpen, type StoredResponse } from '../store.ts';
import type { StreamedEvent } from '../streamed-event.ts';
import { responseEvents } from './events.ts';
import { findJob, sealedJobs, type SealedJobs } from './jobs.ts';
import { CANCEL_CHANNEL, createRunner, type RunnerDeps, WAKE_CHANNEL, WRITTEN_CHANNEL } from './runner.ts';

/** What is not there before it is opened, or is made here. */
type BackgroundDeps = Omit<RunnerDeps, 'sealed' | 'hub'> & {
  /** Responses of a tenant that may wait or be made at the same time. */
  readonly maxOpen: number;
};

/** Responses that are made while nobody waits. */
export interface Background {
  /** Stores one, which begins soon. Resolves with it as it waits. Rejects with StudioError `rate_limited`, `invalid_request`. */
  begin(asking: Asking, prepared: PreparedResponse, model: string): Promise<StoredResponse>;
  /**
   * The events of one after a number, each once, in order, until its end. Rejects with StudioError `not_found`, and `invalid_request` for
   * one whose events are not kept; then with the signal's reason.
   */
  follow(
    tenantId: TenantId,
    id: string,
    after: number,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamedEvent, void>>;
  /** Ends one, wherever it is made. Resolves with it as it ended. Rejects with StudioError `not_found`, `invalid_request`. */
  cancel(tenantId: TenantId, id: string): Promise<StoredResponse>;
  /** One that was deleted need not be made. */
  deleted(tenantId: TenantId, response: Response): void;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** How long the process that makes a response may take to end it; one that is gone is not waited for any longer. */
const CANCEL_TIMEOUT_MS = 5_000;
const CANCEL_POLL_MS = 50;
/** After which room may be there again for another response of a tenant that has too many. */
const RETRY_SECONDS = 30;

const frameOf = (type: ResponseEventType, seq: number, response: Response) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: seq, response })}\n\n`;

/** The response as it waits. */
function queuedResponse({ id, createdAt, request, conversationId }: PreparedResponse, model: string): Response {
  const rendered = createEnvelope({ id, createdAt, request, conversationId, model })({
    status: 'queued',
    output: '[]',
    store: true,
  });
  return JSON.parse(Buffer.from(rendered, 'latin1').toString('utf8')) as Response;
}

/** Throws StudioError `rate_limited` where the tenant has as many open ones as it may have. Two at one moment take turns. */
async function requireRoom(tx: Kysely<Tables>, tenantId: TenantId, maxOpen: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`responses in the background ${tenantId}`}, 0))`.execute(
    tx,
  );
  const { open } = await tx
    .selectFrom('response_jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'ended')
    .executeTakeFirstOrThrow();
  if (Number(open) >= maxOpen)
    throw new StudioError(
      'rate_limited',
      `Your organisation has ${open} responses in the background that wait or are being made, as many as it may have`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
}

/** Ends one that no process makes; `any`: also one whose process does not. Resolves with whether it did. */
async function endCanceled(
  { db, store }: BackgroundDeps,
  sealed: SealedJobs,
  tenantId: TenantId,
  id: string,
  any: boolean,
): Promise<boolean> {
  const stored = await store.get(tenantId, id);
  return db.transaction(async (tx) => {
    const job = await tx
      .updateTable('response_jobs')
      .set({ state: 'ended', claim: null, work: null, progress: null, last_seq: sql`last_seq + (streams)::int` })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', any ? ['queued', 'running'] : ['queued'])
      .returning(['streams', 'last_seq'])
      .executeTakeFirst();
    if (job === undefined) return false;
    const response = { ...stored.response, status: 'cancelled' as const };
    await store.change(tenantId, { ...stored, response }, tx);
    const { streams, last_seq: last } = job;
    if (streams) {
      const text = sealed.sealEvents(id, frameOf('response.incomplete', last, response));
      await tx
        .insertInto('response_events')
        .values({ response_id: id, first_seq: last, last_seq: last, sealed: text })
        .execute();
    }
    return true;
  });
}

/** Makes responses in the background. `open` begins with what waits. */
export function createBackground(given: BackgroundDeps & Pick<RunnerDeps, 'box'>): Background {
  const { db, bus, store, log, box, maxOpen } = given;
  const sealed = sealedJobs(box);
  const hub = createLogHub<StreamedEvent>();
  const runner = createRunner({ ...given, sealed, hub });
  const closing = new AbortController();
  const publish = (channel: string, payload: unknown) =>
    bus
      .publish(channel, payload)
      .catch((error: unknown) =>
        log.debug({ err: error }, 'responses in the background: telling other processes failed'),
      );

  /** Waits until one has ended, for a limited time. */
  async function untilEnded(tenantId: TenantId, id: string): Promise<void> {
    const deadline = performance.now() + CANCEL_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const job = await findJob(db, tenantId, id);
      if (job === null || job.state === 'ended') return;
      await sleep(CANCEL_POLL_MS);
    }
  }

  /** Where an agent answers its run is a job of its own, which goes on although nobody makes the response any more. */
  const endRun = (tenantId: TenantId, { id, model }: Pick<Response, 'id' | 'model'>): Promise<void> =>
    namesAgent({ model }) ? given.agents.cancelLasting(tenantId, model, lastingName(id)) : Promise.resolve();

  return {
    async begin({ actor, requestId }, prepared, model) {
      if (!store.keeps)
        throw invalidRequest(
          'background is not possible here, as no response is kept: responses.retention_days of the configuration is 0',
          'background',
        );
      const { tenantId, keyId } = actor;
      const { id, request, items: input } = prepared;
      const response = queuedResponse(prepared, model);
      const stored = { response, input, include: request.include ?? [] };
      const streams = request.stream === true;
      await db.transaction(async (tx) => {
        await requireRoom(tx, tenantId, maxOpen);
        await store.save(tenantId, stored, tx);
        const last = streams ? 1 : -1;
        const work = sealed.sealWork(id, { prepared, model, requestId });
        await tx
          .insertInto('response_jobs')
          .values({ id, tenant_id: tenantId, key_id: keyId ?? '', work, streams, last_seq: last })
          .execute();
        if (!streams) return;
        const told = frameOf('response.created', 0, response) + frameOf('response.queued', 1, response);
        await tx
          .insertInto('response_events')
          .values({ response_id: id, first_seq: 0, last_seq: 1, sealed: sealed.sealEvents(id, told) })
          .execute();
      });
      runner.poll();
      await publish(WAKE_CHANNEL, null);
      return stored;
    },
    async follow(tenantId, id, after, signal) {
      await store.get(tenantId, id);
      const job = await findJob(db, tenantId, id);
      if (job?.streams !== true)
        throw invalidRequest(
          'stream: the events of this response are not kept; those of responses are that were begun with background and stream',
          'stream',
        );
      return followLog({ hub, closing: closing.signal }, id, responseEvents(db, sealed, id), after, signal);
    },
    async cancel(tenantId, id) {
      const before = await store.get(tenantId, id);
      if (!before.response.background)
        throw invalidRequest('Only responses in the background can be canceled, and this one is not');
      if (!isOpen(before.response)) return before;
      const change = { cancel_requested: true, due_at: sql<Date>`clock_timestamp()` };
      await db.query
        .updateTable('response_jobs')
        .set(change)
        .where('id', '=', id)
        .where('tenant_id', '=', tenantId)
        .execute();
      if (!(await endCanceled(given, sealed, tenantId, id, false))) {
        runner.cancel(id);
        await publish(CANCEL_CHANNEL, id);
        await untilEnded(tenantId, id);
        await endCanceled(given, sealed, tenantId, id, true);
      }
      await endRun(tenantId, before.response);
      hub.invalidate(id);
      await publish(WRITTEN_CHANNEL, [id]);
      return store.get(tenantId, id);
    },
    deleted(tenantId, response) {
      runner.cancel(response.id);
      void publish(CANCEL_CHANNEL, response.id);
      if (isOpen(response))
        endRun(tenantId, response).catch((error: unknown) =>
          log.warn({ err: error, responseId: response.id }, 'run of a deleted response could not be ended'),
        );
    },
    open: () => runner.open(),
    async close() {
      closing.abort(new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 }));
      await runner.close();
    },
  };
}
