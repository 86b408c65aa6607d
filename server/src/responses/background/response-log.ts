import { type Kysely, type RawBuilder, sql } from 'kysely';
import { LeaseLost } from '../../jobs/worker.ts';
import { onceBack } from '../../jobs/once-back.ts';
import type { Database, Tables } from '../../ports/database.ts';
import type { EndedResponse, Progress, ResponseTarget } from '../run.ts';
import { eventsIn, type StreamedEvent } from '../streamed-event.ts';
import { type ClaimedResponse, type SealedJobs } from './jobs.ts';
import { fateOf, type TurnFate } from './turn-failure.ts';

export interface LogDeps {
  readonly db: Database;
  readonly sealed: SealedJobs;
  /** Called with events once they are written. */
  readonly onWritten: (id: string, events: readonly StreamedEvent[]) => void;
  /** Keeps the response as it ended, in the transaction of its last event. */
  readonly keep: (tx: Kysely<Tables>, ended: EndedResponse) => Promise<void>;
  /** What a response fails with whose turn failed; null where it is made again. `isNewTurn`: turns have ended under this claim. */
  readonly failureOf: (error: unknown, fate: TurnFate, isNewTurn: boolean) => unknown;
}

/** Events are gathered for so long. */
const BATCH_INTERVAL_MS = 100;

/** Events that were told and are not written yet. */
interface Batch {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/**
 * Where a response in the background is told: its events and how far it is go to the database together, under the claim of this process. What
 * is written is always a beginning of what happened.
 */
export class ResponseLog implements ResponseTarget {
  readonly #deps: LogDeps;
  readonly #job: ClaimedResponse;
  readonly #end: AbortController;
  /** Of the last event that was taken to be written. */
  #last: number;
  #told: number;
  #bytes = '';
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** The response waits again, or is made again. */
  postponedBy: unknown = null;
  /** Whether that is as an engine broke off. */
  isBroken = false;
  #isNewTurn = false;
  hasEnded = false;

  /** `end`: aborted where the claim is lost. */
  constructor(deps: LogDeps, job: ClaimedResponse, end: AbortController) {
    this.#deps = deps;
    this.#job = job;
    this.#end = end;
    this.#last = this.#told = job.last_seq;
  }

  write(bytes: string, lastSequence: number): void {
    this.#bytes += bytes;
    this.#told = lastSequence;
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_INTERVAL_MS).unref();
  }

  keep(): Promise<boolean> {
    // With its last event.
    return Promise.resolve(true);
  }

  postpone(error: unknown, begun: boolean): unknown {
    const fate = fateOf(error, begun);
    const failure = this.#deps.failureOf(error, fate, this.#isNewTurn);
    if (failure !== null) return failure;
    this.postponedBy = error;
    this.isBroken = fate === 'again';
    return null;
  }

  checkpoint(progress: Progress): Promise<void> {
    this.#isNewTurn = true;
    const batch = this.#take();
    const kept = this.#deps.sealed.sealProgress(this.#job.id, { progress, lastSeq: this.#last });
    return this.#then(() => this.#write(batch, sql`progress = ${kept}, attempts = 1, waits_since = NULL, `));
  }

  end(ended: EndedResponse): Promise<void> {
    const batch = this.#take();
    return this.#then(async () => {
      await this.#deps.db.transaction(async (tx) => {
        const change = sql`state = 'ended', work = NULL, progress = NULL, `;
        await this.#store(tx, batch, change, sql`NULL`);
        await this.#deps.keep(tx, ended);
      });
      this.hasEnded = true;
      this.#publish(batch);
    });
  }

  /** Resolves once all that was told is written, or cannot be. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#writing.catch(() => undefined);
  }

  #flush(): void {
    const batch = this.#take();
    if (batch !== null) void this.#then(() => this.#write(batch, sql``)).catch(() => undefined);
  }

  #take(): Batch | null {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#bytes === '') return null;
    const batch = {
      first: this.#last + 1,
      last: this.#told,
      text: Buffer.from(this.#bytes, 'latin1').toString('utf8'),
    };
    this.#bytes = '';
    this.#last = this.#told;
    return batch;
  }

  /** One write after the other; again once the database is back. */
  #then(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#end;
    const done = this.#writing.then(async () => {
      if (signal.reason instanceof LeaseLost) throw signal.reason;
      await onceBack(work, signal);
    });
    this.#writing = done.catch((error: unknown) => {
      // Nothing more can be written of it here: what is missing would leave a gap.
      if (!signal.aborted) this.#end.abort(error instanceof LeaseLost ? error : new LeaseLost());
      throw error;
    });
    this.#writing.catch(() => undefined);
    return done;
  }

  async #write(batch: Batch | null, change: RawBuilder<unknown>): Promise<void> {
    await this.#store(this.#deps.db.query, batch, change, sql`claim`);
    this.#publish(batch);
  }

  /** Rejects with LeaseLost where the claim is another's. */
  async #store(
    query: Kysely<Tables>,
    batch: Batch | null,
    change: RawBuilder<unknown>,
    claim: RawBuilder<unknown>,
  ): Promise<void> {
    const { id, claim: own } = this.#job;
    const last = batch?.last ?? this.#last;
    const text = batch === null ? null : this.#deps.sealed.sealEvents(id, batch.text);
    const { rows } = await sql`
      WITH ours AS (
        UPDATE response_jobs SET ${change}claim = ${claim}, seen_at = clock_timestamp(), last_seq = ${last}
        WHERE id = ${id} AND claim = ${own} AND state = 'running' RETURNING id
      ), events AS (
        INSERT INTO response_events (response_id, first_seq, last_seq, sealed)
        SELECT id, ${batch?.first ?? 0}::int, ${last}::int, ${text}::text FROM ours WHERE ${text}::text IS NOT NULL
        -- Written already, where the reply to an earlier try was lost with its connection.
        ON CONFLICT (response_id, last_seq) DO NOTHING
      )
      SELECT id FROM ours`.execute(query);
    if (rows.length === 0) throw new LeaseLost();
  }

  #publish(batch: Batch | null): void {
    this.#deps.onWritten(this.#job.id, batch === null ? [] : eventsIn(batch.text, batch.first));
  }
}
