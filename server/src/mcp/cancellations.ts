import { createHash } from 'node:crypto';
import type { Logger } from '../kernel/log.ts';
import type { Bus } from '../ports/bus.ts';

// Requests of versions with sessions are cancelled by a message of their own, which any process may get.

/** A request: whose it is, in which session, under which id. */
export interface RequestName {
  /** As limits count by. */
  readonly subject: string;
  readonly sessionId: string;
  readonly requestId: string | number;
}

export interface Cancellations {
  /** Has `cancel` called once the request is cancelled, by whatever process. Returns what ends that. */
  watch(name: RequestName, cancel: () => void): () => void;
  /** Cancels a request; nothing happens where there is none of this name. */
  cancel(name: RequestName): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

const CHANNEL = 'mcp_cancel';

/** Ids are texts of clients, of any length. */
const keyOf = ({ subject, sessionId, requestId }: RequestName): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, sessionId, requestId]))
    .digest('hex');

export async function openCancellations({
  bus,
  log,
}: {
  readonly bus: Bus;
  readonly log: Logger;
}): Promise<Cancellations> {
  const watched = new Map<string, Set<() => void>>();
  const cancelHere = (key: string) => watched.get(key)?.forEach((cancel) => cancel());
  const unsubscribe = await bus.subscribe(CHANNEL, (key) => {
    if (typeof key === 'string') cancelHere(key);
  });
  return {
    watch(name, cancel) {
      const key = keyOf(name);
      const set = watched.get(key) ?? new Set();
      watched.set(key, set.add(cancel));
      return () => {
        set.delete(cancel);
        if (set.size === 0 && watched.get(key) === set) watched.delete(key);
      };
    },
    async cancel(name) {
      const key = keyOf(name);
      cancelHere(key);
      try {
        await bus.publish(CHANNEL, key);
      } catch (error) {
        log.warn({ err: error }, 'MCP: publishing on the bus failed');
      }
    },
    close: unsubscribe,
  };
}
