import { createKeyActor, findActiveMember, findKeyRecord, isExpired, personActor } from '../identity/index.ts';
import type { Actor, Principal } from '../kernel/actor.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';

/** Whose documents those of a connector are, within what that key or that person may do now. Rejects with StudioError `forbidden`. */
export async function ownerOf(
  {
    defaultLimits,
    retrieval: { db },
  }: Pick<ConnectorDeps, 'defaultLimits'> & { readonly retrieval: Pick<RetrievalDeps, 'db'> },
  { tenantId, keyId, userId }: Principal,
): Promise<Actor> {
  if (keyId === null) {
    const person = { tenantId, keyId, userId: userId ?? '' };
    const member = await findActiveMember({ db }, person);
    if (member === null || !member.actions.has('collections.manage')) throw sourceFailure('owner_gone');
    return personActor({ db, defaultLimits }, person, member.rights);
  }
  const key = await findKeyRecord({ db }, tenantId, keyId);
  if (key === null || !key.holderMayCall || isExpired(key, Date.now()) || !key.scopes.has('retrieval'))
    throw sourceFailure('owner_gone');
  return createKeyActor(defaultLimits)(key);
}
