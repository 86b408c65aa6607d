import type { Logger } from '../../kernel/log.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { EngineBinding } from '../../models/profile.ts';
import {
  type ChatBody,
  type ChatCall,
  type ChatEvent,
  type ChatRun,
  type ChatSink,
  EngineError,
  type EngineTraits,
} from '../../ports/engine.ts';
import { callsOfChoices, callsOfPrompts, fanOut } from './fan-out.ts';
import { engineGone, type HealthCheck } from './health.ts';
import type { Candidate, Target } from './target.ts';
import { nothingToTry, type Targets } from './targets.ts';
import type { TimeLimits, Watchdog, WatchedCall } from './watchdog.ts';

/** A chat call for whichever target of the model can take it. */
export interface RouteRequest {
  readonly modelId: string;
  readonly bindings: readonly EngineBinding[];
  readonly choices: number;
  readonly call: Omit<ChatCall, 'model'>;
  /** In place of the body of the call for engines without the model's own template; null or left out where it is the same. */
  readonly instructedBody?: ChatBody | null;
  /** In place of both where there are several prompts, which have equal shares of the choices; null or left out where there is one. */
  readonly prompts?: readonly { readonly body: ChatBody; readonly instructedBody: ChatBody | null }[] | null;
  /** What the calls of one conversation have in common, by which they go where its prompt is in the cache; null for nothing. */
  readonly affinity?: (() => number | null) | undefined;
  /** Whether another target may still take over: nothing has gone to the client. */
  readonly mayRetry: () => boolean;
  /** Called with each target that is tried. */
  readonly onTarget: (engineId: string, traits: EngineTraits) => void;
}

/** What all calls share. */
export interface Routing {
  readonly targets: Targets;
  readonly watch: Watchdog;
  readonly health: HealthCheck;
  readonly limits: TimeLimits;
  readonly log: Logger;
  readonly now: () => number;
}

/** Tries of one call, the first included. */
const MAX_ATTEMPTS = 4;
/** Before the same target is tried again. */
const RETRY_DELAY_MS = 150;
/** A server whose Retry-After is longer than this is not waited for. */
const MAX_WAIT_SECONDS = 1;

/** A server that answers so is set up wrongly; asking it again would change nothing. */
const misconfigured = (status: number | null): boolean =>
  status !== null && (status < 400 || [401, 403, 404, 405, 501].includes(status));

function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : 'The engine failed';
  return new EngineError('unavailable', message, {
    detail: error instanceof StudioError ? message : null,
    cause: error,
  });
}

/** One call and its attempts. A class, as thousands are open at one time and closures would weigh more than the rest. */
class RoutedRun implements ChatRun, WatchedCall {
  readonly startedMs: number;
  readonly streams: boolean;
  readonly limits: TimeLimits;
  lastMs = 0;
  checkedMs = 0;
  activeSinceTick = false;
  receivedEvent = false;
  paused = false;
  place = -1;
  readonly #routing: Routing;
  readonly #request: RouteRequest;
  readonly #sink: ChatSink;
  #candidates: readonly Candidate[] = [];
  #tried: Target[] = [];
  #attempts = 0;
  #picked: Candidate | null = null;
  #running: ChatRun | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  #over = false;

  constructor(routing: Routing, request: RouteRequest, sink: ChatSink) {
    this.#routing = routing;
    this.#request = request;
    this.#sink = sink;
    this.startedMs = routing.now();
    this.streams = request.call.stream;
    this.limits = routing.limits;
  }

  get waiting(): boolean {
    return this.#running?.waiting ?? false;
  }

  start(): void {
    try {
      this.#candidates = this.#routing.targets.of(this.#request.bindings, this.#request.modelId);
      this.#attempt();
    } catch (error) {
      this.#failAsync(toEngineError(error));
    }
  }

