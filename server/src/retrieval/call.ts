import type { ModelCall } from '../inference/index.ts';
import type { Caller } from './caller.ts';
import type { RetrievalDeps } from './deps.ts';

/** What asks models for a caller, as a part of what was admitted before. */
export function callWithin(
  { calls, now }: Pick<RetrievalDeps, 'calls' | 'now'>,
  actor: Caller,
  endpoint: string,
): ModelCall {
  const { requestId, signal } = actor;
  return calls.within({ actor, requestId, endpoint, startedMs: now(), signal });
}
