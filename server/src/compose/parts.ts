import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';

/** What can be ended. Safe to repeat. */
interface Part {
  close(graceMs: number): unknown;
}

/** The parts of the service that are open, in the order in which they were opened. */
export interface Parts {
  /** Aborted as soon as the service is to stop, before any part is closed. */
  readonly stopping: AbortSignal;
  /** Keeps a part until the end, which closes it before all that were opened earlier. Returns it. */
  own<T extends Part>(name: string, part: T): T;
  /** Has `close` called at the end, in its place among the parts. */
  onClose(name: string, close: Part['close']): void;
  /** Has `start` called once every part is open. What it resolves with is closed in this place. */
  onStart(name: string, start: () => Promise<Part | null>): void;
  /** Closes a part also as soon as the service is to stop: what it works on can wait for another process, or the next start. */
  endEarly(part: Part): void;
}

/** What every part is opened with. */
export interface Base {
  readonly config: Config;
  readonly log: Logger;
  readonly parts: Parts;
}

/** What was opened, until it is closed. */
export interface Opened<T> {
  readonly value: T;
  /** Closes the parts, the last one first; open requests may finish for so long. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/**
 * Calls `open`, which opens the parts one after the other, then starts them in the same order. Where one of them fails, those that
 * are open are closed, and the failure is thrown.
 */
export async function openParts<T>(log: Logger, open: (parts: Parts) => Promise<T> | T): Promise<Opened<T>> {
  const stopping = new AbortController();
  const starts: (() => Promise<void>)[] = [];
  const opened: (Part & { readonly name: string })[] = [];
  let closing: Promise<void> | null = null;
  const closeAll = async (graceMs: number) => {
    stopping.abort();
    // What cannot be closed must not keep open what comes after it: the process would never end.
    for (const part of opened.toReversed())
      try {
        await part.close(graceMs);
      } catch (error) {
        log.error({ err: error, part: part.name }, 'A part of the service could not be closed in order');
      }
  };
  const close = (graceMs: number) => (closing ??= closeAll(graceMs));
  const onClose: Parts['onClose'] = (name, end) => void opened.push({ name, close: end });
  const parts: Parts = {
    stopping: stopping.signal,
    onClose,
    own(name, part) {
      onClose(name, (graceMs) => part.close(graceMs));
      return part;
    },
    onStart(name, start) {
      let started: Part | null = null;
      starts.push(async () => void (started = await start()));
      onClose(name, (graceMs) => started?.close(graceMs));
    },
    endEarly(part) {
      // Whether it failed is found when its turn comes.
      const end = async () => part.close(0);
      stopping.signal.addEventListener('abort', () => void end().catch(() => undefined), { once: true });
    },
  };
  try {
    const value = await open(parts);
    for (const start of starts) await start();
    return { value, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}
