import { createKeyActor, findKeyRecord, findActiveMember, isExpired, personActor } from '../../identity/index.ts';
import { type Actor, noRights } from '../../kernel/actor.ts';
import type { ExtractionDeps } from './deps.ts';
import type { ClaimedExtraction } from './run-rows.ts';

/**
 * Who makes an extraction, within what the key or the person may do now: limits and models may have changed since it began. Null where
 * the key may not be used any more, or the person may not do it any more.
 */
export async function payerOf(
  { db, defaultLimits }: Pick<ExtractionDeps, 'db' | 'defaultLimits'>,
  run: Pick<ClaimedExtraction, 'tenant_id' | 'key_id' | 'user_id' | 'administers' | 'model'>,
): Promise<Actor | null> {
  const { tenant_id: tenantId, key_id: keyId, user_id: userId, administers, model } = run;
  if (keyId === null) {
    const person = { tenantId, keyId, userId: userId ?? '' };
    const member = await findActiveMember({ db }, person);
    if (member === null || !member.actions.has('collections.manage')) return null;
    if (model !== null && !member.actions.has('chat')) return null;
    return personActor({ db, defaultLimits }, person, administers ? member.rights : noRights);
  }
  const key = await findKeyRecord({ db }, tenantId, keyId);
  if (key === null || !key.holderMayCall || isExpired(key, Date.now())) return null;
  if (!key.scopes.has('retrieval') || (model !== null && !key.scopes.has('chat'))) return null;
  return createKeyActor(defaultLimits)(key);
}
