import { createKeyActor, findKeyRecord, isExpired, personActor } from '../identity/index.ts';
import type { Actor, Principal } from '../kernel/actor.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';

/**
 * Whose documents those of a connector are, within what the key or the person who made it may do now. Null where the key may not be used
 * any more.
 */
export async function ownerOf(
  {
    defaultLimits,
    retrieval: { db },
  }: Pick<ConnectorDeps, 'defaultLimits'> & { readonly retrieval: Pick<RetrievalDeps, 'db'> },
  { tenantId, keyId, userId, administers }: Principal & { readonly administers: boolean },
): Promise<Actor | null> {
  if (keyId === null) {
    const rights = new Set(administers ? (['collections.all'] as const) : []);
    return personActor({ db, defaultLimits }, { tenantId, keyId, userId: userId ?? '' }, rights);
  }
  const key = await findKeyRecord({ db }, tenantId, keyId);
  if (key === null || !key.holderMayCall || isExpired(key, Date.now()) || !key.scopes.has('retrieval')) return null;
  return createKeyActor(defaultLimits)(key);
}
