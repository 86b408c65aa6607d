import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { readAiPresence } from '../../src/identity/index.ts';
import { openSession } from '../../src/identity/sessions/open-session.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/ports/database.ts';
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

/** The person has read what the service says of AI, so that their pages begin without it. */
export async function readAiNotice(
  { query }: Pick<Database, 'query'>,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: string },
): Promise<void> {
  const { version } = await readAiPresence({ db: { query } as Database }, tenantId);
  await query
    .insertInto('ai_notices')
    .values({ tenant_id: tenantId, user_id: userId, version })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A person of a tenant who has joined, made without a link. */
export async function addPerson(
  { query }: Database,
  person: { readonly tenantId: TenantId; readonly role: Role; readonly email: string; readonly name: string },
): Promise<string> {
  const { tenantId, role, email, name } = person;
  const id = hexId();
  await query.insertInto('users').values({ id, email, name }).execute();
  await query
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: id, role, state: 'active', name })
    .execute();
  await readAiNotice({ query }, { tenantId, userId: id });
  return id;
}

/** Signs somebody in without a password, whose check takes a third of a second of processor time. Returns the cookie's value. */
export async function addSession(
  { query }: Database,
  { userId, tenantId }: { readonly userId: string; readonly tenantId: TenantId },
): Promise<string> {
  const origin = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' };
  const { token } = await openSession(query, { userId, tenantId, method: 'password', origin, replaces: null });
  return token;
}

/** A person of a tenant with a session, made without the ways in that have tests of their own. */
export async function personOf(
  house: Pick<ConsoleHouse, 'db' | 'browser'>,
  tenantId: TenantId,
  role: Role,
  name: string = role,
): Promise<SignedInBrowser> {
  const userId = await addPerson(house.db, { tenantId, role, email: `${hexId()}@example.kr`, name });
  const token = await addSession(house.db, { userId, tenantId });
  const browser = house.browser();
  browser.cookies.set('studio_session', token);
  return { ...browser, userId, name, tenantId, cookie: `studio_session=${token}` };
}
