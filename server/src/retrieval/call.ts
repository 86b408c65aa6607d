import type { ModelCall } from '../inference/index.ts';
import type { CallContext } from '../kernel/actor.ts';
import type { RetrievalDeps } from './deps.ts';

/** What asks models for a caller, as a part of what was admitted before. */
export const callWithin = (
  { calls, now }: Pick<RetrievalDeps, 'calls' | 'now'>,
  { actor, requestId, signal }: CallContext,
  endpoint: string,
): ModelCall => calls.within({ actor, requestId, endpoint, startedMs: now(), signal });
