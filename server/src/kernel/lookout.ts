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
  /** Takes the next one; null where none waits. */
  readonly claim: () => Promise<T | null>;
  /** Does one, and says what becomes of it. */
  readonly work: (one: T) => Promise<void>;
  /** A sign of life. Resolves with false where the piece is not this process's any more. */
  readonly beat: (one: T) => Promise<boolean>;
  /** Why a piece is ended that is not this process's any more. */
  readonly lost: () => Error;
  /** Looks after what belongs to no piece, at each poll and when asked; new work is looked for after it. */
  readonly upkeep: () => Promise<void>;
  readonly pollMs: number;
  readonly beatMs: number;
  /** Longest wait for work that was told to end. */
  readonly endPatienceMs?: number;
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
  /**
   * Tells all work to end and waits for that, but not for ever: what does not end is left to its lease. Resolves with whether there
   * was any. Safe to repeat, never rejects.
   */
  close(): Promise<boolean>;
}

/** Work ends within moments of being told so; what does not waits for something that may never answer. */
const END_PATIENCE_MS = 10_000;

const stopping = () => new Error('the service is stopping');

/** Begins to look for work. */
export function createLookout<T extends Taken>(options: LookoutOptions<T>): Lookout<T> {
  const { size, claim, work, beat, lost, upkeep, pollMs, beatMs, onError } = options;
  const { endPatienceMs = END_PATIENCE_MS } = options;
  const live = new Set<T>();
  const working = new Set<Promise<void>>();
  let closing = false;
  /** Whether something was under way at the end. */
  let interrupted = false;

  async function see(one: T): Promise<void> {
    try {
      await work(one);
    } catch (error) {
      onError(error, 'work');
    }
    live.delete(one);
    look();
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
      while (!closing && live.size < size) {
        const one = await claim();
        if (one === null) return;
        run(one);
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
  const signs = inTurns(
    async () => {
      for (const one of live) {
        // A store that is away says nothing about whose it is.
        const mine = await beat(one).catch(() => true);
        if (!mine && live.has(one)) one.end.abort(lost());
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
    const patience = new AbortController();
    const late = delay(endPatienceMs, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const);
    const isLate = (await Promise.race([ending, late])) === 'late';
    patience.abort();
    clearInterval(beats);
    if (isLate) onError(new Error(`${working.size} pieces of work did not end`), 'end');
    return interrupted || isLate;
  }
  let closed: Promise<boolean> | null = null;
  return { live, look, keep, close: () => (closed ??= close()) };
}
