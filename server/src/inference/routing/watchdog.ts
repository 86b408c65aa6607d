import { type IndexedMember, IndexedSet } from '../../kernel/indexed-set.ts';
import { EngineError, type TimeLimit } from '../../ports/engine.ts';

/** Milliseconds; each runs out by itself. */
export interface TimeLimits {
  readonly first_token_ms: number;
  readonly between_tokens_ms: number;
  readonly total_ms: number;
}

/** The times of a call under way. */
export interface WatchedCall extends IndexedMember {
  /** Start of the call, for the total. */
  readonly startedMs: number;
  /** Start of the present attempt, or the first tick after its last event. */
  lastMs: number;
  /** Whether there was an event since the last tick: cheaper than asking for the time at each. */
  activeSinceTick: boolean;
  /** Whether the present attempt has had an event. */
  receivedEvent: boolean;
  /** Whether pieces come as they are made. A reply that comes whole is silent until its end, so that only the total counts. */
  readonly streams: boolean;
  /** While the client reads slowly the engine is held back by us: its silence does not count. */
  paused: boolean;
  /** While the engine gets the model ready, its silence does not count either. */
  readonly waiting: boolean;
  readonly limits: TimeLimits;
  /** Called when a limit has run out; the call is then no longer watched. */
  expire(error: EngineError): void;
}

/** How exact the limits are. */
const TICK_MS = 100;

const limitNames: Record<Exclude<TimeLimit, 'connect'>, string> = {
  first_token: 'the first token',
  between_tokens: 'the next token',
  total: 'the whole reply',
};

function expired(watched: WatchedCall, now: number): Exclude<TimeLimit, 'connect'> | null {
  const { limits } = watched;
  if (now - watched.startedMs > limits.total_ms) return 'total';
  if (!watched.streams) return null;
  const silence = now - watched.lastMs;
  if (!watched.receivedEvent) return silence > limits.first_token_ms ? 'first_token' : null;
  return silence > limits.between_tokens_ms ? 'between_tokens' : null;
}

/** Watches all calls with one timer, which only runs while there are any. */
export function createWatchdog(now: () => number) {
  const calls = new IndexedSet<WatchedCall>();
  let timer: NodeJS.Timeout | null = null;

  const stop = () => {
    if (timer) clearInterval(timer);
    timer = null;
  };
  const tick = () => {
    const at = now();
    calls.each((watched) => {
      if (watched.activeSinceTick || watched.paused || watched.waiting) {
        watched.activeSinceTick = false;
        watched.lastMs = at;
      }
      const limit = expired(watched, at);
      if (!limit) return;
      calls.delete(watched);
      const ms = watched.limits[`${limit}_ms`];
      watched.expire(
        new EngineError('timeout', `The time limit of ${ms} ms for ${limitNames[limit]} (${limit}_ms) ran out`, {
          limit,
        }),
      );
    });
    if (calls.size === 0) stop();
  };

  return {
    add(watched: WatchedCall): void {
      calls.add(watched);
      timer ??= setInterval(tick, TICK_MS).unref();
    },
    remove: (watched: WatchedCall): void => calls.delete(watched),
    close: stop,
  };
}
export type Watchdog = ReturnType<typeof createWatchdog>;