  abort(): void {
    if (!this.#over) this.#stop();
  }

  pause(): void {
    this.paused = true;
    this.#running?.pause();
  }

  resume(): void {
    this.paused = false;
    this.activeSinceTick = true;
    this.#running?.resume();
  }

  checkEngine(): void {
    const picked = this.#picked;
    if (!picked) return;
    const { health, limits } = this.#routing;
    void health.isAlive(picked.target).then((alive) => {
      if (alive || this.#over || this.#picked !== picked || this.receivedEvent) return;
      this.#failed(picked, engineGone(limits.first_token_ms));
    });
  }

  expire(error: EngineError): void {
    if (this.#over) return;
    if (this.#picked && (error.limit === 'first_token' || error.limit === 'whole_reply'))
      return this.#failed(this.#picked, error);
    if (this.#picked) this.#routing.targets.failed(this.#picked, error);
    this.#fail(error);
  }

  #attempt(): void {
    const { targets, watch, now } = this.#routing;
    const { modelId, choices, onTarget, instructedBody, prompts, affinity } = this.#request;
    const picked = targets.pick(this.#candidates, this.#tried, affinity);
    if (!picked) return this.#failAsync(nothingToTry(this.#candidates, modelId));
    const { target, model } = picked;
    const { engine } = target;
    this.#tried.push(target);
    this.#attempts++;
    this.lastMs = now();
    watch.add(this);
    targets.started(picked);
    this.#picked = picked;
    const traits = engine.traitsOf?.(model) ?? engine.traits;
    onTarget(engine.id, traits);
    if (!engine.chat) {
      return this.#failAsync(
        new EngineError('refused', `Engine ${engine.id} cannot chat`, { detail: `The model ${modelId} cannot chat` }),
      );
    }
    const isInstructed = !picked.ownTemplate;
    const body = (isInstructed ? instructedBody : null) ?? this.#request.call.body;
    const call: ChatCall = { ...this.#request.call, model, body };
    const sink: ChatSink = (event) => this.#receive(picked, event);
    const bodies = prompts?.map((one) => (isInstructed ? one.instructedBody : null) ?? one.body);
    if (bodies) this.#running = fanOut(engine, callsOfPrompts(call, bodies, choices), sink);
    else if (choices > 1 && !traits.choices) this.#running = fanOut(engine, callsOfChoices(call, choices), sink);
    else this.#running = engine.chat(call, sink);
  }

  #receive(picked: Candidate, event: ChatEvent): void {
    if (this.#over || this.#picked !== picked) return;
    if (event.type === 'error') return this.#failed(picked, event.error);
    this.activeSinceTick = true;
    if (!this.receivedEvent) {
      this.receivedEvent = true;
      this.#routing.targets.responded(picked);
    }
    if (event.type === 'end') {
      this.#routing.targets.succeeded(picked);
      this.#release();
      this.#stop();
    }
    this.#sink(event);
  }

  #failed(picked: Candidate, error: EngineError): void {
    const { targets, health, log } = this.#routing;
    const { target } = picked;
    // Where it ran out of time it is still at work.
    this.#release()?.abort();
    if (error.kind === 'refused') targets.succeeded(picked);
    else if (error.busy) targets.failed(picked, error);
    else {
      targets.failed(picked, error);
      health.check(target);
      const { requestId } = this.#request.call;
      log.warn(
        { engine: target.engine.id, requestId, kind: error.kind, status: error.status, reason: error.message },
        'engine call failed',
      );
    }
    if (!this.#retry(error)) this.#fail(error);
  }

  /** Tries another target, or the only ones there are once more after a moment. Returns false where that is of no use. */
  #retry(error: EngineError): boolean {
    if (error.kind === 'refused' || this.receivedEvent || !this.#request.mayRetry() || this.#attempts >= MAX_ATTEMPTS)
      return false;
    if (this.#routing.targets.hasOther(this.#candidates, this.#tried)) {
      this.#attempt();
      return true;
    }
    const hopeless =
      this.#attempts > this.#candidates.length || error.kind === 'timeout' || error.busy || misconfigured(error.status);
    if (hopeless || error.isRateLimit || (error.retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return false;
    this.#tried = [];
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = null;
      this.#attempt();
    }, RETRY_DELAY_MS);
    return true;
  }

  /** The present try is over. Returns what ran. */
  #release(): ChatRun | null {
    const running = this.#running;
    if (this.#picked) this.#routing.targets.released(this.#picked);
    this.#picked = null;
    this.#running = null;
    return running;
  }

  #stop(): void {
    this.#over = true;
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    this.#routing.watch.remove(this);
    this.#release()?.abort();
  }

  #fail(error: EngineError): void {
    this.#stop();
    this.#sink({ type: 'error', error });
  }

  #failAsync(error: EngineError): void {
    queueMicrotask(() => {
      if (!this.#over) this.#fail(error);
    });
  }
}

/** Starts a call. Never throws; events come after it has returned. */
export function startRun(routing: Routing, request: RouteRequest, sink: ChatSink): ChatRun {
  const run = new RoutedRun(routing, request, sink);
  run.start();
  return run;
}
