import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { Actor, Person } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { rightsOf } from '../allowance.ts';
import { allowedActions } from '../policy.ts';

/** What a person may do in a tenant at this moment. */
export interface Member {
  readonly actions: ReadonlySet<ConsoleAction>;
  readonly rights: Actor['rights'];
}

/** What the role of a person in a tenant allows at this moment; null for somebody who may not be there. */
export async function findActiveMember({ db }: DatabaseDeps, { tenantId, userId }: Person): Promise<Member | null> {
  const membership = await db.query
    .selectFrom('memberships')
    .select('role')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (membership === undefined) return null;
  const { role } = membership;
  const actions = allowedActions({ role, operator: false, singleTenant: false });
  return { actions, rights: rightsOf({ role, actions }) };
}

/** Whether a person may be in a tenant at this moment. */
export const isActiveMember = async (deps: DatabaseDeps, person: Person): Promise<boolean> =>
  (await findActiveMember(deps, person)) !== null;
