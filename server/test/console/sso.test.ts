import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { PASSWORD, makeAccount, signInAs } from '../support/accounts.ts';
import { type Browser, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { openOidcProvider, type OidcProvider } from '../support/oidc-provider.ts';
import { makeTenant } from '../support/people.ts';
let provider: OidcProvider;
let house: ConsoleHouse;
let tenant: TenantId;
beforeAll(async () => {
  provider = await openOidcProvider('ai-studio');
  house = await openConsoleHouse({
    STUDIO_CONSOLE_OIDC_ISSUER: provider.issuer,
    STUDIO_CONSOLE_OIDC_CLIENT_ID: 'ai-studio',
    STUDIO_CONSOLE_OIDC_CLIENT_SECRET: provider.secret,
    STUDIO_CONSOLE_OIDC_NAME: 'Example account',
    STUDIO_CONSOLE_OIDC_ALLOWED_DOMAINS: '["corp.example"]',
    STUDIO_CONSOLE_OIDC_DEFAULT_ROLE: 'developer',
  });
});
afterAll(async () => {
  await house.close();
  await provider.close();
});

/** Goes to the provider and comes back; answers where the browser is led in the end. */
async function visit(browser: Browser, change: (back: URL) => void = () => undefined): Promise<string> {
  const start = await browser.get('/sso/start');
  expect(start.status).toBe(303);
  const back = new URL(provider.agree(start.headers.get('location') ?? ''));
  change(back);
  const answer = await browser.get(`/sso/callback${back.search}`);
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.get('location') ?? '';
}
const FAILED = '/console/login?error=sign_in_failed';

test('nobody gets in before the installation is set up', async () => {
  provider.claims = { sub: 'early', email: 'early@corp.example', email_verified: true };
  expect((await house.browser().get('/welcome')).json()).toMatchObject({ single_sign_on: { name: 'Example account' } });
  expect(await visit(house.browser())).toBe(FAILED);
  tenant = await makeTenant(house, 'Own');
  await makeAccount(house, [{ tenantId: tenant, role: 'administrator' }]);
});

test('people of an allowed domain get an account at their first visit, and the same one later', async () => {
  provider.claims = { sub: 'new-1', email: 'Sora@Corp.example', email_verified: true, name: '소라' };
  const browser = house.browser();
  expect(await visit(browser)).toBe('/console/');
  const me = (await browser.get('/me')).json<{ user: { id: string } }>();
  expect(me).toMatchObject({
    user: { email: 'sora@corp.example', name: '소라', has_password: false },
    role: 'developer',
  });
  // Known by who they are, not by their address.
  provider.claims = { sub: 'new-1', email: 'sora.kim@corp.example', email_verified: false };
  const again = house.browser();
  expect(await visit(again)).toBe('/console/');
  expect((await again.get('/me')).json()).toMatchObject({ user: { id: me.user.id } });
  // What the provider says is verified is theirs for access lists of sources as well.
  const proven = async () =>
    (
      await house.db.query
        .selectFrom('memberships')
        .select('proven_email')
        .where('user_id', '=', me.user.id)
        .executeTakeFirstOrThrow()
    ).proven_email;
  expect(await proven()).toBe('sora@corp.example');
  provider.claims = { sub: 'new-1', email: 'Sora.Kim@corp.example', email_verified: true };
  await visit(house.browser());
  expect(await proven()).toBe('sora.kim@corp.example');
});

test('somebody who comes with many windows at once has one account', async () => {
  provider.claims = { sub: 'twice', email: 'twice@corp.example', email_verified: true };
  const all = await Promise.all(Array.from({ length: 8 }, () => visit(house.browser())));
  expect(new Set(all)).toEqual(new Set(['/console/']));
  const joined = await house.db.query
    .selectFrom('audit_events')
    .select('seq')
    .where('action', '=', 'user_joined')
    .where('target_name', '=', 'twice@corp.example')
    .execute();
  expect(joined).toHaveLength(1);
});

test('people who were here before are known by their verified address; others stay outside', async () => {
  const known = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
  for (const claims of [
    { sub: 'thief', email: known.email },
    { sub: 'thief', email: known.email, email_verified: false },
    { sub: 'thief', email: known.email, email_verified: 'true' },
    { sub: 'thief' },
    { sub: 'other', email: 'other@elsewhere.example', email_verified: true },
    { sub: 'other', email: 'x@corp.example.evil.example', email_verified: true },
  ]) {
    provider.claims = claims;
    const browser = house.browser();
    expect(await visit(browser), JSON.stringify(claims)).toBe(FAILED);
    expectRefused(await browser.get('/me'), 401);
  }
  provider.claims = { sub: 'owner', email: known.email, email_verified: true };
  const browser = house.browser();
  expect(await visit(browser)).toBe('/console/');
  expect((await browser.get('/me')).json()).toMatchObject({ user: { id: known.id }, role: 'user' });
  await house.db.query.updateTable('memberships').set({ state: 'disabled' }).where('user_id', '=', known.id).execute();
  expect(await visit(house.browser())).toBe('/console/login?error=wrong_credentials');
});

test('whoever proves to own an address takes the account from those who opened it before', async () => {
  // An administrator invited the address, used the link and has a password and a session.
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'developer' }]);
  const before = await signInAs(house, account, house.browser());
  expect((await before.get('/me')).status).toBe(200);
  provider.claims = { sub: 'true owner', email: account.email, email_verified: true };
  const browser = house.browser();
  expect(await visit(browser)).toBe('/console/');
  expect((await browser.get('/me')).json()).toMatchObject({ user: { id: account.id, has_password: false } });
  expectRefused(await before.get('/me'), 401);
  expectRefused(await house.browser().post('/login', { email: account.email, password: PASSWORD }), 401);
  // Later visits change nothing.
  expect(await visit(house.browser())).toBe('/console/');
  expect((await browser.get('/me')).status).toBe(200);
  const written = await house.db.query
    .selectFrom('audit_events')
    .select('action')
    .where('target_id', '=', account.id)
    .where('action', '=', 'sso_joined')
    .execute();
  expect(written).toHaveLength(1);
});

