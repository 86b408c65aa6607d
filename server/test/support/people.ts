import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Browser, ConsoleHouse } from './console.ts';

/** Somebody who is signed in. */
export interface SignedInBrowser extends Browser {
  readonly userId: string;
  readonly name: string;
  readonly tenantId: TenantId;
  /** Header of calls that a browser does not make by itself. */
  readonly cookie: string;
}

/** A tenant without anybody. */
export async function makeTenant({ db }: ConsoleHouse, name: string): Promise<TenantId> {
  const id = hexId() as TenantId;
  await db.query.insertInto('tenants').values({ id, name }).execute();
  return id;
}

/** A person of a tenant with a session, made without the ways in that have tests of their own. */
export async function personOf(
  house: Pick<ConsoleHouse, 'db' | 'browser'>,
  tenantId: TenantId,
  role: Role,
  name: string = role,
): Promise<SignedInBrowser> {
  const userId = hexId();
  const { query } = house.db;
  await query
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.kr`, name })
    .execute();
  await query
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: userId, role, state: 'active', name })
    .execute();
  const token = randomBytes(32).toString('base64url');
  await query
    .insertInto('sessions')
    .values({
      id: hexId(),
      sha256: createHash('sha256').update(token).digest(),
      user_id: userId,
      tenant_id: tenantId,
      method: 'password',
      expires_at: new Date(Date.now() + 86_400_000),
      address: '127.0.0.1',
      user_agent: 'test',
    })
    .execute();
  const browser = house.browser();
  browser.cookies.set('studio_session', token);
  return { ...browser, userId, name, tenantId, cookie: `studio_session=${token}` };
}
