import { type AllowanceDeps, personActor } from '../identity/index.ts';
import { type Admission, requireAllowed } from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { type AnyCall, ownerOf } from './route.ts';

/** For calls that count like a request of an API key. */
export interface CountedCalls extends AllowanceDeps {
  readonly admission: Admission;
}

/** Counts a call of a person, and resolves with who acts, within what they may use. Throws StudioError `rate_limited`. */
export async function admitPerson(deps: CountedCalls, call: AnyCall): Promise<Actor> {
  const actor = await personActor(deps, ownerOf(call));
  requireAllowed(actor, await deps.admission.reserve(actor, 0));
  return actor;
}
