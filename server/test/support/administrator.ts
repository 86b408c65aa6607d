import { createPasswords, createFirstAdministrator } from '../../src/identity/index.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import type { Database } from '../../src/ports/database.ts';
import { administrator } from './administrator-env.ts';
import { withDatabaseOf } from './running-database.ts';
import { addSession, readAiNotice } from './people.ts';
import type { Service } from './service.ts';

/** Makes the administrator in a database as a first start with `administratorEnv` does, which then finds them there. */
export async function addAdministrator(db: Database): Promise<void> {
  const box = createSecretBox('0'.repeat(64));
  await createFirstAdministrator({ db, passwords: createPasswords(), box, now: Date.now }, administrator);
}

/** Signs a person of the first tenant in. Returns the value of the session's cookie. */
export const openSessionOf = (service: Service, email: string): Promise<string> =>
  withDatabaseOf(service, async (db) => {
    const { id, tenant_id } = await db.query
      .selectFrom('users')
      .innerJoin('memberships', 'memberships.user_id', 'users.id')
      .innerJoin('tenants', 'tenants.id', 'memberships.tenant_id')
      .select(['users.id', 'memberships.tenant_id'])
      .where('users.email', '=', email)
      .orderBy('tenants.created_at')
      .executeTakeFirstOrThrow();
    await readAiNotice(db, { tenantId: tenant_id, userId: id });
    return addSession(db, { userId: id, tenantId: tenant_id });
  });

/** Signs the administrator in. Returns the headers of further calls. */
export async function signInAdministrator(service: Service): Promise<{ cookie: string; origin: string }> {
  return { cookie: `studio_session=${await openSessionOf(service, administrator.email)}`, origin: service.base };
}
