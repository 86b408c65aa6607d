import type { Logger } from '../../kernel/log.ts';
import type { EngineBinding } from '../../models/profile.ts';
import type { ChatRun, ChatSink, EngineInputs, EngineTrouble } from '../../ports/engine.ts';
import type { LoadExchange } from '../../ports/load-exchange.ts';
import { toStudioError } from '../../ports/failure.ts';
import { type UnaryCall, type Work, runUnaryCall } from './call.ts';
import { hashText, promptKey } from './affinity.ts';
import { contextLengthOf, inputsOf } from './context-length.ts';
import { createHealthCheck } from './health.ts';
import { type RouteRequest, startRun } from './run.ts';
import type { EngineAddress } from './target.ts';
import { type AddressName, createTargets, isResting } from './targets.ts';
import { shareLoads } from './shared-loads.ts';
import { type TimeLimits, createWatchdog } from './watchdog.ts';

export { hashText, promptKey };
export type { AddressName, EngineAddress, RouteRequest, TimeLimits, UnaryCall, Work };

export interface RouterOptions {
  readonly engines: ReadonlyMap<string, readonly EngineAddress[]>;
  readonly limits: TimeLimits;
  readonly log: Logger;
  /** Where processes tell each other what they have under way; left out where there is one alone. */
  readonly loads?: LoadExchange | null;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  readonly random?: () => number;
}

/** State of a target, for health, metrics and people. */
export interface TargetState {
  readonly engine: string;
  readonly kind: string;
  /** Name of the engine in the configuration. */
  readonly name: string;
  /** Its address without secrets; null for what is in this process or machine. */
  readonly url: string | null;
  /** Share of the calls among the addresses of the engine. */
  readonly weight: number;
  /** Gets no new calls, as an administrator wants it. */
  readonly drained: boolean;
  readonly cooling: boolean;
  /** Calls under way, with those that wait. */
  readonly inFlight: number;
  /** The same of other processes and machines, as far as is known. */
  readonly elsewhere: number;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  readonly calls: number;
  readonly failed: number;
  readonly lastError: string | null;
  /** The same by its name. */
  readonly lastTrouble: EngineTrouble | null;
}

/** Makes calls that are no chats. */
export interface UnaryRouter {
  /**
   * Makes a call that is no chat, on the same targets and with the same knowledge of their health. Throws StudioError
   * `unavailable`; EngineError of the last target that was tried.
   */
  call<T>(call: UnaryCall, work: Work<T>): Promise<T>;
}

export interface ChatRouter extends UnaryRouter {
  /** Starts a call. Never throws; events come after it has returned. */
  run(request: RouteRequest, sink: ChatSink): ChatRun;
  /** Throws StudioError `unavailable` where a call of the model that began now would be refused: its engines have more than they can take. */
  requireRoom(model: { readonly engines: readonly EngineBinding[] }): void;
  /** Whether some engine has no room for a call at once; where none is so, {@link requireRoom} throws for no model. */
  hasFullEngine(): boolean;
  states(): readonly TargetState[];
  /** Tokens of prompt and reply together that all addresses of a model have room for, as they said; null where none did, or not yet. */
  contextLength(bindings: readonly EngineBinding[], modelId: string): number | null;
  /** What all addresses of a model take in messages besides text, as they said; null where none did, or not yet. */
  inputs(bindings: readonly EngineBinding[], modelId: string): EngineInputs | null;
  /** Gives no new calls to these addresses, and to no others; calls under way go on. */
  drain(addresses: readonly AddressName[]): void;
  /** Resolves once the states count what other processes have under way now; also where they cannot be asked. */
  refreshLoads(): Promise<void>;
  /** Adds an engine while the service runs, or puts another in its place. */
  setEngine(name: string, addresses: readonly EngineAddress[]): void;
  /** Takes an engine away: no new calls; each of its addresses is closed when its last call is over. */
  removeEngine(name: string): void;
  close(): void;
}

/** Spreads chat calls over the addresses of engines: retry and fallback before the first event, pauses for what fails, time limits. */
export function createRouter({
  engines,
  limits,
  log,
  loads = null,
  now = () => performance.now(),
  random = Math.random,
}: RouterOptions): ChatRouter {
  const targets = createTargets({ engines, now, random });
  const watch = createWatchdog(now);
  const health = createHealthCheck({ targets, log, now });
  const sharing = loads && shareLoads(targets, loads);
  const routing = { targets, watch, health, limits, log, now };
  return {
    run: (request, sink) => startRun(routing, request, sink),
    call: (call, work) => runUnaryCall(routing, call, work),
    hasFullEngine: targets.hasFull,
    requireRoom({ engines: bindings }) {
      const refusal = targets.refusal(bindings);
      if (refusal) throw toStudioError(refusal);
    },
    states: () =>
      targets.all().map((target) => {
        const { engine, name, url, weight, drained, inFlight, elsewhere, calls, failed, lastError, lastTrouble } =
          target;
        return {
          engine: engine.id,
          kind: engine.kind,
          name,
          url,
          weight,
          drained,
          cooling: isResting(target, now()),
          inFlight,
          elsewhere,
          waiting: engine.waiting ?? 0,
          calls,
          failed,
          lastError,
          lastTrouble,
        };
      }),
    contextLength: (bindings, modelId) => contextLengthOf(targets, bindings, modelId),
    inputs: (bindings, modelId) => inputsOf(targets, bindings, modelId),
    drain: targets.drain,
    refreshLoads: async () => sharing?.refresh(),
    setEngine: targets.set,
    removeEngine: targets.remove,
    close() {
      sharing?.close();
      watch.close();
      health.close();
    },
  };
}
