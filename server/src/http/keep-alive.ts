import { StudioError } from '../kernel/errors.ts';
import { type IndexedMember, IndexedSet } from '../kernel/indexed-set.ts';

/** An answer under way. */
export interface OpenAnswer extends IndexedMember {
  /** The key that asked; null where it was none. */
  readonly keyId: string | null;
  lastWriteMs: number;
  /** Says that it is still there, where that can be said. */
  ping(): void;
  /** Ends it, telling why. */
  cut(why: StudioError): void;
}

/** Looks after open answers: pings those that have been silent for a while, by one timer for all, and ends them. */
export interface KeepAlive {
  add(answer: OpenAnswer): void;
  remove(answer: OpenAnswer): void;
  /** Ends all, as the service stops. */
  cut(): void;
  /** Ends those of a key. */
  cutKey(keyId: string, why: StudioError): void;
  close(): void;
}

/** Source of the 15 s: decisions section 2, "Stream". */
const SILENCE_MS = 15_000;

export function createKeepAlive(now: () => number, silenceMs = SILENCE_MS): KeepAlive {
  const answers = new IndexedSet<OpenAnswer>();
  const timer = setInterval(
    () => {
      const before = now() - silenceMs;
      answers.each((answer) => {
        if (answer.lastWriteMs <= before) answer.ping();
      });
    },
    Math.min(1000, silenceMs / 4),
  ).unref();
  return {
    add: (answer) => answers.add(answer),
    remove: (answer) => answers.delete(answer),
    cut() {
      const why = new StudioError('unavailable', 'The service is stopping; send the request again');
      answers.each((answer) => answer.cut(why));
    },
    cutKey(keyId, why) {
      answers.each((answer) => {
        if (answer.keyId === keyId) answer.cut(why);
      });
    },
    close: () => clearInterval(timer),
  };
}
