import type { ModelCall } from '../inference/index.ts';
import type { CallContext } from '../kernel/actor.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type { RetrievalDeps } from './deps.ts';

/** A model call for a caller, as a part of a request that was admitted before. */
export const openModelCall = (
  { calls, now }: RetrievalDeps,
  { actor, requestId, signal, priority: own }: CallContext,
  endpoint: string,
  priority: CallPriority | undefined = own,
): ModelCall => calls.openUnlimited({ actor, requestId, endpoint, startedMs: now(), signal, priority });
