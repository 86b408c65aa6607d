import type { NativeContext } from './native.ts';
import { type Priority, createTurns } from './turns.ts';

/** A context that reads one text at a time. */
export interface Lane {
  readonly context: NativeContext;
  /** Tokens of the longest text that it takes. */
  readonly size: number;
}

/** A request for a lane. */
export interface LaneRequest {
  readonly tokens: number;
  /** Whether the request has other texts. */
  readonly inBatch: boolean;
  /** `interactive` when left out. */
  readonly priority?: Priority;
}

export interface LanesOptions {
  /** Takes every text, and all threads. */
  readonly wide: Lane;
  /** Take short texts, side by side, each with its share of the threads. */
  readonly narrow: readonly Lane[];
  /** A text of so many tokens is worth all threads when it is alone. */
  readonly heavyTokens: number;
}

/** Assigns lanes to texts: the more urgent first, first come first served among equals. */
export interface Lanes {
  acquire(request: LaneRequest): Promise<Lane>;
  release(lane: Lane): void;
  /** Rejects waiting requests and resolves when no lane is in use. */
  stop(): Promise<void>;
}

/** The wide lane and the narrow ones never work at one time: their threads would wait for each other's cores. */
export function createLanes({ wide, narrow, heavyTokens }: LanesOptions): Lanes {
  const waiting = createTurns<{
    readonly request: LaneRequest;
    readonly resolve: (lane: Lane) => void;
    readonly reject: (e: Error) => void;
  }>();
  const busy = new Set<Lane>();
  const size = narrow[0]?.size ?? 0;
  let stopped: PromiseWithResolvers<void> | null = null;

  const laneFor = ({ tokens, inBatch }: LaneRequest): Lane | null => {
    const alone = !inBatch && waiting.size() === 1 && busy.size === 0;
    if (tokens > size || (alone && tokens >= heavyTokens)) return busy.size === 0 ? wide : null;
    return busy.has(wide) ? null : (narrow.find((lane) => !busy.has(lane)) ?? null);
  };

  const dispatch = () => {
    for (let next = waiting.next(); next; next = waiting.next()) {
      const lane = laneFor(next.request);
      if (!lane) return;
      waiting.serve(next);
      busy.add(lane);
      next.resolve(lane);
    }
  };

  return {
    acquire(request) {
      if (stopped) return Promise.reject(unloaded());
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject }, request.priority ?? 'interactive');
        dispatch();
      });
    },
    release(lane) {
      busy.delete(lane);
      if (!stopped) dispatch();
      else if (busy.size === 0) stopped.resolve();
    },
    stop() {
      if (stopped) return stopped.promise;
      stopped = Promise.withResolvers();
      for (const { reject } of waiting.clear()) reject(unloaded());
      if (busy.size === 0) stopped.resolve();
      return stopped.promise;
    },
  };
}

const unloaded = () => new Error('The model is being unloaded');
