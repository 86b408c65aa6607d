import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { type Account, makeAccount, PASSWORD, signInAs } from '../support/accounts.ts';
import { type Browser, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant } from '../support/people.ts';
let house: ConsoleHouse;
let tenant: TenantId;
let account: Account;
let browser: Browser;
beforeAll(async () => {
  house = await openConsoleHouse();
  tenant = await makeTenant(house, 'Own');
});
afterAll(() => house.close());
beforeEach(async () => {
  await house.db.query.deleteFrom('login_failures').execute();
  account = await makeAccount(house, [{ tenantId: tenant, role: 'developer' }]);
  browser = await signInAs(house, account);
});

const agePossessions = (id: string) =>
  house.db.query
    .updateTable('sessions')
    .set({ authenticated_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', id)
    .execute();
/** The code of an app, some steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Sets an app up and gives its secret and the recovery codes. */
async function setUpApp(on = browser): Promise<{ secret: string; codes: string[] }> {
  const setup = (await on.post('/me/totp')).json<{ secret: string; uri: string; qr_svg: string }>();
  expect(setup.uri).toContain('otpauth://totp/AI%20Studio:');
  expect(setup.qr_svg).toMatch(/^<svg/);
  expectRefused(await on.post('/me/totp/confirm', { code: '000000x' }), 400, 'wrong_code');
  const { codes } = (await on.post('/me/totp/confirm', { code: codeOf(setup.secret) })).json<{ codes: string[] }>();
  return { secret: setup.secret, codes };
}

test('a person sees and changes themselves', async () => {
  expect((await browser.get('/me')).json()).toMatchObject({
    user: { id: account.id, email: account.email, has_password: true, totp: false, passkeys: 0, language: null },
    tenant: { id: tenant, name: 'Own', accent: null },
    role: 'developer',
    api_base: `${house.base}/v1`,
    version: '1.2.3',
  });
  const changed = await browser.patch('/me', { name: ' 지수 ', language: 'ko', theme: 'dark' });
  expect(changed.json()).toMatchObject({ user: { name: '지수', language: 'ko', theme: 'dark' } });
});

describe('a password', () => {
  test('is changed with the present one, and all other sessions end', async () => {
    const other = await signInAs(house, account);
    const body = { current: PASSWORD, password: 'another long phrase' };
    expectRefused(await browser.post('/me/password', { ...body, current: 'wrong one' }), 403, 'wrong_credentials');
    expectRefused(await browser.post('/me/password', { ...body, password: account.email }), 400, 'password_weak');
    expect((await browser.post('/me/password', body)).status).toBe(204);
    expectRefused(await other.get('/me'), 401, 'signed_out');
    expect((await browser.get('/me')).status).toBe(200);
    const old = await house.browser().post('/login', { email: account.email, password: PASSWORD });
    expectRefused(old, 401, 'wrong_credentials');
  });

  test('is guessed no oftener here than at the sign-in, and guesses from without do not pause it', async () => {
    const wrong = { email: account.email, password: 'a guess' };
    for (let i = 0; i < 10; i++) await house.browser().post('/login', wrong);
    expectRefused(await house.browser().post('/login', wrong), 429, 'too_many_attempts');
    for (let i = 0; i < 10; i++)
      expectRefused(await browser.post('/me/reauthenticate', { password: 'a guess' }), 403, 'wrong_credentials');
    expectRefused(await browser.post('/me/reauthenticate', { password: PASSWORD }), 429, 'too_many_attempts');
  });
});

describe('an e-mail address', () => {
  const audit = async (tenantId: TenantId) =>
    (
      await house.db.query
        .selectFrom('audit_events')
        .select(['actor_user_id', 'target_id', 'detail'])
        .where('action', '=', 'email_changed')
        .where('tenant_id', '=', tenantId)
        .execute()
    ).filter(({ target_id: id }) => id === account.id);

  test('is changed with the password; other sessions and links end, every tenant has it in its log', async () => {
    const second = await makeTenant(house, 'Second');
    await house.db.query
      .insertInto('memberships')
      .values({ tenant_id: second, user_id: account.id, role: 'user', state: 'active', name: account.name })
      .execute();
    const other = await signInAs(house, account);
    const email = `  New.${account.email.toUpperCase()} `.trim();
    const body = { email, password: PASSWORD };
    expectRefused(await browser.post('/me/email', { email }), 400, 'invalid_field');
    expectRefused(await browser.post('/me/email', { ...body, password: 'a guess' }), 403, 'wrong_credentials');
    expectRefused(await browser.post('/me/email', { ...body, email: 'nobody' }), 400);
    expect((await browser.post('/me/email', body)).status).toBe(204);
    const now = email.toLowerCase();
    expect((await browser.get('/me')).json()).toMatchObject({ user: { email: now } });
    expectRefused(await other.get('/me'), 401, 'signed_out');
    await signInAs(house, { ...account, email: now });
    const old = await house.browser().post('/login', { email: account.email, password: PASSWORD });
    expectRefused(old, 401, 'wrong_credentials');
    for (const place of [tenant, second])
      expect(await audit(place)).toEqual([
        { actor_user_id: account.id, target_id: account.id, detail: { from: account.email, to: now } },
      ]);
    // The same again is no change.
    expect((await browser.post('/me/email', body)).status).toBe(204);
    expect(await audit(tenant)).toHaveLength(1);
  });

  test('of somebody else is refused, and cannot be looked for without end', async () => {
    const other = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const body = { email: other.email.toUpperCase(), password: PASSWORD };
    for (let i = 0; i < 10; i++) {
      const error = expectRefused(await browser.post('/me/email', body), 409, 'email_taken');
      expect(error.param).toBe('email');
    }
    expectRefused(await browser.post('/me/email', body), 429, 'too_many_attempts');
    expect((await browser.get('/me')).json()).toMatchObject({ user: { email: account.email } });
    // Of two at the same moment one has it.
    await house.db.query.deleteFrom('login_failures').execute();
    const rival = await signInAs(house, other);
    const wanted = { email: `wanted-${account.email}`, password: PASSWORD };
    const both = await Promise.all([browser, rival].map((one) => one.post('/me/email', wanted)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  });

  test('asks who has no password for a fresh sign-in', async () => {
    await house.db.query.updateTable('users').set({ password_hash: null }).where('id', '=', account.id).execute();
    await agePossessions(account.id);
    const email = `fresh-${account.email}`;
    expectRefused(await browser.post('/me/email', { email }), 403, 'reauthentication_needed');
    await house.db.query
      .updateTable('sessions')
      .set({ authenticated_at: new Date() })
      .where('user_id', '=', account.id)
      .execute();
    expect((await browser.post('/me/email', { email })).status).toBe(204);
  });
});

test('what is sensitive asks for a fresh proof', async () => {
  await agePossessions(account.id);
  const calls = [
    () => browser.post('/me/password', { password: 'another long phrase' }),
    () => browser.post('/me/totp'),
    () => browser.post('/me/totp/confirm', { code: '123456' }),
    () => browser.delete('/me/totp'),
    () => browser.post('/me/recovery-codes'),
  ];
  for (const call of calls) expectRefused(await call(), 403, 'reauthentication_needed');
  expect((await browser.post('/me/reauthenticate', { password: PASSWORD })).status).toBe(204);
  expect((await browser.post('/me/totp')).status).toBe(200);
});

describe('an authenticator app', () => {
  const begin = async () => {
    const fresh = house.browser();
    const answer = await fresh.post('/login', { email: account.email, password: PASSWORD });
    expect(answer.json()).toEqual({ state: 'second_factor' });
    expectRefused(await fresh.get('/me'), 401, 'signed_out');
    return fresh;
  };

  test('is asked for at the sign-in, and no code is taken twice', async () => {
    const { secret } = await setUpApp();
    const row = await house.db.query
      .selectFrom('users')
      .selectAll()
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret);
    const one = await begin();
    // The code that confirmed the app was a use of it.
    expectRefused(await one.post('/login/code', { code: codeOf(secret) }), 401, 'wrong_code');
    const next = codeOf(secret, 1);
    const two = await begin();
    const both = await Promise.all([one, two].map((each) => each.post('/login/code', { code: next })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const [winner, loser] = both[0]?.status === 200 ? [one, two] : [two, one];
    expect((await winner.get('/me')).json()).toMatchObject({ user: { totp: true } });
    expectRefused(await loser.get('/me'), 401);
    expectRefused(await winner.post('/login/code', { code: next }), 401, 'signed_out');
    expectRefused(await browser.post('/me/totp'), 409);
  });

  test('is replaced by each recovery code once, however it is typed', async () => {
    const { codes } = await setUpApp();
    expect(new Set(codes).size).toBe(10);
    const typed = codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '';
    const one = await begin();
    expect((await one.post('/login/code', { code: typed })).json()).toEqual({ state: 'signed_in' });
    expectRefused(await (await begin()).post('/login/code', { code: typed }), 401, 'wrong_code');
    const renewed = (await one.post('/me/recovery-codes')).json<{ codes: string[] }>().codes;
    expectRefused(await (await begin()).post('/login/code', { code: codes[1] ?? '' }), 401, 'wrong_code');
    expect((await (await begin()).post('/login/code', { code: renewed[1] ?? '' })).status).toBe(200);
  });

  test('is not guessed by who knows the password: attempts add up over many sign-ins', async () => {
    await setUpApp();
    let refused = 0;
    for (let i = 0; i < 12; i++) {
      const fresh = house.browser();
      const first = await fresh.post('/login', { email: account.email, password: PASSWORD });
      const answer = first.status === 200 ? await fresh.post('/login/code', { code: '000000' }) : first;
      if (answer.status === 429) refused++;
      else expectRefused(answer, 401, 'wrong_code');
    }
    expect(refused).toBe(2);
  });

  test('that was given up is not asked for any more', async () => {
    await setUpApp();
    expect((await browser.delete('/me/totp')).status).toBe(204);
    await signInAs(house, account);
    expect((await browser.post('/me/recovery-codes')).status).toBe(409);
  });

  test('is asked for within five minutes of the password', async () => {
    const { secret } = await setUpApp();
    const fresh = await begin();
    await house.db.query
      .updateTable('login_challenges')
      .set({ expires_at: new Date(0) })
      .execute();
    expectRefused(await fresh.post('/login/code', { code: codeOf(secret, 1) }), 401, 'signed_out');
    expectRefused(await house.browser().post('/login/code', { code: codeOf(secret, 1) }), 401, 'signed_out');
  });
});

test('sessions are listed and ended one by one or all but this one', async () => {
  const other = await signInAs(house, account);
  const third = await signInAs(house, account);
  const { items } = (await browser.get('/me/sessions')).json<{ items: { id: string; current: boolean }[] }>();
  expect(items).toHaveLength(3);
  expect(items.filter(({ current }) => current)).toHaveLength(1);
  const mine = (await other.get('/me/sessions')).json<{ items: { id: string; current: boolean }[] }>().items;
  const id = mine.find(({ current }) => current)?.id ?? '';
  expect((await browser.delete(`/me/sessions/${id}`)).status).toBe(204);
  expectRefused(await other.get('/me'), 401, 'signed_out');
  expect((await browser.delete('/me/sessions')).status).toBe(204);
  expectRefused(await third.get('/me'), 401, 'signed_out');
  expect((await browser.get('/me')).status).toBe(200);
});
