import type { Person } from '@ai-studio/contract/console/people.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { createResetLink } from '../../src/identity/index.ts';
import { type Account, makeAccount, PASSWORD, signInAs, tokenOf } from '../support/accounts.ts';
import { type Browser, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf } from '../support/people.ts';
import { startSmtp } from '../support/smtp.ts';
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let house: ConsoleHouse;
let a: TenantId;
let b: TenantId;
let adminA: Browser;
let adminB: Browser;
let chief: Account;
beforeAll(async () => {
  smtp = await startSmtp();
  house = await openConsoleHouse({ STUDIO_MAIL_SMTP_URL: smtp.url, STUDIO_MAIL_FROM: 'Studio <studio@example.kr>' });
  a = await makeTenant(house, 'Tenant A');
  b = await makeTenant(house, 'Tenant B');
  chief = await makeAccount(house, [{ tenantId: a, role: 'administrator' }]);
  adminA = await signInAs(house, chief);
  adminB = await signInAs(house, await makeAccount(house, [{ tenantId: b, role: 'administrator' }]));
});
afterAll(async () => {
  await house.close();
  smtp.close();
});
beforeEach(() => house.db.query.deleteFrom('login_failures').execute());

interface Invited {
  readonly user: Person;
  readonly link: { readonly url: string };
}
const inviteBy = async (admin: Browser, email: string, role = 'user') => {
  const answer = await admin.post('/users', { email, name: 'Jisoo', role });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<Invited>();
};
const listOf = async (admin: Browser) => (await admin.get('/users')).json<{ items: Person[] }>().items;
const find = async (admin: Browser, id: string) => (await listOf(admin)).find((one) => one.id === id);
let count = 0;
const address = () => `guest${++count}@example.kr`;

describe('many invitations', () => {
  const inviteAll = async (people: readonly object[]) => adminA.post('/users/bulk', { people });

  test('are mailed; who is in the list is left as they are, and links of unsent ones are handed over', async () => {
    const [known, fresh] = [address(), address()];
    const { user } = await inviteBy(adminA, known, 'developer');
    expect(smtp.mails.at(-1)).toMatchObject({ to: known, text: expect.stringContaining('Subject') });
    const before = smtp.mails.length;
    const refused = `refused${fresh}`;
    const answer = await inviteAll([
      { email: known, name: 'Known', role: 'administrator' },
      { email: fresh.toUpperCase(), name: 'Fresh\nSubject: x', role: 'developer' },
      { email: refused, name: 'Refused', role: 'user' },
      { email: fresh, name: 'Twice', role: 'user' },
    ]);
    const { people } = answer.json<{ people: { link: { url: string } | null }[] }>();
    expect(people).toMatchObject([
      { email: known, outcome: 'already_member', mailed: false, link: null },
      { email: fresh, outcome: 'invited', mailed: true, link: null, role: 'developer' },
      { email: refused, outcome: 'invited', mailed: false },
      { email: fresh, outcome: 'already_member', link: null },
    ]);
    expect(await find(adminA, user.id)).toMatchObject({ role: 'developer' });
    expect(smtp.mails.slice(before).map(({ to }) => to)).toEqual([fresh]);
    const token = tokenOf(people[2]?.link?.url ?? '');
    expect((await house.browser().post('/links/look', { token })).json()).toMatchObject({ email: refused });
    // What was mailed is a link that works.
    const text = Buffer.from((smtp.mails.at(-1)?.text ?? '').split('\n\n').slice(1).join(''), 'base64').toString();
    const mailed = tokenOf(/https?:\S+/.exec(text)?.[0] ?? '');
    expect((await house.browser().post('/links/look', { token: mailed })).json()).toMatchObject({ email: fresh });
  });

  test('are all or none, and of administrators alone', async () => {
    const email = address();
    expectRefused(
      await inviteAll([
        { email, name: 'One', role: 'user' },
        { email: 'no address', name: 'Two', role: 'user' },
      ]),
      400,
      'invalid_field',
    );
    expectRefused(await inviteAll([]), 400, 'invalid_field');
    expect((await listOf(adminA)).some((one) => one.email === email)).toBe(false);
    const developer = await personOf(house, a, 'developer');
    expectRefused(await developer.post('/users/bulk', { people: [{ email, name: 'X', role: 'user' }] }), 403);
  });
});

