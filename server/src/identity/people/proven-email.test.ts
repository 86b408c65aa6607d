import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { systemAuditActor } from '../audit-actor.ts';
import { invite } from './invite.ts';
import { changeEmail } from './replace-email.ts';

const tenantId = hexId() as TenantId;
const elsewhere = hexId() as TenantId;
const who = systemAuditActor(tenantId);
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.query
    .insertInto('tenants')
    .values([
      { id: tenantId, name: 'x' },
      { id: elsewhere, name: 'y' },
    ])
    .execute();
});
afterAll(() => fresh.close());

const invited = async (email: string, at = tenantId) => {
  const { userId } = await fresh.db.transaction((tx) =>
    invite(tx, systemAuditActor(at), { email, name: 'x', role: 'user' }),
  );
  await fresh.db.query.updateTable('memberships').set({ state: 'active' }).where('user_id', '=', userId).execute();
  return userId;
};
const provenOf = async (userId: string) =>
  (
    await fresh.db.query
      .selectFrom('memberships')
      .select('proven_email')
      .where('user_id', '=', userId)
      .orderBy('tenant_id', tenantId < elsewhere ? 'asc' : 'desc')
      .execute()
  ).map(({ proven_email: email }) => email);
const change = (userId: string, email: string, vouchedIn: TenantId | 'all' | null) =>
  changeEmail({ db: fresh.db }, { userId, email, keepSession: null, who, vouchedIn });

test('an address is vouched for by whoever invites; one that people give themselves proves nothing until somebody says so', async () => {
  const ada = await invited('Ada@Example.kr');
  expect(await provenOf(ada)).toEqual(['ada@example.kr']);
  await change(ada, 'ada@example.kr', null);
  expect(await provenOf(ada)).toEqual(['ada@example.kr']);
  await change(ada, 'boss@example.kr', null);
  expect(await provenOf(ada)).toEqual([null]);
  await change(ada, 'boss@example.kr', tenantId);
  expect(await provenOf(ada)).toEqual(['boss@example.kr']);
});

test('an address is one person of a tenant, the last of whom it was said', async () => {
  const first = await invited('first@example.kr');
  const second = await invited('second@example.kr');
  await fresh.db.query
    .updateTable('memberships')
    .set({ proven_email: 'third@example.kr' })
    .where('user_id', '=', first)
    .execute();
  await change(second, 'third@example.kr', tenantId);
  expect([await provenOf(first), await provenOf(second)]).toEqual([[null], ['third@example.kr']]);
});

test('an administrator vouches for their own tenant alone', async () => {
  const both = await invited('both@example.kr');
  await invited('both@example.kr', elsewhere);
  await change(both, 'other@example.kr', tenantId);
  expect(await provenOf(both)).toEqual(['other@example.kr', null]);
  await change(both, 'other@example.kr', 'all');
  expect(await provenOf(both)).toEqual(['other@example.kr', 'other@example.kr']);
});
