import type { Owner } from '../conversations/index.ts';
import { type AllowanceDeps, personActor } from '../identity/index.ts';
import { type Admission, requireAllowed } from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';

/** Counts a call of a person like a request of an API key. Throws StudioError `rate_limited`. */
export async function admitPerson(
  deps: AllowanceDeps & { readonly admission: Admission },
  owner: Owner,
): Promise<Actor> {
  const actor = await personActor(deps, owner);
  requireAllowed(actor, await deps.admission.reserve(actor, 0));
  return actor;
}
