import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParseError, type ParseLimits, type WorkLimits } from '@ai-studio/documents';
import { unlimitedActor } from '../../kernel/actor.ts';
import { isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { logFailures } from '../../jobs/log-failures.ts';
import { onceBack } from '../../jobs/once-back.ts';
import { createTenantPlaces } from '../../jobs/tenant-turns.ts';
import { createJobWorker, type LiveJob } from '../../jobs/worker.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database, WithinChange } from '../../ports/database.ts';
import { meterParse, type ParsedCall, prepareParse } from '../metering.ts';
import type { Metering } from '../../usage/index.ts';
import { type LayoutParser, layoutWish } from '../layout/index.ts';
import { pagesOf } from '../pages-of.ts';
import {
  blobKey,
  claimParse,
  type ClaimedParse,
  fail,
  finish,
  parseJobs,
  type Progress,
  type Reason,
} from './record.ts';

/** Channel of the bus: documents wait to be read. */
export const WAKE_CHANNEL = 'document_parses';
/** Channel of the bus: the document of this id is not wanted any more. */
export const REMOVED_CHANNEL = 'document_parses_removed';

export interface RunnerDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly blobs: BlobStore;
  readonly pool: LayoutParser;
  /** Where files lie while they are read. */
  readonly folder: string;
  /** Documents of a tenant that this process reads at the same time. */
  readonly size: number;
  readonly limits: ParseLimits;
  /** Of one document. */
  readonly timeoutMs: number;
  readonly work: WorkLimits;
  readonly keepHours: number;
  readonly metering: Metering;
  readonly log: Logger;
  /** How often it polls for documents of which no message told. */
  readonly pollMs?: number;
}

/** What reads documents in the background, in one process of several. */
export interface Runner {
  /** Ends; what is being read waits again at once, for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Live extends LiveJob {
  readonly parse: ClaimedParse;
  readonly startedMs: number;
  progress: Progress;
  /** Whoever gave it wants it no more. */
  removed: boolean;
}

const POLL_MS = 5_000;
/** A document that failed so often for a reason that nobody foresaw is given up. */
const MAX_FAILURES = 3;

const endedTheService: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be read: each time the service ended in the middle.',
};

const ownFault: Reason = {
  code: 'INTERNAL',
  message: 'The document could not be read, for a reason that lies in the service.',
};

/** Begins to read what waits. */
export async function startRunner(deps: RunnerDeps): Promise<Runner> {
  const { db, bus, blobs, pool, folder, size, limits, timeoutMs, work: workLimits } = deps;
  const { keepHours, metering, log, pollMs = POLL_MS } = deps;
  const closing = new AbortController();
  const places = createTenantPlaces(size);

  async function read(one: Live, path: string, onPage: (done: number, total: number | null) => void) {
    const { parse, controller } = one;
    const { tenantId, name, fields } = parse;
    if (!(await blobs.toFile(blobKey(parse), path))) throw new Error('the file of a document is gone');
    const { parser_type: parser } = fields;
    const job = { path, name, pages: pagesOf(fields.pages), limits, parser, layout: layoutWish(fields) };
    // What whoever gave it may use was asked when it was accepted.
    const ctx = { actor: unlimitedActor(parse), requestId: `parse-${parse.claim}`, priority: 'ingest' as const };
    const how = { timeoutMs, work: workLimits, signal: controller.signal, onPage, ctx };
    const { bytes, pages, format } = await pool.parse(tenantId, job, how);
    const read = { result: Buffer.from(bytes), pages, format, keepHours };
    await countWith(one, { status: 200, outcome: 'ok', pages }, (storeUsage) =>
      onceBack(() => finish(db, parse, read, storeUsage), controller.signal),
    );
  }

  /** Does what stores an outcome, together with its usage: a kill between the two would lose that. */
  async function countWith(
    { parse: actor, startedMs }: Live,
    end: Omit<ParsedCall, 'actor' | 'startedMs'>,
    store: (storeUsage: WithinChange) => Promise<boolean>,
  ): Promise<void> {
    const use = prepareParse(metering, { actor, startedMs, ...end });
    if (await store((tx) => use.store(tx, actor.id))) use.announce();
  }
  const failWith = (one: Live, reason: Reason, status: number) =>
    countWith(one, { status, outcome: 'error', pages: 0 }, (storeUsage) =>
      fail(db, one.parse, { code: reason.code, message: reason.message, keepHours }, storeUsage),
    );

  /** What becomes of a document that was not read. Resolves with whether the trouble is the service's, not the document's. */
  async function settle(one: Live, error: unknown): Promise<boolean> {
    const { parse, controller } = one;
    if (error instanceof ParseError) {
      await failWith(one, error, error.code === 'PROCESS_ENDED' ? 503 : 422);
      return false;
    }
    if (one.removed) {
      const { startedMs } = one;
      meterParse(metering, { actor: parse, startedMs, status: 499, outcome: 'canceled', pages: 0 });
      return false;
    }
    // Ours no longer, or not for long; or others are being read: nobody is to blame.
    if (
      controller.signal.aborted ||
      isDiskFull(error) ||
      (error instanceof StudioError && error.code === 'unavailable')
    ) {
      await parseJobs.release(db.query, parse, { countsAttempt: false });
      return !controller.signal.aborted;
    }
    log.warn({ err: error, documentId: parse.id }, 'document could not be read in the background');
    if (parse.attempts < MAX_FAILURES) await parseJobs.release(db.query, parse, { countsAttempt: true });
    else await failWith(one, ownFault, 500);
    return true;
  }

  async function work(one: Live): Promise<void> {
    const { claim, id } = one.parse;
    if (parseJobs.isExhausted(one.parse)) return failWith(one, endedTheService, 500);
    const path = join(folder, `job-${claim}`);
    try {
      await read(one, path, (done, total) => (one.progress = { done, total }));
    } catch (error) {
      if (await onceBack(() => settle(one, error), closing.signal)) worker.pause();
    } finally {
      await rm(path, { force: true });
    }
    log.debug({ documentId: id }, 'document read in the background has ended');
  }

  async function claim(): Promise<Live | null> {
    const busy = places.full([...worker.live].map((one) => one.parse.tenantId));
    const parse = await claimParse(db, busy);
    if (parse === null) return null;
    return {
      parse,
      startedMs: Date.now(),
      controller: new AbortController(),
      progress: { done: 0, total: null },
      removed: false,
    };
  }

  const worker = createJobWorker<Live>({
    concurrency: places.concurrency,
    claim,
    work,
    heartbeat: ({ parse, progress }) =>
      parseJobs.update(db.query, parse, { pages_done: progress.done, pages_total: progress.total }),
    maintain: () => parseJobs.takeUpAbandoned(db.query),
    pausesAfterFailure: true,
    pollMs,
    onError: logFailures(log, 'documents in the background'),
  });
  const unsubscribe = await bus.subscribe(WAKE_CHANNEL, worker.poll, worker.poll);
  const stopListening = await bus.subscribe(REMOVED_CHANNEL, (id) => {
    for (const one of worker.live) {
      if (one.parse.id !== id) continue;
      one.removed = true;
      one.controller.abort(new Error('the document is not wanted any more'));
    }
  });
  worker.maintain();

  async function close(): Promise<void> {
    closing.abort(new Error('the service is stopping'));
    const interrupted = await worker.close();
    for (const stop of [unsubscribe, stopListening])
      await stop().catch((error: unknown) => log.debug({ err: error }, 'subscription to the bus could not be ended'));
    // Others need not wait for their next poll.
    if (interrupted) await bus.publish(WAKE_CHANNEL, null).catch(() => undefined);
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}
