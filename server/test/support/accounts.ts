import type { Role } from '@ai-studio/contract/console/roles.ts';
import { createPasswords } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { expect } from 'vitest';
import type { Browser, ConsoleHouse } from './console.ts';

/** A password of everybody here. */
export const PASSWORD = 'correct horse battery';
/** Hashed with little work, which a sign-in checks quickly; its hash is made anew with the full work then. */
const cheap = createPasswords({ cost: { log2n: 4, r: 8, p: 1 } });

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** A person with {@link PASSWORD} and their places. */
export async function makeAccount(
  { db }: Pick<ConsoleHouse, 'db'>,
  places: readonly { readonly tenantId: TenantId; readonly role: Role; readonly state?: 'active' | 'disabled' }[],
  { operator = false }: { readonly operator?: boolean } = {},
): Promise<Account> {
  const id = hexId();
  const account = { id, email: `${id}@example.kr`, name: `Person ${id.slice(0, 6)}` };
  await db.query
    .insertInto('users')
    .values({ ...account, operator, password_hash: await cheap.hash(PASSWORD) })
    .execute();
  for (const { tenantId, role, state = 'active' } of places)
    await db.query
      .insertInto('memberships')
      .values({ tenant_id: tenantId, user_id: id, role, state, name: account.name })
      .execute();
  return account;
}

/** Signs in with the password, as the page does. */
export async function signInAs(house: ConsoleHouse, { email }: Account, browser = house.browser()): Promise<Browser> {
  const answer = await browser.post('/login', { email, password: PASSWORD });
  expect(answer.json(), answer.text).toEqual({ state: 'signed_in' });
  return browser;
}

/** The token of a link's address. */
export const tokenOf = (url: string): string => url.split('#')[1] ?? '';
