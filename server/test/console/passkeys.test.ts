import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { type Account, makeAccount, signInAs } from '../support/accounts.ts';
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts';
import { type Browser, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant } from '../support/people.ts';
let house: ConsoleHouse;
let tenant: TenantId;
let site: string;
beforeAll(async () => {
  house = await openConsoleHouse();
  tenant = await makeTenant(house, 'Own');
  // A passkey belongs to a name, not to a number.
  site = house.base.replace('127.0.0.1', 'localhost');
});
afterAll(() => house.close());

const open = () => house.browser({ at: site });
const signedIn = async (): Promise<{ account: Account; browser: Browser }> => {
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'developer' }]);
  return { account, browser: await signInAs(house, account, open()) };
};
type Options = Parameters<Authenticator['register']>[0];
async function add(browser: Browser, device = createAuthenticator()): Promise<Authenticator> {
  const options = (await browser.post('/me/passkeys/options', {})).json<Options>();
  expect(options.rp.id).toBe('localhost');
  const made = await browser.post('/me/passkeys', { name: 'Laptop', response: device.register(options, site) });
  expect(made.status, made.text).toBe(201);
  return device;
}
async function answerOf(browser: Browser, device: Authenticator, at = site) {
  const options = (await browser.post('/login/passkey/options', {})).json<{ challenge: string; rpId: string }>();
  return { response: device.signIn(options, at) };
}

test('a passkey signs in without a name or a password, each answer once', async () => {
  const { account, browser } = await signedIn();
  const device = await add(browser);
  const fresh = open();
  const answer = await answerOf(fresh, device);
  const cookies = new Map(fresh.cookies);
  expect((await fresh.post('/login/passkey', answer)).json()).toEqual({ state: 'signed_in' });
  expect((await fresh.get('/me')).json()).toMatchObject({ user: { id: account.id, passkeys: 1 } });
  const replay = open();
  for (const [name, value] of cookies) replay.cookies.set(name, value);
  expectRefused(await replay.post('/login/passkey', answer), 401, 'sign_in_failed');
});

test('a passkey of another page, another challenge or another device is refused', async () => {
  const { browser } = await signedIn();
  const device = await add(browser);
  const wrong = [
    async (fresh: Browser) => answerOf(fresh, device, 'https://evil.example'),
    async (fresh: Browser) => {
      await answerOf(fresh, device);
      return { response: device.signIn({ challenge: 'AAAA', rpId: 'localhost' }, site) };
    },
    async (fresh: Browser) => ({
      response: { ...(await answerOf(fresh, createAuthenticator())).response, id: device.id, rawId: device.id },
    }),
    async (fresh: Browser) => answerOf(fresh, createAuthenticator()),
    async (fresh: Browser) => {
      const answer = await answerOf(fresh, device);
      fresh.cookies.clear();
      return answer;
    },
    async () => ({ response: {} }),
  ];
  for (const make of wrong) {
    const fresh = open();
    expectRefused(await fresh.post('/login/passkey', await make(fresh)), 401, 'sign_in_failed');
  }
});

test('a device that did not ask who holds it is not enough', async () => {
  const { browser } = await signedIn();
  const device = createAuthenticator({ verifies: false });
  const options = (await browser.post('/me/passkeys/options', {})).json<Options>();
  const answer = await browser.post('/me/passkeys', { name: 'X', response: device.register(options, site) });
  expectRefused(answer, 400, 'sign_in_failed');
});

test('passkeys are named, listed and removed by their owner alone, with a fresh proof', async () => {
  const { account, browser } = await signedIn();
  const device = await add(browser);
  const { items } = (await browser.get('/me/passkeys')).json<{ items: { id: string }[] }>();
  const id = items[0]?.id ?? '';
  expect((await browser.patch(`/me/passkeys/${id}`, { name: 'Phone' })).json()).toMatchObject({ name: 'Phone' });
  expect((await browser.patch(`/me/passkeys/${id}`, { name: 'Phone' })).status).toBe(200);
  const renamed = await house.db.query
    .selectFrom('audit_events')
    .select(['target_id', 'target_name', 'detail'])
    .where('action', '=', 'passkey_renamed')
    .execute();
  expect(renamed).toEqual([{ target_id: id, target_name: 'Phone', detail: { from: expect.any(String) as string } }]);
  const { browser: other } = await signedIn();
  expect((await other.get('/me/passkeys')).json()).toEqual({ items: [] });
  expectRefused(await other.patch(`/me/passkeys/${id}`, { name: 'Mine' }), 404);
  expectRefused(await other.delete(`/me/passkeys/${id}`), 404);
  // What was asked for by one person is not answered by another.
  const options = (await browser.post('/me/passkeys/options', {})).json<Options>();
  other.cookies.set('studio_step', browser.cookies.get('studio_step') ?? '');
  const mixed = { name: 'X', response: createAuthenticator().register(options, site) };
  expectRefused(await other.post('/me/passkeys', mixed), 400, 'sign_in_failed');

  await house.db.query
    .updateTable('sessions')
    .set({ authenticated_at: new Date(0) })
    .where('user_id', '=', account.id)
    .execute();
  expectRefused(await browser.post('/me/passkeys/options', {}), 403, 'reauthentication_needed');
  expectRefused(await browser.delete(`/me/passkeys/${id}`), 403, 'reauthentication_needed');
  const fresh = open();
  await fresh.post('/login/passkey', await answerOf(fresh, device));
  expect((await fresh.delete(`/me/passkeys/${id}`)).status).toBe(204);
  const late = open();
  expectRefused(await late.post('/login/passkey', await answerOf(late, device)), 401, 'sign_in_failed');
});

test('a disabled person does not get in with a passkey', async () => {
  const { account, browser } = await signedIn();
  const device = await add(browser);
  await house.db.query
    .updateTable('memberships')
    .set({ state: 'disabled' })
    .where('user_id', '=', account.id)
    .execute();
  const fresh = open();
  expectRefused(await fresh.post('/login/passkey', await answerOf(fresh, device)), 401, 'wrong_credentials');
});

test('a tenant that asks for a second factor is content with a passkey', async () => {
  const { account, browser } = await signedIn();
  const strict = await makeTenant(house, 'Strict');
  await house.db.query
    .updateTable('memberships')
    .set({ tenant_id: strict })
    .where('user_id', '=', account.id)
    .execute();
  await house.db.query.updateTable('sessions').set({ tenant_id: strict }).where('user_id', '=', account.id).execute();
  const settings = JSON.stringify({ require_second_factor: true });
  await house.db.query.insertInto('tenant_settings').values({ tenant_id: strict, settings }).execute();
  expect((await browser.get('/me')).json()).toMatchObject({ must_add_second_factor: true });
  await add(browser);
  expect((await browser.get('/me')).json()).toMatchObject({ must_add_second_factor: false });
  const again = await signInAs(house, account, open());
  expect((await again.get('/me')).json()).toMatchObject({ must_add_second_factor: true });
  // Taken away again it counts for nothing, not even in the session that began with it.
  await house.db.query.deleteFrom('passkeys').where('user_id', '=', account.id).execute();
  expect((await browser.get('/me')).json()).toMatchObject({ must_add_second_factor: true });
});

test('at an address without a name there are none', async () => {
  expectRefused(await house.browser().post('/login/passkey/options', {}), 400);
});
