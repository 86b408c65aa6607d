import { createKeyActor, findActiveMember, findKeyRecord, isExpired, personActor } from '../identity/index.ts';
import type { Actor, Principal } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';

/** In what follows, a change by somebody who may makes the connector theirs. */
const refused = (who: string) =>
  new StudioError(
    'forbidden',
    `${who} of the connector may not add to collections any more; whoever may change the collection takes it over by changing the connector`,
  );

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
    if (member === null || !member.actions.has('collections.manage')) throw refused('The person');
    return personActor({ db, defaultLimits }, person, member.rights);
  }
  const key = await findKeyRecord({ db }, tenantId, keyId);
  if (key === null || !key.holderMayCall || isExpired(key, Date.now()) || !key.scopes.has('retrieval'))
    throw refused('The API key');
  return createKeyActor(defaultLimits)(key);
}
