import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import { databaseAway } from '../../ports/database.ts';

export interface AvailabilityOptions {
  /** Reaches the database over a connection of its own. Rejects where it does not answer. */
  readonly probe: () => Promise<void>;
  readonly log: Logger;
  /** Called once the database does not answer: whoever waits for an answer of it waits in vain. */
  readonly onAway?: () => void;
  /** How long callers wait for a database that was lost, before they are refused. */
  readonly patienceMs: () => number;
  readonly probePauseMs?: number;
}

/** What is known of the database by all connections together: a circuit breaker. */
export interface Availability {
  /** Resolves once statements may be sent: at once while the database answers. Rejects with `databaseAway`, at once after the patience. */
  ready(): Promise<void>;
  /** A connection failed. One probe, repeated until it succeeds, finds out when the database is back. */
  lost(cause: unknown): void;
  /** Something is not answered for long: probes once, and takes the database for lost where that fails. */
  doubt(): void;
  /** Ends the probing; `ready` refuses where the database was away. Safe to repeat. */
  close(): void;
}

const PROBE_PAUSE_MS = 200;

interface Outage {
  readonly sinceMs: number;
  readonly over: PromiseWithResolvers<void>;
  cause: unknown;
  isTold: boolean;
}

export function createAvailability(options: AvailabilityOptions): Availability {
  const { probe, log, onAway, patienceMs, probePauseMs = PROBE_PAUSE_MS } = options;
  const closed = new AbortController();
  let outage: Outage | null = null;
  let isDoubting = false;

  const leftMs = ({ sinceMs }: Outage) => sinceMs + patienceMs() - performance.now();

  async function untilBack(known: Outage): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        return await probe();
      } catch (error) {
        known.cause = error;
        onAway?.();
      }
      if (!known.isTold && leftMs(known) <= 0) {
        known.isTold = true;
        log.warn({ err: known.cause }, 'The database does not answer; what needs it is refused until it is back');
      }
      await sleep(probePauseMs, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
    }
  }

  function lost(cause: unknown): void {
    if (outage !== null || closed.signal.aborted) return;
    const known: Outage = { sinceMs: performance.now(), over: Promise.withResolvers(), cause, isTold: false };
    outage = known;
    void untilBack(known).then(() => {
      if (!closed.signal.aborted) outage = null;
      known.over.resolve();
      if (known.isTold && !closed.signal.aborted)
        log.info({ awayMs: Math.round(performance.now() - known.sinceMs) }, 'The database is back');
    });
  }

  return {
    async ready() {
      const known = outage;
      if (known === null) return;
      const waited = new AbortController();
      const left = leftMs(known);
      if (left > 0) {
        const patience = sleep(left, undefined, { signal: waited.signal }).catch(() => undefined);
        await Promise.race([known.over.promise, patience]);
        waited.abort();
      }
      if (outage === known) throw databaseAway(known.cause);
    },
    lost,
    doubt() {
      if (isDoubting || outage !== null || closed.signal.aborted) return;
      isDoubting = true;
      probe()
        .catch(lost)
        .finally(() => (isDoubting = false));
    },
    close: () => closed.abort(),
  };
}
