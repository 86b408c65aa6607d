import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { findCollection } from './rows.ts';

/**
 * Gives a collection to a person of the tenant who may have one, whoever it belonged to: also where that person or key is gone. Keys
 * of the new owner own it from then on, those of the old one do not. Resolves with the name of the person. Throws StudioError
 * `not_found`, `forbidden` for those who do not administer the tenant, `invalid_request` for a person who cannot have it.
 */
export async function changeOwner({ db }: DatabaseDeps, actor: Actor, id: string, userId: string): Promise<string> {
  await findCollection(db.query, actor, id);
  if (!actor.rights.has('collections.all'))
    throw new StudioError('forbidden', 'Administrators alone give collections to somebody else');
  return db.transaction(async (tx) => {
    const person = await tx
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('users.name')
      .where('memberships.tenant_id', '=', actor.tenantId)
      .where('memberships.user_id', '=', userId)
      .where('memberships.state', '=', 'active')
      .where('memberships.role', 'in', ['developer', 'administrator'])
      .executeTakeFirst();
    if (person === undefined)
      throw invalidRequest('The new owner must be an active developer or administrator of the tenant', 'user_id');
    await tx
      .updateTable('collections')
      .set({ owner_user_id: userId, owner_key_id: null, updated_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    return person.name;
  });
}