test('who gave themselves the address of somebody else before has no way in once its owner comes', async () => {
  provider.claims = { sub: 'early bird', email: 'bird@corp.example', email_verified: true };
  const bird = house.browser();
  expect(await visit(bird)).toBe('/console/');
  const changed = await bird.post('/me/email', { email: 'owner@corp.example' });
  expect(changed.status, changed.text).toBe(204);
  provider.claims = { sub: 'late owner', email: 'owner@corp.example', email_verified: true };
  const owner = house.browser();
  expect(await visit(owner)).toBe('/console/');
  const { user } = (await owner.get('/me')).json<{ user: { id: string; email: string } }>();
  expect(user.email).toBe('owner@corp.example');
  expectRefused(await bird.get('/me'), 401);
  // The other one is somebody else from here on.
  provider.claims = { sub: 'early bird', email: 'bird@corp.example', email_verified: true };
  const again = house.browser();
  expect(await visit(again)).toBe('/console/');
  expect((await again.get('/me')).json<{ user: { id: string } }>().user.id).not.toBe(user.id);
  expect((await owner.get('/me')).status).toBe(200);
});

test('what is not the answer to a sign-in of this browser is refused', async () => {
  provider.claims = { sub: 'new-1', email: 'sora@corp.example', email_verified: true };
  const changes: ((back: URL) => void)[] = [
    (back) => back.searchParams.set('state', 'another'),
    (back) => back.searchParams.delete('state'),
    (back) => back.searchParams.set('code', 'another'),
    (back) => (back.search = '?error=access_denied'),
    (back) => (back.search = ''),
  ];
  for (const change of changes) expect(await visit(house.browser(), change)).toBe(FAILED);
  // An answer that was made for the attacker's browser does not sign the victim's in.
  const attacker = house.browser();
  const start = await attacker.get('/sso/start');
  const back = new URL(provider.agree(start.headers.get('location') ?? ''));
  const victim = house.browser();
  expect((await victim.get(`/sso/callback${back.search}`)).headers.get('location')).toBe(FAILED);
  expectRefused(await victim.get('/me'), 401);
  // Nor does an answer serve twice.
  const cookie = `studio_sso=${attacker.cookies.get('studio_sso')}`;
  const first = await attacker.get(`/sso/callback${back.search}`, { cookie });
  expect(first.headers.get('location')).toBe('/console/');
  expect((await attacker.get(`/sso/callback${back.search}`, { cookie })).headers.get('location')).toBe(FAILED);
});

test('a provider that can not be reached is told in words, and works again later', async () => {
  const lost = await openConsoleHouse({
    STUDIO_CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9',
    STUDIO_CONSOLE_OIDC_CLIENT_ID: 'x',
    STUDIO_CONSOLE_OIDC_CLIENT_SECRET: 'y',
  });
  try {
    expectRefused(await lost.browser().get('/sso/start'), 503);
    expectRefused(await lost.browser().get('/sso/start'), 503);
  } finally {
    await lost.close();
  }
});
