import type { Logger } from '../../kernel/log.ts';
import type { EngineBinding } from '../../models/profile.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type ChatCall, type ChatEvent, type ChatRun, type ChatSink, EngineError } from '../../ports/engine.ts';
import { fanOut } from './fan-out.ts';
import { createHealthCheck } from './health.ts';
import { type Candidate, type EngineAddress, type Target, createTargets } from './targets.ts';
import { type TimeLimits, type Watched, createWatch } from './watch.ts';

export type { EngineAddress, TimeLimits };

export interface RouterOptions {
  readonly engines: ReadonlyMap<string, readonly EngineAddress[]>;
  readonly limits: TimeLimits;
  readonly log: Logger;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  readonly random?: () => number;
}

/** A chat call for whichever target of the model can take it. */
export interface RouteRequest {
  readonly modelId: string;
  readonly bindings: readonly EngineBinding[];
  readonly choices: number;
  readonly call: Omit<ChatCall, 'model'>;
  /** Whether another target may still take over: nothing has gone to the client. */
  readonly mayRetry: () => boolean;
  /** Told of each target that is tried. */
  readonly onTarget: (engineId: string) => void;
}

/** State of a target, for health, metrics and people. */
export interface TargetState {
  readonly engine: string;
  readonly kind: string;
  readonly cooling: boolean;
  readonly inFlight: number;
  readonly calls: number;
  readonly failed: number;
  readonly lastError: string | null;
}

export interface ChatRouter {
  /** Starts a call. Never throws; events come after it has returned. */
  run(request: RouteRequest, sink: ChatSink): ChatRun;
  states(): readonly TargetState[];
  close(): void;
}

/** Tries of one call, the first included. */
const MOST_TRIES = 4;
/** Before the same target is tried again. */
const RETRY_PAUSE_MS = 150;
/** A server that asks for more patience than this is not waited for. */
const LONGEST_WAIT_SECONDS = 1;

/** A server that answers so is set up wrongly; asking it again would change nothing. */
const misconfigured = (status: number | null): boolean => status !== null && (status < 400 || [401, 403, 404, 405, 501].includes(status));

const toEngineError = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('unavailable', error instanceof Error ? error.message : 'The engine failed', { cause: error });

export function createRouter({ engines, limits, log, now = () => performance.now(), random = Math.random }: RouterOptions): ChatRouter {
  const targets = createTargets({ engines, now, random });
  const watch = createWatch(now);
  const health = createHealthCheck({ targets, log, now });

  const run = (request: RouteRequest, sink: ChatSink): ChatRun => {
    const tried = new Set<Target>();
    let candidates: readonly Candidate[] = [];
    let tries = 0;
    let current: { run: ChatRun; target: Target } | null = null;
    let retryTimer: NodeJS.Timeout | null = null;
    let over = false;
    const startedMs = now();

    const watched: Watched = {
      startedMs,
      lastMs: startedMs,
      touched: false,
      begun: false,
      paused: false,
      streams: request.call.stream,
      limits,
      expire: (error) => {
        if (over) return;
        if (current && error.limit === 'first_token') return failed(current.target, error);
        if (current) targets.failed(current.target, error);
        stop();
        sink({ type: 'error', error });
      },
    };

    const release = () => {
      if (current) targets.left(current.target);
      current = null;
    };
    const fail = (error: EngineError) => {
      stop();
      sink({ type: 'error', error });
    };
    const stop = () => {
      over = true;
      if (retryTimer) clearTimeout(retryTimer);
      watch.remove(watched);
      const running = current?.run;
      release();
      running?.abort();
    };

    const again = (error: EngineError): boolean => {
      if (error.kind === 'refused' || watched.begun || !request.mayRetry() || tries >= MOST_TRIES) return false;
      if (candidates.some(({ target }) => !tried.has(target))) {
        attempt();
        return true;
      }
      // The only ones there are: once more after a moment, unless they ask for patience.
      if (tries > candidates.length || error.kind === 'timeout' || misconfigured(error.status) || (error.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return false;
      tried.clear();
      retryTimer = setTimeout(attempt, RETRY_PAUSE_MS);
      return true;
    };

    const failed = (target: Target, error: EngineError) => {
      const running = current?.run;
      release();
      // Where it ran out of time it is still at work.
      running?.abort();
      if (error.kind === 'refused') targets.succeeded(target);
      else {
        targets.failed(target, error);
        health.check(target);
        log.warn({ engine: target.engine.id, requestId: request.call.requestId, kind: error.kind, status: error.status, reason: error.message }, 'engine call failed');
      }
      if (!again(error)) fail(error);
    };

    const receive = (target: Target, event: ChatEvent) => {
      if (over || current?.target !== target) return;
      if (event.type === 'error') return failed(target, event.error);
      watched.touched = true;
      if (!watched.begun) targets.answers(target);
      watched.begun = true;
      if (event.type === 'end') {
        targets.succeeded(target);
        release();
        stop();
      }
      sink(event);
    };

    const attempt = () => {
      retryTimer = null;
      const picked = targets.pick(candidates, tried);
      if (!picked) {
        const retryAfterSeconds = targets.patienceSeconds(candidates);
        const error = new EngineError('unavailable', `All engines of the model ${request.modelId} asked for patience`, { retryAfterSeconds });
        return queueMicrotask(() => {
          if (!over) fail(error);
        });
      }
      const { target, model } = picked;
      tried.add(target);
      tries++;
      watched.lastMs = now();
      watch.add(watched);
      targets.started(target);
      request.onTarget(target.engine.id);
      const call: ChatCall = { ...request.call, model };
      const { engine } = target;
      const mine = { run: idle, target };
      current = mine;
      if (!engine.chat) {
        queueMicrotask(() => receive(target, { type: 'error', error: new EngineError('refused', 'no chat', { detail: `The model ${request.modelId} cannot chat` }) }));
        return;
      }
      const receiveHere: ChatSink = (event) => receive(target, event);
      mine.run =
        request.choices > 1 && !engine.traits.choices ? fanOut(engine, call, request.choices, receiveHere) : engine.chat(call, receiveHere);
    };

    try {
      candidates = targets.of(request.bindings, request.modelId);
      attempt();
    } catch (error) {
      stop();
      const failure = error instanceof StudioError ? new EngineError('unavailable', error.message, { detail: error.message, cause: error }) : toEngineError(error);
      queueMicrotask(() => sink({ type: 'error', error: failure }));
    }

    return {
      abort: () => {
        if (!over) stop();
      },
      pause() {
        watched.paused = true;
        current?.run.pause();
      },
      resume() {
        watched.paused = false;
        watched.touched = true;
        current?.run.resume();
      },
    };
  };

  return {
    run,
    states: () =>
      targets.all().map(({ engine, coolingUntilMs, inFlight, calls, failed, lastError }) => ({
        engine: engine.id,
        kind: engine.kind,
        cooling: coolingUntilMs > now(),
        inFlight,
        calls,
        failed,
        lastError,
      })),
    close() {
      watch.close();
      health.close();
    },
  };
}

const idle: ChatRun = { abort: () => undefined, pause: () => undefined, resume: () => undefined };
