import { type IndexedMember, IndexedSet } from '../../kernel/indexed-set.ts';
import { EngineError, type TimeLimit } from '../../ports/engine.ts';

/** Milliseconds; each runs out by itself. */
export interface TimeLimits {
  readonly first_token_ms: number;
  /** Of an answer that comes whole; that of all of it when left out. */
  readonly whole_reply_ms?: number;
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
  /**
   * Whether pieces come as they are made. A reply that comes whole is silent until its end, however well its engine is: it has a limit
   * of its own, and its engine is asked whether it is there.
   */
  readonly streams: boolean;
  /** When the engine of a silent reply was last asked whether it is there. */
  checkedMs: number;
  /** While the client reads slowly the engine is held back by us: its silence does not count. */
  paused: boolean;
  /** While the engine gets the model ready, its silence does not count either. */
  readonly waiting: boolean;
  readonly limits: TimeLimits;
  /** Called each time when a reply that comes whole has been silent for as long as the first token of a stream may take. */
  checkEngine(): void;
  /** Called when a limit has run out; the call is then no longer watched. */
  expire(error: EngineError): void;
}

/** How exact the limits are. */
const TICK_MS = 100;

const limitNames: Record<Exclude<TimeLimit, 'connect'>, string> = {
  first_token: 'the first token',
  whole_reply: 'an answer that comes whole',
  between_tokens: 'the next token',
  total: 'the whole reply',
};

function expired(watched: WatchedCall, now: number): Exclude<TimeLimit, 'connect'> | null {
  const { limits } = watched;
  if (now - watched.startedMs > limits.total_ms) return 'total';
  const silence = now - watched.lastMs;
  if (!watched.streams) return silence > (limits.whole_reply_ms ?? Infinity) ? 'whole_reply' : null;
  if (!watched.receivedEvent) return silence > limits.first_token_ms ? 'first_token' : null;
  return silence > limits.between_tokens_ms ? 'between_tokens' : null;
}

function checkSilent(watched: WatchedCall, now: number): void {
  if (watched.streams || now - Math.max(watched.lastMs, watched.checkedMs) <= watched.limits.first_token_ms) return;
  watched.checkedMs = now;
  watched.checkEngine();
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
      if (!limit) return checkSilent(watched, at);
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
