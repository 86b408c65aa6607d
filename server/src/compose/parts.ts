import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';

/** A component that can be closed. Closing it twice is safe. */
interface Part {
  close(graceMs: number): unknown;
}

/** The parts of the service that are open, in the order in which they were opened. */
export interface Parts {
  /** Aborted as soon as the service is to stop, before any part is closed. */
  readonly stopping: AbortSignal;
  /** Registers a part, which is closed at the end, before all that were opened earlier. Returns it. */
  own<T extends Part>(name: string, part: T): T;
  /** Registers a function that is called at the end, in its order among the parts. */
  onClose(name: string, close: Part['close']): void;
  /** Registers a function that is called once every part is open. The part that it resolves with is closed in this order. */
  onStart(name: string, start: () => Promise<Part | null>): void;
  /** Closes a part also as soon as the service is to stop: what it works on can wait for another process, or the next start. */
  closeEarly(part: Part): void;
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
    // A part that fails to close must not keep the others open: the process would never exit.
    for (const part of opened.toReversed())
      try {
        await part.close(graceMs);
      } catch (error) {
        log.error({ err: error, part: part.name }, 'part of the service failed to close');
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
    closeEarly(part) {
      // A failure is reported by the regular close.
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
