import { raceAbort } from '../../kernel/race-abort.ts';
import type { EngineBinding } from '../../models/profile.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import { engineGone, type HealthCheck } from './health.ts';
import type { Routing } from './run.ts';
import type { Target } from './target.ts';
import { nothingToTry } from './targets.ts';
import type { TimeLimits, WatchedCall } from './watchdog.ts';

/** A call with a single reply, such as one for embeddings: it succeeds as a whole or fails. */
export interface UnaryCall {
  readonly requestId: string;
  readonly modelId: string;
  readonly bindings: readonly EngineBinding[];
  readonly signal: AbortSignal;
  /** Time for the whole of it in milliseconds, as it is known by then; that of all calls when left out. */
  readonly totalMs?: () => number;
}

/**
 * What a call does with the target that it got; `model` is the engine's own name of the model. The signal ends it: when
 * the caller's does, or when the time limit runs out.
 */
export type Work<T> = (engine: Engine, model: string, signal: AbortSignal) => Promise<T>;

/** A server that refused is well; an engine that refused by itself asked nobody. */
const isAnswer = ({ kind, status }: EngineError) => kind === 'refused' && status !== null;

/** Ends a call when the limit for the whole reply runs out, however many targets it tried by then. */
class Deadline implements WatchedCall {
  readonly startedMs: number;
  readonly streams = false;
  lastMs: number;
  checkedMs = 0;
  /** The target that is asked. */
  target: Target | null = null;
  activeSinceTick = false;
  receivedEvent = false;
  paused = false;
  readonly waiting = false;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #health: HealthCheck;
  place = -1;

  constructor(startedMs: number, limits: TimeLimits, caller: AbortSignal, health: HealthCheck) {
    this.#health = health;
    this.startedMs = startedMs;
    this.lastMs = startedMs;
    this.limits = limits;
    this.signal = AbortSignal.any([caller, this.#abort.signal]);
  }

  /** Why the limit ran out; null while it has not. */
  get expired(): EngineError | null {
    return this.#abort.signal.aborted ? (this.#abort.signal.reason as EngineError) : null;
  }

  checkEngine(): void {
    const { target } = this;
    if (!target) return;
    void this.#health.isAlive(target).then((alive) => {
      if (!alive && this.target === target) this.expire(engineGone(this.limits.first_token_ms));
    });
  }

  expire(error: EngineError): void {
    this.#abort.abort(error);
  }
}

/** The limits of a call, the total as it says: one that knows how long it may take has no other for its reply. */
const limitsOf = (limits: TimeLimits, { totalMs }: UnaryCall): TimeLimits =>
  totalMs === undefined
    ? limits
    : {
        first_token_ms: limits.first_token_ms,
        between_tokens_ms: limits.between_tokens_ms,
        get total_ms() {
          return totalMs();
        },
      };

/**
 * Does the work on the target that a chat would get, and on others while it fails. Each outcome counts for the health of
 * the target, for chats too. Throws StudioError `unavailable` where no engine is configured, the EngineError of the last
 * target, EngineError `timeout` when the limit for the whole reply ran out, and at once what is no failure of a target.
 */
export async function runUnaryCall<T>(
  routing: Pick<Routing, 'targets' | 'health' | 'log' | 'watch' | 'limits' | 'now'>,
  call: UnaryCall,
  work: Work<T>,
): Promise<T> {
  const deadline = new Deadline(routing.now(), limitsOf(routing.limits, call), call.signal, routing.health);
  routing.watch.add(deadline);
  try {
    return await tryTargets(routing, call, deadline, work);
  } finally {
    routing.watch.remove(deadline);
  }
}

async function tryTargets<T>(
  { targets, health, log, now }: Pick<Routing, 'targets' | 'health' | 'log' | 'now'>,
  { requestId, modelId, bindings, signal }: UnaryCall,
  deadline: Deadline,
  work: Work<T>,
): Promise<T> {
  const candidates = targets.of(bindings, modelId);
  const tried: Target[] = [];
  let last: EngineError | null = null;
  const logFailure = ({ engine }: Target, { kind, status, message: reason }: EngineError) =>
    log.warn({ engine: engine.id, requestId, kind, status, reason }, 'engine call failed');
  for (;;) {
    const picked = targets.pick(candidates, tried);
    if (!picked) break;
    const { target, model } = picked;
    tried.push(target);
    targets.started(picked);
    deadline.target = target;
    deadline.lastMs = now();
    try {
      const result = await raceAbort(deadline.signal, () => work(target.engine, model, deadline.signal));
      targets.succeeded(picked);
      return result;
    } catch (error) {
      if (deadline.expired && !signal.aborted) {
        targets.failed(picked, deadline.expired);
        logFailure(target, deadline.expired);
        throw deadline.expired;
      }
      if (signal.aborted || !(error instanceof EngineError)) throw error;
      if (isAnswer(error)) targets.succeeded(picked);
      if (error.kind === 'refused') throw error;
      targets.failed(picked, error);
      last = error;
      // It is well, and its caller is told.
      if (error.busy) continue;
      health.check(target);
      logFailure(target, error);
    } finally {
      deadline.target = null;
      targets.released(picked);
    }
  }
  throw last ?? nothingToTry(candidates, modelId);
}
