import { type AllowanceDeps, personActor } from '../identity/index.ts';
import type { Calls, ModelCall } from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { type AnyCall, ownerOf } from './route.ts';

/** For calls that count like a request of an API key. */
export interface CountedCalls extends AllowanceDeps {
  readonly calls: Pick<Calls, 'admit' | 'count'>;
}

/** Counts a call of a person, and resolves with who acts, within what they may use. Throws StudioError `rate_limited`. */
export async function admitPerson(deps: CountedCalls, call: AnyCall): Promise<Actor> {
  const actor = await personActor(deps, ownerOf(call));
  await deps.calls.count(actor);
  return actor;
}

/** The same for a call of a model, which is metered under the name of its endpoint. */
export async function admitModelCall(deps: CountedCalls, call: AnyCall, endpoint: string): Promise<ModelCall> {
  const startedMs = Date.now();
  const actor = await personActor(deps, ownerOf(call));
  return deps.calls.admit({ actor, requestId: call.ctx.requestId, endpoint, startedMs, signal: call.signal }, 0);
}
