import type { ServerResponse } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/** Calls of a person that one process answers at a time. A page has a few under way, and each stream is one of them. */
const MAX_CONCURRENCY = 100;
/** How often it is asked whether whoever listens to a stream still may. */
const ASK_MS = 5_000;

/** Whether somebody may still do what they began; null stands for yes. */
type Ask = () => Promise<StudioError | null>;

/** The calls that are under way, by person. */
interface OpenCalls {
  /** Counts a call until its answer has ended. Throws StudioError `rate_limited`. */
  begin(userId: string, response: ServerResponse): void;
  /**
   * Aborts when the caller goes away before the answer is whole, and, with the reason, once the person may not go on: streams
   * end with the session. It is asked every few seconds, and at once after {@link OpenCalls.askAgain}.
   */
  follow(userId: string, response: ServerResponse, ask: Ask): AbortSignal;
  /** Something changed for a person; for anybody where it is null. */
  askAgain(userId: string | null): void;
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, number>();
  const followed = new Map<string, Set<() => void>>();
  return {
    begin(userId, response) {
      // Nothing would take it back.
      if (response.closed) return;
      const count = open.get(userId) ?? 0;
      if (count >= MAX_CONCURRENCY)
        throw new StudioError('rate_limited', `More than ${MAX_CONCURRENCY} calls of yours are under way`, {
          retryAfterSeconds: 1,
        });
      open.set(userId, count + 1);
      response.once('close', () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left > 0) open.set(userId, left);
        else open.delete(userId);
      });
    },
    follow(userId, response, ask) {
      const gone = goneSignal(response);
      if (response.closed) return gone.signal;
      const look = () =>
        void ask().then((why) => {
          if (why) gone.abort(why);
        });
      const asking = setInterval(look, ASK_MS).unref();
      const looks = followed.get(userId) ?? new Set();
      followed.set(userId, looks.add(look));
      response.once('close', () => {
        clearInterval(asking);
        looks.delete(look);
        if (looks.size === 0 && followed.get(userId) === looks) followed.delete(userId);
      });
      return gone.signal;
    },
    askAgain(userId) {
      const all = userId === null ? [...followed.values()] : [followed.get(userId) ?? []];
      for (const looks of all) for (const look of looks) look();
    },
  };
}

function goneSignal(response: ServerResponse): AbortController {
  const gone = new AbortController();
  const end = () => {
    if (!response.writableFinished) gone.abort();
  };
  // It may have left while it was found out who it is.
  if (response.closed) end();
  else response.once('close', end);
  return gone;
}

/** Aborts when the caller goes away before the answer is whole. */
export const untilGone = (response: ServerResponse): AbortSignal => goneSignal(response).signal;
