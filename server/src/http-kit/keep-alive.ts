import { StudioError } from '../kernel/errors.ts';
import { type IndexedMember, IndexedSet } from '../kernel/indexed-set.ts';

/** An open response. */
export interface OpenResponse extends IndexedMember {
  /** The key of the request; null where it has none. */
  readonly keyId: string | null;
  lastWriteMs: number;
  /** Writes a keep-alive, where the format has one. */
  ping(): void;
  /** Aborts it with an error. */
  terminate(why: StudioError): void;
}

/** Registry of open responses: pings those that have been silent for a while, by one timer for all, and aborts them. */
export interface KeepAlive {
  add(answer: OpenResponse): void;
  remove(answer: OpenResponse): void;
  /** Aborts all, as the service stops. */
  terminate(): void;
  /** Aborts those of a key. */
  terminateKey(keyId: string, why: StudioError): void;
  close(): void;
}

/** Source of the 15 s: decisions section 2, "Stream". */
const SILENCE_MS = 15_000;

export function createKeepAlive(now: () => number, silenceMs = SILENCE_MS): KeepAlive {
  const responses = new IndexedSet<OpenResponse>();
  const timer = setInterval(
    () => {
      const before = now() - silenceMs;
      responses.each((answer) => {
        if (answer.lastWriteMs <= before) answer.ping();
      });
    },
    Math.min(1000, silenceMs / 4),
  ).unref();
  return {
    add: (answer) => responses.add(answer),
    remove: (answer) => responses.delete(answer),
    terminate() {
      const why = new StudioError('unavailable', 'The service is stopping; send the request again');
      responses.each((answer) => answer.terminate(why));
    },
    terminateKey(keyId, why) {
      responses.each((answer) => {
        if (answer.keyId === keyId) answer.terminate(why);
      });
    },
    close: () => clearInterval(timer),
  };
}
