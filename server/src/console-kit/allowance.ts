import { type AllowanceDeps, personActor } from '../identity/index.ts';
import { type Admission, requireAllowed } from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { type AnyCall, ownerOf } from './route.ts';

/** Dependencies of calls that count like a request with an API key. */
export interface CountedCalls extends AllowanceDeps {
  readonly admission: Admission;
}

/** Counts a call of a person. Resolves with the actor, with models and limits. Throws StudioError `rate_limited`. */
export async function admitPerson(deps: CountedCalls, call: AnyCall): Promise<Actor> {
  const actor = await personActor(deps, ownerOf(call));
  requireAllowed(actor, await deps.admission.reserve(actor, 0));
  return actor;
}
