import { setTimeout as delay } from 'node:timers/promises';

// Work that several processes share through a store: each looks for what waits when it is told or now and then, does so much at a
// time, gives signs of life, and puts down what it has when it ends.

/** Work of which one turn is under way at a time; whoever asks meanwhile gets one more after it. Never rejects. */
export interface Turns {
  (): void;
  /** Resolves once no turn is under way. No new one begins after `end`. */
  end(): Promise<void>;
}

export function inTurns(turn: () => Promise<unknown>, onError: (error: unknown) => void): Turns {
  let running: Promise<void> | null = null;
  let again = false;
  let ended = false;
  const ask = (): void => {
    if (ended) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = turn()
      .catch(onError)
      .then(() => {
        running = null;
        if (!again) return;
        again = false;
        ask();
      });
  };
  const end = async (): Promise<void> => {
    ended = true;
    await running;
  };
  return Object.assign(ask, { end });
}

/** A piece of work that this process has taken. */
export interface Taken {
  /** Aborted when it is not this process's any more, and at the end. */
  readonly end: AbortController;
}

export interface LookoutOptions<T extends Taken> {
  /** Pieces at the same time. */
  readonly size: number;
  /** Pieces that are taken at once; 1 by default. */
  readonly takes?: number;
  /** Whether it is looked for more only after a piece that ended in a full house: whoever gives work asks to look anyway. */
  readonly looksWhenFull?: boolean;
  /** Takes the next one, or at most so many; null or none where none waits. */
  readonly claim: (most: number) => Promise<T | readonly T[] | null>;
  /** Does one, and says what becomes of it. */
  readonly work: (one: T) => Promise<void>;
  /** A sign of life, of one piece or of all of them. Resolves with false for what is not this process's any more. */
  readonly beat: ((one: T) => Promise<boolean>) | { readonly all: (all: readonly T[]) => Promise<(one: T) => boolean> };
  /** Why a piece is ended that is not this process's any more. */
  readonly lost: () => Error;
  /** Why a piece is ended when the service stops. */
  readonly stopping?: () => Error;
  /** Looks after what belongs to no piece, at each poll and when asked; new work is looked for after it. */
  readonly upkeep: () => Promise<void>;
  readonly pollMs: number;
  readonly beatMs: number;
  /** Longest wait for work that was told to end. */
  readonly endTimeoutMs?: number;
  /** Told what went wrong; nothing depends on it. */
  readonly onError: (error: unknown, what: 'looking' | 'upkeep' | 'work' | 'end') => void;
}

export interface Lookout<T extends Taken> {
  /** What is under way in this process. */
  readonly live: ReadonlySet<T>;
  /** Looks for work. */
  look(): void;
  /** Looks after the rest, and for work. */
  keep(): void;
  /** Keeps a place for a piece that is on its way here; null where there is none. It is given back by what is returned, once. */
  reserve(): (() => void) | null;
  /** Does a piece that was not claimed, in a place that was reserved and given back just now. */
  take(one: T): void;
  /**
   * Tells all work to end and waits for that, but not for ever: what does not end is left to its lease. Resolves with whether there
   * was any. Safe to repeat, never rejects.
   */
  close(): Promise<boolean>;
}

/** Work ends within moments of being told so; what does not waits for something that may never answer. */
const END_TIMEOUT_MS = 10_000;

const theStop = () => new Error('the service is stopping');

/** Begins to look for work. */
export function createLookout<T extends Taken>(options: LookoutOptions<T>): Lookout<T> {
  const { size, claim, work, beat, lost, upkeep, pollMs, beatMs, onError } = options;
  const { takes = 1, looksWhenFull = false, stopping = theStop, endTimeoutMs = END_TIMEOUT_MS } = options;
  const live = new Set<T>();
  const working = new Set<Promise<void>>();
  let closing = false;
  /** Places that are kept. */
  let reserved = 0;
  /** Whether something was under way at the end. */
  let interrupted = false;

  const isFull = () => live.size + reserved >= size;

  async function see(one: T): Promise<void> {
    try {
      await work(one);
    } catch (error) {
      onError(error, 'work');
    }
    const wasFull = isFull();
    live.delete(one);
    if (wasFull || !looksWhenFull) look();
  }

  function run(one: T): void {
    live.add(one);
    if (closing) {
      interrupted = true;
      one.end.abort(stopping());
    }
    const done: Promise<void> = see(one).finally(() => working.delete(done));
    working.add(done);
  }

  const look = inTurns(
    async () => {
      while (!closing && !isFull()) {
        const places = Math.min(takes, size - live.size - reserved);
        reserved += places;
        const found = await claim(places).finally(() => (reserved -= places));
        const taken = found === null ? [] : Array.isArray(found) ? (found as readonly T[]) : [found as T];
        if (taken.length === 0) return;
        for (const one of taken) run(one);
      }
    },
    (error) => onError(error, 'looking'),
  );
  const keep = inTurns(
    async () => {
      await upkeep().catch((error: unknown) => onError(error, 'upkeep'));
      look();
    },
    (error) => onError(error, 'upkeep'),
  );
  const lose = (one: T) => {
    if (live.has(one)) one.end.abort(lost());
  };
  // A store that is away says nothing about whose a piece is.
  const signs = inTurns(
    async () => {
      if (typeof beat === 'function') {
        for (const one of live) if (!(await beat(one).catch(() => true))) lose(one);
      } else if (live.size > 0) {
        const all = [...live];
        const isMine = await beat.all(all).catch(() => () => true);
        for (const one of all) if (!isMine(one)) lose(one);
      }
    },
    () => undefined,
  );

  const polls = setInterval(keep, pollMs).unref();
  const beats = setInterval(signs, beatMs).unref();

  async function close(): Promise<boolean> {
    closing = true;
    clearInterval(polls);
    interrupted = live.size > 0;
    for (const { end } of live) end.abort(stopping());
    const ending = (async () => {
      await Promise.all([keep.end(), look.end()]);
      await Promise.all(working);
    })();
    const timeout = new AbortController();
    const late = delay(endTimeoutMs, 'late' as const, { signal: timeout.signal }).catch(() => 'late' as const);
    const isLate = (await Promise.race([ending, late])) === 'late';
    timeout.abort();
    clearInterval(beats);
    if (isLate) onError(new Error(`${working.size} pieces of work did not end`), 'end');
    return interrupted || isLate;
  }
  function reserve(): (() => void) | null {
    if (closing || isFull()) return null;
    reserved++;
    let kept = true;
    return () => {
      if (!kept) return;
      kept = false;
      const wasFull = isFull();
      reserved--;
      // Not before the piece has taken the place, if it does.
      if (wasFull) queueMicrotask(look);
    };
  }
  let closed: Promise<boolean> | null = null;
  return { live, look, keep, reserve, take: run, close: () => (closed ??= close()) };
}
