import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';
import { ParseError } from '../parse-error.ts';
import { type ParseMeter, type ParseOutcome, parseUsage } from '../metering.ts';
import { pagesOf } from '../pages-of.ts';
import type { ParseLimits } from '../reader.ts';
import type { ParsePool } from '../sandbox/pool.ts';
import * as record from './record.ts';

/** Channel of the bus: documents wait to be read. */
export const WAKE_CHANNEL = 'document_parses';
/** Channel of the bus: the document of this id is not wanted any more. */
export const REMOVED_CHANNEL = 'document_parses_removed';

export interface RunnerDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly blobs: BlobStore;
  readonly pool: Pick<ParsePool, 'parse'>;
  /** Where files lie while they are read. */
  readonly folder: string;
  /** Documents that this process reads at the same time. */
  readonly size: number;
  readonly limits: ParseLimits;
  /** Of one document. */
  readonly timeoutMs: number;
  readonly keepHours: number;
  readonly meter: ParseMeter;
  readonly log: Logger;
  /** How often it is looked for documents of which no message told. */
  readonly pollMs?: number;
}

/** What reads documents in the background, in one process of several. */
export interface Runner {
  /** Ends; what is being read waits again at once, for another process or the next start. Safe to repeat, never rejects. */
  close(): Promise<void>;
}

interface Live {
  readonly parse: record.ClaimedParse;
  readonly startedMs: number;
  readonly end: AbortController;
  progress: record.Progress;
  /** Whoever gave it wants it no more. */
  removed: boolean;
}

const POLL_MS = 5_000;
const BEAT_MS = 2_000;

const ownFault: record.Reason = {
  code: 'INTERNAL',
  message: 'The document could not be read, for a reason that lies in the service.',
};

/** Begins to read what waits. */
export async function startRunner(deps: RunnerDeps): Promise<Runner> {
  const { db, bus, blobs, pool, folder, size, limits, timeoutMs, keepHours, meter, log, pollMs = POLL_MS } = deps;
  const live = new Map<string, Live>();
  const working = new Set<Promise<void>>();
  let closing = false;
  /** After trouble of our own, until the next poll. */
  let paused = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  async function read({ parse, end }: Live, path: string, onPage: (done: number, total: number | null) => void) {
    const { tenantId, name, fields } = parse;
    if (!(await blobs.toFile(record.blobKey(parse), path))) throw new Error('the file of a document is gone');
    const job = { path, name, pages: pagesOf(fields.pages), limits, parser: fields.parser_type };
    const { bytes, pages, format } = await pool.parse(tenantId, job, { timeoutMs, signal: end.signal, onPage });
    return (await record.finish(db, parse, { result: Buffer.from(bytes), pages, format, keepHours })) ? pages : null;
  }

  const count = ({ parse, startedMs }: Live, outcome: ParseOutcome) =>
    meter.record(parseUsage(parse, { at: startedMs, latencyMs: Date.now() - startedMs, ...outcome }));

  /** What becomes of a document that was not read. Resolves with whether the trouble is the service's, not the document's. */
  async function settle(one: Live, error: unknown): Promise<boolean> {
    const { parse, end } = one;
    if (error instanceof ParseError) {
      if (await record.fail(db, parse, error, keepHours)) count(one, { status: 422, outcome: 'error', pages: 0 });
      return false;
    }
    if (one.removed) {
      count(one, { status: 499, outcome: 'canceled', pages: 0 });
      return false;
    }
    // Ours no longer, or not for long; or others are being read: nobody is to blame.
    if (end.signal.aborted || isDiskFull(error) || (error instanceof StudioError && error.code === 'unavailable')) {
      await record.putBack(db, parse, false);
      return !end.signal.aborted;
    }
    log.warn({ err: error, documentId: parse.id }, 'a document could not be read in the background');
    if (await record.mayTryAgain(db, parse)) await record.putBack(db, parse, true);
    else if (await record.fail(db, parse, ownFault, keepHours)) count(one, { status: 500, outcome: 'error', pages: 0 });
    return true;
  }

  async function work(one: Live): Promise<void> {
    const { claim, id } = one.parse;
    const path = join(folder, `job-${claim}`);
    try {
      const pages = await read(one, path, (done, total) => (one.progress = { done, total }));
      if (pages !== null) count(one, { status: 200, outcome: 'ok', pages });
    } catch (error) {
      if (await settle(one, error)) paused = true;
    } finally {
      live.delete(claim);
      await rm(path, { force: true });
    }
    log.debug({ documentId: id }, 'a document of the background is done with');
  }

  /** Never rejects. */
  async function see(one: Live): Promise<void> {
    try {
      await work(one);
    } catch (error) {
      // The database did not take the outcome; the document is taken up again when its lease has run out.
      paused = true;
      log.warn({ err: error, documentId: one.parse.id }, 'what became of a document could not be stored');
    }
  }

  function run(parse: record.ClaimedParse): void {
    const one: Live = {
      parse,
      startedMs: Date.now(),
      end: new AbortController(),
      progress: { done: 0, total: null },
      removed: false,
    };
    live.set(parse.claim, one);
    if (closing) one.end.abort();
    const done = see(one).finally(() => {
      working.delete(done);
      look();
    });
    working.add(done);
  }

  async function fill(): Promise<void> {
    while (!closing && !paused && live.size < size) {
      const parse = await record.claimNext(db, hexId());
      if (parse === null) return;
      run(parse);
    }
  }

  function look(): void {
    if (closing) return;
    if (looking !== null) {
      lookAgain = true;
      return;
    }
    looking = fill()
      .catch((error: unknown) => log.warn({ err: error }, 'documents that wait could not be looked for'))
      .then(() => {
        looking = null;
        if (!lookAgain) return;
        lookAgain = false;
        look();
      });
  }

  let polling: Promise<void> = Promise.resolve();
  function poll(): void {
    paused = false;
    polling = polling
      .then(async () => void (await record.takeUpAbandoned(db, keepHours)))
      .catch((error: unknown) => log.warn({ err: error }, 'documents of other processes could not be looked for'))
      .then(look);
  }

  async function signs(): Promise<void> {
    for (const one of live.values()) {
      const mine = await record.beat(db, one.parse, one.progress).catch(() => true);
      if (!mine && live.has(one.parse.claim)) one.end.abort(new Error('the document was given to another process'));
    }
  }

  const unsubscribe = await bus.subscribe(WAKE_CHANNEL, look, look);
  const stopHearing = await bus.subscribe(REMOVED_CHANNEL, (id) => {
    for (const one of live.values()) {
      if (one.parse.id !== id) continue;
      one.removed = true;
      one.end.abort(new Error('the document is not wanted any more'));
    }
  });
  const polls = setInterval(poll, pollMs).unref();
  let beating: Promise<void> = Promise.resolve();
  const beats = setInterval(() => void (beating = beating.then(signs)), BEAT_MS).unref();
  poll();

  async function close(): Promise<void> {
    closing = true;
    clearInterval(polls);
    for (const { end } of live.values()) end.abort(new Error('the service is stopping'));
    await polling;
    await looking;
    const interrupted = working.size > 0;
    await Promise.all(working);
    clearInterval(beats);
    await beating;
    for (const stop of [unsubscribe, stopHearing])
      await stop().catch((error: unknown) => log.debug({ err: error }, 'the bus was gone before'));
    // Others need not wait for their next look.
    if (interrupted) await bus.publish(WAKE_CHANNEL, null).catch(() => undefined);
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}
