import { type AllowanceDeps, type AuditedContext, personActor, rightsOf } from '../identity/index.ts';
import type { CallAdmission, ModelCall } from '../inference/index.ts';
import type { PersonActor } from '../kernel/actor.ts';
import type { AnyCall } from './route.ts';

/** Dependencies of calls that count like a request with an API key. */
export interface CountedCalls extends AllowanceDeps {
  readonly calls: CallAdmission;
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
  await deps.calls.count(actor);
  return actor;
}

/** The same for a call of a model, which is metered under the name of its endpoint. */
export async function admitModelCall(deps: CountedCalls, call: AnyCall, endpoint: string): Promise<ModelCall> {
  const startedMs = Date.now();
  return deps.calls.admit({ ...(await contextOf(deps, call)), endpoint, startedMs }, 0);
}
