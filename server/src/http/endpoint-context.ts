import { agentsAreModels, createKeyActor, type KeyRecord, type KeyRing } from '../identity/index.ts';
import type { Calls } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import type { Metering } from '../usage/index.ts';
import { createAuthenticate, revocationError } from '../http-kit/auth.ts';
import type { ChatRouteDeps } from '../inference/routes.public/index.ts';
import { createFailures, type Failures } from '../http-kit/failures.ts';
import { createKeepAlive, type KeepAlive } from '../http-kit/keep-alive.ts';
import { createKeyAccess, type KeyAccess } from '../http-kit/key-access.ts';
import type { Metrics } from './metrics.ts';
import { createRequestObserver, type RequestObserver } from './observe.ts';

/** Dependencies that all endpoints share: authentication, limits, metering and logs. */
export interface EndpointContextDeps {
  readonly keys: KeyRing;
  readonly calls: Calls;
  readonly defaultLimits: RateLimits;
  readonly metering: Metering;
  readonly log: Logger;
  readonly maxJsonBytes: number;
  /** Largest body of a chat, with the images in it. */
  readonly maxJsonWithImagesBytes: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What all endpoints share. */
export interface EndpointContext {
  readonly failures: Failures;
  readonly observe: RequestObserver;
  readonly keyAccess: KeyAccess;
  readonly keepAlive: KeepAlive;
  readonly metering: Metering;
  readonly maxJsonBytes: number;
  /** Largest body of a chat, and of a message to an agent. */
  readonly maxHotBytes: number;
  readonly now: () => number;
  /** What chats need of it. */
  readonly chat: Omit<ChatRouteDeps, 'endpoint' | 'openChat' | 'check'>;
  close(): void;
}

/** Callers of the chat endpoint by their API keys. */
function createKeyCaller({
  keys,
  defaultLimits,
}: EndpointContextDeps): Pick<ChatRouteDeps, 'authenticate' | 'keyActor'> {
  const authenticate = createAuthenticate(keys);
  const keyActor = createKeyActor(defaultLimits);
  const callerOf = (key: KeyRecord) => ({
    actor: keyActor(key),
    toolStream: key.toolStream,
    agentModels: agentsAreModels(key),
  });
  return {
    keyActor,
    authenticate({ headers }) {
      const known = authenticate(headers, 'chat');
      return known instanceof Promise ? known.then(callerOf) : callerOf(known);
    },
  };
}

/** Creates the shared parts of the endpoints; metered usage goes to `metrics` too. */
export function createEndpointContext(deps: EndpointContextDeps, metrics: Metrics): EndpointContext {
  const { keys, calls, metering, log, maxJsonBytes, now = Date.now } = deps;
  const failures = createFailures(log);
  const observe = createRequestObserver(log, metrics);
  const keepAlive = createKeepAlive(now);
  const caller = createKeyCaller(deps);
  const { keyActor } = caller;
  const keyAccess = createKeyAccess({ authenticate: createAuthenticate(keys), calls, keyActor, keepAlive });
  const maxHotBytes = Math.max(maxJsonBytes, deps.maxJsonWithImagesBytes);
  // Open responses of a revoked key are aborted.
  const stopListening = keys.onRevoked((key) => keepAlive.terminateKey(key.id, revocationError(key)));
  metering.onRow(metrics.usage);
  return {
    failures,
    observe,
    keyAccess,
    keepAlive,
    metering,
    maxJsonBytes,
    maxHotBytes,
    now,
    chat: { ...caller, failure: failures.openAi, observe, maxBodyBytes: maxHotBytes, keepAlive, now },
    close() {
      stopListening();
      keepAlive.close();
    },
  };
}