describe('an invitation', () => {
  test('lets somebody new choose a password and join with the role that was given', async () => {
    const email = address();
    const { user, link } = await inviteBy(adminA, email.toUpperCase(), 'developer');
    expect(user).toMatchObject({ email, role: 'developer', state: 'invited', last_seen_at: null });
    expectRefused(await adminA.post('/users', { email, name: 'Again', role: 'user' }), 409, 'already_member');
    const token = tokenOf(link.url);
    expect(link.url).toBe(`${house.base}/console/link#${token}`);
    const guest = house.browser();
    expect((await guest.post('/links/look', { token })).json()).toMatchObject({
      kind: 'invite',
      email,
      name: 'Jisoo',
      tenant_name: 'Tenant A',
      invited_by: chief.name,
      role: 'developer',
      needs_password: true,
    });
    expectRefused(await guest.post('/links/use', { token, name: 'Jisoo' }), 400, 'invalid_field');
    expectRefused(
      await guest.post('/links/use', { token, name: 'Jisoo', password: 'password123' }),
      400,
      'password_weak',
    );
    const body = { token, name: 'Jisoo Park', password: PASSWORD };
    for (const more of [{ role: 'administrator' }, { operator: true }, { tenant_id: b }])
      expectRefused(await house.browser().post('/links/use', { ...body, ...more }), 400, 'invalid_field');
    const all = await Promise.all(Array.from({ length: 20 }, () => house.browser().post('/links/use', body)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const lost of all.filter(({ status }) => status !== 200)) expectRefused(lost, 404, 'link_invalid');
    expectRefused(await guest.post('/links/look', { token }), 404, 'link_invalid');
    const me = (await (await signInAs(house, { id: user.id, email, name: '' })).get('/me')).json();
    expect(me).toMatchObject({ role: 'developer', operator: false, tenant: { id: a }, user: { name: 'Jisoo Park' } });
    expect(await find(adminA, user.id)).toMatchObject({ state: 'active', resettable: true });
  });

  test('tells nothing of an account that there is, and only its owner accepts', async () => {
    const known = await makeAccount(house, [{ tenantId: b, role: 'user' }]);
    await house.db.query
      .updateTable('users')
      .set({ totp_confirmed_at: new Date() })
      .where('id', '=', known.id)
      .execute();
    const ofNew = await inviteBy(adminA, address());
    const ofKnown = await inviteBy(adminA, known.email);
    const plain = ({ user }: Invited) => ({ ...user, id: '', email: '', created_at: '' });
    expect(plain(ofKnown)).toEqual(plain(ofNew));
    expect(await find(adminA, known.id)).toMatchObject({ name: 'Jisoo', second_factor: false, resettable: false });
    await house.db.query.updateTable('users').set({ totp_confirmed_at: null }).where('id', '=', known.id).execute();

    const token = tokenOf(ofKnown.link.url);
    expect((await adminA.post('/links/look', { token })).json()).toMatchObject({ needs_password: false });
    // Whoever invites holds the link, and must not get into the account with it.
    expectRefused(await house.browser().post('/links/use', { token, password: PASSWORD }), 401, 'signed_out');
    expectRefused(await adminA.post('/links/accept', { token }), 404, 'link_invalid');
    const stolen = await signInAs(house, known);
    const browser = await signInAs(house, known);
    expect((await browser.get('/me')).json()).toMatchObject({ tenant: { id: b }, memberships: { length: 1 } });
    expect((await browser.post('/links/accept', { token })).status).toBe(204);
    expect((await browser.get('/me')).json()).toMatchObject({ tenant: { id: a }, memberships: { length: 2 } });
    expectRefused(await browser.post('/links/accept', { token }), 404, 'link_invalid');
    expectRefused(await stolen.get('/me'), 401, 'signed_out');
  });

  test('is worth nothing once it was taken back or has expired', async () => {
    const { user, link } = await inviteBy(adminA, address());
    const again = (await adminA.post(`/users/${user.id}/link`)).json<{ url: string }>();
    const body = { token: tokenOf(link.url), password: PASSWORD };
    expectRefused(await house.browser().post('/links/use', body), 404, 'link_invalid');
    await house.db.query
      .updateTable('one_time_links')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', user.id)
      .execute();
    const late = { ...body, token: tokenOf(again.url) };
    expectRefused(await house.browser().post('/links/use', late), 404, 'link_invalid');
    const third = (await adminA.post(`/users/${user.id}/link`)).json<{ url: string }>();
    expect((await adminA.delete(`/users/${user.id}`)).status).toBe(204);
    expectRefused(
      await house.browser().post('/links/use', { ...body, token: tokenOf(third.url) }),
      404,
      'link_invalid',
    );
    expect(await find(adminA, user.id)).toBeUndefined();
  });
});

describe('the address of somebody else', () => {
  const change = (admin: Browser, id: string, email: string) => admin.post(`/users/${id}/email`, { email });

  test('is changed by an administrator; what the person has open ends', async () => {
    const person = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const open = await signInAs(house, person);
    const email = address();
    const invited = await inviteBy(adminB, person.email);
    const answer = await change(adminA, person.id, email.toUpperCase());
    expect(answer.json(), answer.text).toMatchObject({ id: person.id, email });
    expectRefused(await open.get('/me'), 401, 'signed_out');
    await signInAs(house, { ...person, email });
    // Another tenant had invited the old address.
    expect(await find(adminB, person.id)).toBeUndefined();
    const look = await house.browser().post('/links/look', { token: tokenOf(invited.link.url) });
    expectRefused(look, 404, 'link_invalid');
    const log = await house.db.query
      .selectFrom('audit_events')
      .select(['tenant_id', 'action', 'actor_user_id', 'detail'])
      .where('target_id', '=', person.id)
      .where('action', 'in', ['email_changed', 'user_removed'])
      .orderBy('seq')
      .execute();
    expect(log).toEqual([
      { tenant_id: b, action: 'user_removed', actor_user_id: null, detail: {} },
      { tenant_id: a, action: 'email_changed', actor_user_id: chief.id, detail: { from: person.email, to: email } },
    ]);
  });

  test('is not changed where the person is not the tenant’s own', async () => {
    const both = await makeAccount(house, [
      { tenantId: a, role: 'user' },
      { tenantId: b, role: 'user' },
    ]);
    const operator = await makeAccount(house, [{ tenantId: a, role: 'user' }], { operator: true });
    const elsewhere = await makeAccount(house, [{ tenantId: b, role: 'user' }]);
    const { user: invited } = await inviteBy(adminA, address());
    expectRefused(await change(adminA, both.id, address()), 403, 'member_of_other_tenants');
    expectRefused(await change(adminA, operator.id, address()), 403, 'member_of_other_tenants');
    expectRefused(await change(adminA, elsewhere.id, address()), 404);
    expectRefused(await change(adminA, chief.id, address()), 409, 'not_yourself');
    expectRefused(await change(adminA, invited.id, address()), 409, null);
    const own = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    expectRefused(await change(adminA, own.id, elsewhere.email), 409, 'email_taken');
    expectRefused(await change(await signInAs(house, own), both.id, address()), 403, 'role_missing');
    // Operators may.
    const chiefOfAll = await makeAccount(house, [{ tenantId: a, role: 'administrator' }], { operator: true });
    expect((await change(await signInAs(house, chiefOfAll), both.id, address())).status).toBe(200);
  });
});

describe('a reset link', () => {
  const linkFor = async (admin: Browser, id: string) =>
    tokenOf((await admin.post(`/users/${id}/link`)).json<{ url: string }>().url);

  test('sets the password once, ends every session, and takes lost second factors away', async () => {
    const person = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const open = await signInAs(house, person);
    await house.db.query
      .updateTable('users')
      .set({ totp_confirmed_at: new Date(), recovery_code_hashes: ['x'] })
      .where('id', '=', person.id)
      .execute();
    const token = await linkFor(adminA, person.id);
    const body = { token, password: 'another long phrase' };
    const all = await Promise.all(Array.from({ length: 20 }, () => house.browser().post('/links/use', body)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expectRefused(await open.get('/me'), 401, 'signed_out');
    const old = await house.browser().post('/login', { email: person.email, password: PASSWORD });
    expectRefused(old, 401, 'wrong_credentials');
    const answer = await house.browser().post('/login', { email: person.email, password: body.password });
    expect(answer.json()).toEqual({ state: 'signed_in' });
  });

  test('is not for people who belong to another tenant too, nor for operators, nor for oneself', async () => {
    const both = await makeAccount(house, [
      { tenantId: a, role: 'user' },
      { tenantId: b, role: 'administrator' },
    ]);
    const operator = await makeAccount(house, [{ tenantId: a, role: 'user' }], { operator: true });
    expect(await find(adminA, both.id)).toMatchObject({ resettable: false });
    expectRefused(await adminA.post(`/users/${both.id}/link`), 403, 'member_of_other_tenants');
    expectRefused(await adminA.post(`/users/${operator.id}/link`), 403, 'member_of_other_tenants');
    expectRefused(await adminA.post(`/users/${chief.id}/link`), 409, 'not_yourself');
  });

  test('that was kept stops working when the person joins another tenant', async () => {
    const person = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const kept = await linkFor(adminA, person.id);
    const { link } = await inviteBy(adminB, person.email);
    const browser = await signInAs(house, person);
    expect((await browser.post('/links/accept', { token: tokenOf(link.url) })).status).toBe(204);
    expectRefused(await house.browser().post('/links/look', { token: kept }), 404, 'link_invalid');
    expectRefused(
      await house.browser().post('/links/use', { token: kept, password: 'taken over by A' }),
      404,
      'link_invalid',
    );
    await signInAs(house, person);
  });

  test('that was kept is worth nothing either when the person belongs elsewhere by another way', async () => {
    const joined = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const raised = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const links = [await linkFor(adminA, joined.id), await linkFor(adminA, raised.id)];
    await house.db.query
      .insertInto('memberships')
      .values({ tenant_id: b, user_id: joined.id, role: 'user', state: 'active', name: 'X' })
      .execute();
    await house.db.query.updateTable('users').set({ operator: true }).where('id', '=', raised.id).execute();
    for (const token of links) {
      expectRefused(await house.browser().post('/links/look', { token }), 404, 'link_invalid');
      const taken = { token, password: 'taken over by A' };
      expectRefused(await house.browser().post('/links/use', taken), 404, 'link_invalid');
    }
  });

  test('of the operator works for everybody', async () => {
    const both = await makeAccount(house, [
      { tenantId: a, role: 'user' },
      { tenantId: b, role: 'user' },
    ]);
    const operator = await makeAccount(house, [{ tenantId: a, role: 'administrator' }], { operator: true });
    const token = await linkFor(await signInAs(house, operator), both.id);
    expect((await house.browser().post('/links/look', { token })).json()).toMatchObject({
      kind: 'reset',
      invited_by: null,
      role: null,
    });
    const { token: byCommand } = await createResetLink(house, both.email);
    expect(
      (await house.browser().post('/links/use', { token: byCommand, password: 'a third long phrase' })).status,
    ).toBe(200);
    // One reset ends the others.
    expectRefused(await house.browser().post('/links/look', { token }), 404, 'link_invalid');
  });
});

describe('people of a tenant', () => {
  test('of another tenant are not there', async () => {
    const foreign = await makeAccount(house, [{ tenantId: b, role: 'user' }]);
    expect((await listOf(adminA)).some(({ id }) => id === foreign.id)).toBe(false);
    for (const id of [foreign.id, 'f'.repeat(32), '%00', '..%2f']) {
      expectRefused(await adminA.patch(`/users/${id}`, { role: 'administrator' }), 404);
      expectRefused(await adminA.delete(`/users/${id}`), 404);
      expectRefused(await adminA.post(`/users/${id}/link`), 404);
      expectRefused(await adminA.delete(`/me/sessions/${id}`), 404);
      expectRefused(await adminA.post('/me/tenant', { tenant_id: id }), 404);
    }
    expectRefused(await adminA.post('/me/tenant', { tenant_id: b }), 404);
    const session = (await adminB.get('/me/sessions')).json<{ items: { id: string }[] }>().items[0]?.id ?? '';
    expectRefused(await adminA.delete(`/me/sessions/${session}`), 404);
    expect((await adminB.get('/me')).status).toBe(200);
    expect(await find(adminB, foreign.id)).toMatchObject({ role: 'user', state: 'active' });
  });

  test('are refused at once when they are disabled, and let in again', async () => {
    const person = await makeAccount(house, [{ tenantId: a, role: 'developer' }]);
    const browser = await signInAs(house, person);
    expect((await adminA.patch(`/users/${person.id}`, { state: 'disabled' })).json()).toMatchObject({
      state: 'disabled',
    });
    expectRefused(await browser.get('/me'), 401);
    const refused = await house.browser().post('/login', { email: person.email, password: PASSWORD });
    expectRefused(refused, 401, 'wrong_credentials');
    expectRefused(await adminA.post(`/users/${person.id}/link`), 409, 'account_disabled');
    expect((await adminA.patch(`/users/${person.id}`, { state: 'active' })).status).toBe(200);
    await signInAs(house, person);
  });

  test('that are disabled in one tenant stay in the other', async () => {
    const both = await makeAccount(house, [
      { tenantId: a, role: 'user' },
      { tenantId: b, role: 'developer' },
    ]);
    const browser = await signInAs(house, both);
    const there = await signInAs(house, both);
    expect((await there.post('/me/tenant', { tenant_id: b })).json()).toMatchObject({
      tenant: { id: b },
      role: 'developer',
    });
    await adminA.patch(`/users/${both.id}`, { state: 'disabled' });
    expectRefused(await browser.get('/me'), 401);
    expect((await there.get('/me')).status).toBe(200);
    expectRefused(await there.post('/me/tenant', { tenant_id: a }), 404);
    expect((await (await signInAs(house, both)).get('/me')).json()).toMatchObject({ tenant: { id: b } });
  });

  test('do not change their own place, and the last administrator stays', async () => {
    expectRefused(await adminA.patch(`/users/${chief.id}`, { role: 'user' }), 409, 'not_yourself');
    expectRefused(await adminA.delete(`/users/${chief.id}`), 409, 'not_yourself');
  });

  test('of whom two take the role from each other at the same moment keep one administrator', async () => {
    // Many times, as it is a matter of moments.
    for (let round = 0; round < 12; round++) {
      const tenant = await makeTenant(house, `Two chiefs ${round}`);
      const one = await personOf(house, tenant, 'administrator');
      const two = await personOf(house, tenant, 'administrator');
      const both = await Promise.all([
        one.patch(`/users/${two.userId}`, { role: 'user' }),
        two.patch(`/users/${one.userId}`, { role: 'user' }),
      ]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = await house.db.query
        .selectFrom('memberships')
        .select('user_id')
        .where('tenant_id', '=', tenant)
        .where('role', '=', 'administrator')
        .execute();
      expect(left).toHaveLength(1);
    }
  });

  test('who are removed have no account any more, unless they belong elsewhere', async () => {
    const only = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const both = await makeAccount(house, [
      { tenantId: a, role: 'user' },
      { tenantId: b, role: 'user' },
    ]);
    for (const { id } of [only, both]) expect((await adminA.delete(`/users/${id}`)).status).toBe(204);
    const left = await house.db.query.selectFrom('users').select('id').where('id', 'in', [only.id, both.id]).execute();
    expect(left).toEqual([{ id: both.id }]);
    expect((await (await signInAs(house, both)).get('/me')).json()).toMatchObject({ tenant: { id: b } });
  });
});

describe('fields that are not for the caller', () => {
  test('change nothing', async () => {
    const person = await makeAccount(house, [{ tenantId: a, role: 'user' }]);
    const browser = await signInAs(house, person);
    for (const field of [
      'role',
      'operator',
      'email',
      'tenant_id',
      'password_hash',
      'actions',
      '__proto__',
      'constructor',
    ]) {
      const text = `{"name":"Changed","${field}":"administrator"}`;
      const answer = await browser.send('PATCH', '/me', text, { 'content-type': 'application/json' });
      expectRefused(answer, 400, 'invalid_field');
    }
    expect((await browser.get('/me')).json()).toMatchObject({
      user: { email: person.email, name: person.name },
      role: 'user',
      operator: false,
    });
    const email = address();
    const invited = { email, name: 'X', role: 'user' };
    for (const more of [{ operator: true }, { tenant_id: b }, { state: 'active' }, { id: chief.id }])
      expectRefused(await adminA.post('/users', { ...invited, ...more }), 400, 'invalid_field');
    const made = await adminA.post('/users', invited);
    expect(made.json<Invited>().user).toMatchObject({ state: 'invited', role: 'user' });
    const row = await house.db.query
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ operator: false, password_hash: null });
    expectRefused(await adminA.post('/users', { email: address(), name: 'X', role: 'operator' }), 400, 'invalid_field');
    expectRefused(
      await adminA.patch(`/users/${row.id}`, { role: 'administrator', operator: true }),
      400,
      'invalid_field',
    );
    expectRefused(await adminA.patch(`/users/${row.id}`, { state: 'invited' }), 400, 'invalid_field');
    expectRefused(await adminA.patch(`/users/${row.id}`, { state: 'active' }), 409);
  });
});

describe('tenants', () => {
  test('are the operator’s, who enters them without becoming anybody there', async () => {
    const operator = await makeAccount(house, [{ tenantId: a, role: 'user' }], { operator: true });
    const browser = await signInAs(house, operator);
    for (const call of [
      () => adminA.get('/tenants'),
      () => adminA.post('/tenants', { name: 'C', email: address(), admin_name: 'C' }),
      () => adminA.patch(`/tenants/${b}`, { name: 'Mine' }),
      () => adminA.post(`/tenants/${b}/enter`),
    ])
      expectRefused(await call(), 403, 'role_missing');
    const email = address();
    const made = (await browser.post('/tenants', { name: 'Tenant C', email, admin_name: 'Chief C' })).json<{
      tenant: { id: string };
      link: { url: string };
    }>();
    expect(made.tenant).toMatchObject({ name: 'Tenant C', users: 1, keys: 0 });
    const chiefC = house.browser();
    await chiefC.post('/links/use', { token: tokenOf(made.link.url), password: PASSWORD });
    expect((await chiefC.get('/me')).json()).toMatchObject({ role: 'administrator', tenant: { name: 'Tenant C' } });
    expect((await browser.patch(`/tenants/${made.tenant.id}`, { name: 'Tenant D' })).json()).toMatchObject({
      name: 'Tenant D',
    });
    expect((await browser.post(`/tenants/${made.tenant.id}/enter`)).status).toBe(204);
    expect((await browser.get('/me')).json()).toMatchObject({ role: null, tenant: { name: 'Tenant D' } });
    expectRefused(await browser.get('/users'), 403, 'role_missing');
    expectRefused(await browser.post('/tenants/nothing/enter'), 404);
    const log = await house.db.query
      .selectFrom('audit_events')
      .select('action')
      .where('tenant_id', '=', made.tenant.id as TenantId)
      .orderBy('seq')
      .execute();
    expect(log.map(({ action }) => action)).toEqual([
      'tenant_created',
      'user_invited',
      'user_joined',
      'sign_in',
      'tenant_renamed',
      'tenant_entered',
    ]);
  });
});
