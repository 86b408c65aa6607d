import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { createLookout } from '../../kernel/lookout.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';
import { ParseError } from '../parse-error.ts';
import { type ParsedCall, parseUsage } from '../metering.ts';
import type { Metering } from '../../usage/index.ts';
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
  readonly metering: Metering;
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

const troubles = {
  looking: 'documents that wait could not be looked for',
  upkeep: 'documents of other processes could not be looked for',
  // The database did not take the outcome; the document is taken up again when its lease has run out.
  work: 'what became of a document could not be stored',
  end: 'documents that were being read did not end in time; they are taken up again',
} as const;

const ownFault: record.Reason = {
  code: 'INTERNAL',
  message: 'The document could not be read, for a reason that lies in the service.',
};

/** Begins to read what waits. */
export async function startRunner(deps: RunnerDeps): Promise<Runner> {
  const { db, bus, blobs, pool, folder, size, limits, timeoutMs, keepHours, metering, log, pollMs = POLL_MS } = deps;
  /** After trouble of our own, until the next poll. */
  let paused = false;

  async function read({ parse, end }: Live, path: string, onPage: (done: number, total: number | null) => void) {
    const { tenantId, name, fields } = parse;
    if (!(await blobs.toFile(record.blobKey(parse), path))) throw new Error('the file of a document is gone');
    const job = { path, name, pages: pagesOf(fields.pages), limits, parser: fields.parser_type };
    const { bytes, pages, format } = await pool.parse(tenantId, job, { timeoutMs, signal: end.signal, onPage });
    return (await record.finish(db, parse, { result: Buffer.from(bytes), pages, format, keepHours })) ? pages : null;
  }

  const count = ({ parse: actor, startedMs }: Live, end: Omit<ParsedCall, 'actor' | 'startedMs'>) =>
    metering.record(parseUsage({ actor, startedMs, ...end }));

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
      await rm(path, { force: true });
    }
    log.debug({ documentId: id }, 'a document of the background is done with');
  }

  async function claim(): Promise<Live | null> {
    const parse = paused ? null : await record.claimNext(db, hexId());
    if (parse === null) return null;
    return {
      parse,
      startedMs: Date.now(),
      end: new AbortController(),
      progress: { done: 0, total: null },
      removed: false,
    };
  }

  const lookout = createLookout<Live>({
    size,
    claim,
    work,
    beat: ({ parse, progress }) => record.beat(db, parse, progress),
    lost: () => new Error('the document was given to another process'),
    async upkeep() {
      paused = false;
      await record.takeUpAbandoned(db, keepHours);
    },
    pollMs,
    beatMs: BEAT_MS,
    onError(error, what) {
      if (what === 'work') paused = true;
      log.warn({ err: error }, troubles[what]);
    },
  });
  const unsubscribe = await bus.subscribe(WAKE_CHANNEL, lookout.look, lookout.look);
  const stopHearing = await bus.subscribe(REMOVED_CHANNEL, (id) => {
    for (const one of lookout.live) {
      if (one.parse.id !== id) continue;
      one.removed = true;
      one.end.abort(new Error('the document is not wanted any more'));
    }
  });
  lookout.keep();

  async function close(): Promise<void> {
    const interrupted = await lookout.close();
    for (const stop of [unsubscribe, stopHearing])
      await stop().catch((error: unknown) => log.debug({ err: error }, 'the bus was gone before'));
    // Others need not wait for their next look.
    if (interrupted) await bus.publish(WAKE_CHANNEL, null).catch(() => undefined);
  }
  let closed: Promise<void> | null = null;
  return { close: () => (closed ??= close()) };
}
