import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import { databaseUnavailable } from '../../ports/database.ts';

export interface AvailabilityOptions {
  /** Reaches the database over a connection of its own. Rejects where it does not answer. */
  readonly probe: () => Promise<void>;
  readonly log: Logger;
  /** Called when a probe fails: queries in flight will not be answered. */
  readonly onUnavailable?: () => void;
  /** How long callers wait for a database that was lost, before they are refused. */
  readonly waitTimeoutMs: () => number;
  readonly probePauseMs?: number;
}

/** A circuit breaker: availability of the database, shared by all connections. */
export interface Availability {
  /** Resolves once statements may be sent: at once while the database answers. Rejects with `databaseUnavailable`, at once when the wait has timed out. */
  ready(): Promise<void>;
  /** A connection failed. One probe, repeated until it succeeds, finds out when the database is back. */
  lost(cause: unknown): void;
  /** A query has been in flight for long: probes once, and opens the circuit when the probe fails. */
  suspect(): void;
  /** Ends the probing; `ready` refuses where the database was away. Safe to repeat. */
  close(): void;
}

const PROBE_PAUSE_MS = 200;

interface Outage {
  readonly sinceMs: number;
  readonly over: PromiseWithResolvers<void>;
  cause: unknown;
  isReported: boolean;
}

export function createAvailability(options: AvailabilityOptions): Availability {
  const { probe, log, onUnavailable, waitTimeoutMs, probePauseMs = PROBE_PAUSE_MS } = options;
  const closed = new AbortController();
  let outage: Outage | null = null;
  let isProbing = false;

  const remainingMs = ({ sinceMs }: Outage) => sinceMs + waitTimeoutMs() - performance.now();

  async function probeUntilBack(current: Outage): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        return await probe();
      } catch (error) {
        current.cause = error;
        onUnavailable?.();
      }
      if (!current.isReported && remainingMs(current) <= 0) {
        current.isReported = true;
        log.warn({ err: current.cause }, 'database does not answer; what needs it is refused until it is back');
      }
      await sleep(probePauseMs, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
    }
  }

  function lost(cause: unknown): void {
    if (outage !== null || closed.signal.aborted) return;
    const current: Outage = { sinceMs: performance.now(), over: Promise.withResolvers(), cause, isReported: false };
    outage = current;
    void probeUntilBack(current).then(() => {
      if (!closed.signal.aborted) outage = null;
      current.over.resolve();
      if (current.isReported && !closed.signal.aborted)
        log.info({ awayMs: Math.round(performance.now() - current.sinceMs) }, 'database is back');
    });
  }

  return {
    async ready() {
      const current = outage;
      if (current === null) return;
      const waited = new AbortController();
      const left = remainingMs(current);
      if (left > 0) {
        const timeout = sleep(left, undefined, { signal: waited.signal }).catch(() => undefined);
        await Promise.race([current.over.promise, timeout]);
        waited.abort();
      }
      if (outage === current) throw databaseUnavailable(current.cause);
    },
    lost,
    suspect() {
      if (isProbing || outage !== null || closed.signal.aborted) return;
      isProbing = true;
      probe()
        .catch(lost)
        .finally(() => (isProbing = false));
    },
    close: () => closed.abort(),
  };
}
