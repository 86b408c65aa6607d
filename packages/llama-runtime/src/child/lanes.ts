import type { NativeContext } from './native.ts';

/** A context that reads one text at a time. */
export interface Lane {
  readonly context: NativeContext;
  /** Tokens of the longest text that it takes. */
  readonly size: number;
}

/** Who wants a lane. */
export interface Wish {
  readonly tokens: number;
  /** Other texts of its request want one as well. */
  readonly inCompany: boolean;
}

export interface LanesOptions {
  /** Takes every text, and all threads. */
  readonly wide: Lane;
  /** Take short texts, side by side, each with its share of the threads. */
  readonly narrow: readonly Lane[];
  /** A text of so many tokens is worth all threads when it is alone. */
  readonly heavyFrom: number;
}

/** Gives lanes to texts in the order in which they ask. */
export interface Lanes {
  take(wish: Wish): Promise<Lane>;
  give(lane: Lane): void;
  /** Resolves when none is in use. Whoever waits then is given none. */
  stop(): Promise<void>;
}

/** The wide lane and the narrow ones never work at one time: their threads would wait for each other's cores. */
export function createLanes({ wide, narrow, heavyFrom }: LanesOptions): Lanes {
  const waiting: {
    readonly wish: Wish;
    readonly resolve: (lane: Lane) => void;
    readonly reject: (e: Error) => void;
  }[] = [];
  const busy = new Set<Lane>();
  const size = narrow[0]?.size ?? 0;
  let stopped: PromiseWithResolvers<void> | null = null;

  const laneFor = ({ tokens, inCompany }: Wish): Lane | null => {
    const alone = !inCompany && waiting.length === 1 && busy.size === 0;
    if (tokens > size || (alone && tokens >= heavyFrom)) return busy.size === 0 ? wide : null;
    return busy.has(wide) ? null : (narrow.find((lane) => !busy.has(lane)) ?? null);
  };

  const dispatch = () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const lane = laneFor(next.wish);
      if (!lane) return;
      waiting.shift();
      busy.add(lane);
      next.resolve(lane);
    }
  };

  return {
    take(wish) {
      if (stopped) return Promise.reject(unloaded());
      return new Promise((resolve, reject) => {
        waiting.push({ wish, resolve, reject });
        dispatch();
      });
    },
    give(lane) {
      busy.delete(lane);
      if (!stopped) dispatch();
      else if (busy.size === 0) stopped.resolve();
    },
    stop() {
      if (stopped) return stopped.promise;
      stopped = Promise.withResolvers();
      for (const { reject } of waiting.splice(0)) reject(unloaded());
      if (busy.size === 0) stopped.resolve();
      return stopped.promise;
    },
  };
}

const unloaded = () => new Error('The model is being unloaded');
