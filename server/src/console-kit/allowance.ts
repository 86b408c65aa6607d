import { type AllowanceDeps, type AuditedContext, personActor, rightsOf } from '../identity/index.ts';
import { type Admission, requireAllowed } from '../inference/index.ts';
import type { PersonActor } from '../kernel/actor.ts';
import type { AnyCall } from './route.ts';

/** For calls that count like a request of an API key. */
export interface CountedCalls extends AllowanceDeps {
  readonly admission: Admission;
}

/** The person of a call, within what their role and their tenant let them do. */
export const actorOf = (deps: AllowanceDeps, { ctx, person }: AnyCall): Promise<PersonActor> =>
  personActor(deps, ctx.actor, rightsOf(person));

/** A call of a person, with {@link actorOf}. */
export const contextOf = async (deps: AllowanceDeps, call: AnyCall): Promise<AuditedContext> => ({
  ...call.ctx,
  actor: await actorOf(deps, call),
});

/** Counts a call of a person, and resolves with who acts, within what they may use. Throws StudioError `rate_limited`. */
export async function admitPerson(deps: CountedCalls, call: AnyCall): Promise<PersonActor> {
  const actor = await actorOf(deps, call);
  requireAllowed(actor, await deps.admission.reserve(actor, 0));
  return actor;
}
