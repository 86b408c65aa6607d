import type { ServerResponse } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/** Calls of a person that one process answers at a time. A page has a few under way, and each stream is one of them. */
const MOST_AT_ONCE = 100;
/** How often it is asked whether whoever listens to a stream still may. */
const ASK_MS = 5_000;

/** The calls that are under way, by person. */
interface OpenCalls {
  /** Counts a call until its answer has ended. Throws StudioError `rate_limited`. */
  begin(userId: string, response: ServerResponse): void;
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, number>();
  return {
    begin(userId, response) {
      const count = open.get(userId) ?? 0;
      if (count >= MOST_AT_ONCE)
        throw new StudioError('rate_limited', `More than ${MOST_AT_ONCE} calls of yours are under way`, {
          retryAfterSeconds: 1,
        });
      open.set(userId, count + 1);
      response.once('close', () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left > 0) open.set(userId, left);
        else open.delete(userId);
      });
    },
  };
}

/**
 * Aborts when the caller goes away before the answer is whole, and when a call that goes on for long is asked by somebody
 * who may not any more: streams end with the session. `stillMay` is null where anybody may.
 */
export function signalOf(response: ServerResponse, stillMay: (() => Promise<boolean>) | null): AbortSignal {
  const gone = new AbortController();
  const ask = async () => {
    if (stillMay && !(await stillMay())) gone.abort();
  };
  const asking = stillMay && setInterval(() => void ask(), ASK_MS).unref();
  response.once('close', () => {
    if (asking) clearInterval(asking);
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
