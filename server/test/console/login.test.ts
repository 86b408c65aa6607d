import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords, type IdentityDeps, loginWithPassword, type Passwords } from '../../src/identity/index.ts';
import { beginAttempt } from '../../src/identity/login/attempts.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { makeAccount, PASSWORD, signInAs } from '../support/accounts.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf } from '../support/people.ts';
let house: ConsoleHouse;
let tenant: TenantId;
beforeAll(async () => {
  // The proxy in front says where a call comes from.
  house = await openConsoleHouse({ STUDIO_SERVER_TRUST_PROXY: 'true' });
  tenant = await makeTenant(house, 'Own');
});
afterAll(() => house.close());
beforeEach(() => house.db.query.deleteFrom('login_failures').execute());

const origin = { address: '203.0.113.7', userAgent: 'test', requestId: 'r'.repeat(32) };

describe('a sign-in', () => {
  test('has a value of its own, whatever the browser brought along', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const planted = 'A'.repeat(43);
    const browser = house.browser();
    browser.cookies.set('studio_session', planted);
    await signInAs(house, account, browser);
    const first = browser.cookies.get('studio_session') ?? '';
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first).not.toBe(planted);
    const attacker = house.browser();
    attacker.cookies.set('studio_session', planted);
    expectRefused(await attacker.get('/me'), 401, 'signed_out');

    // A session of the attacker that was planted ends, rather than becoming the victim's.
    const other = await personOf(house, tenant, 'user');
    browser.cookies.set('studio_session', other.cookies.get('studio_session') ?? '');
    await signInAs(house, account, browser);
    expect(browser.cookies.get('studio_session')).not.toBe(first);
    expectRefused(await other.get('/me'), 401, 'signed_out');
  });

  test('sets a cookie that scripts and other sites do not get', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const set = async (headers: Record<string, string>) => {
      const answer = await house.browser({ headers }).post('/login', { email: account.email, password: PASSWORD });
      return answer.headers.get('set-cookie') ?? '';
    };
    const cookie = await set({});
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/console/api', 'Max-Age=']) expect(cookie).toContain(part);
    expect(cookie).not.toContain('Secure');
    const { rows } = await house.fresh.db.query
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', account.id)
      .execute()
      .then((all) => ({ rows: JSON.stringify(all) }));
    expect(rows).not.toContain(/studio_session=([^;]+)/.exec(cookie)?.[1]);
  });

  test('ends when nobody uses it, and in the end in any case', async () => {
    for (const change of [
      { expires_at: new Date(Date.now() - 1000) },
      { seen_at: new Date(Date.now() - 73 * 3_600_000) },
    ]) {
      const person = await personOf(house, tenant, 'user');
      expect((await person.get('/me')).status).toBe(200);
      await house.db.query.updateTable('sessions').set(change).where('user_id', '=', person.userId).execute();
      expectRefused(await person.get('/me'), 401, 'signed_out');
    }
  });

  test('is refused in the same words for unknown people, wrong passwords and disabled ones', async () => {
    const known = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const disabled = await makeAccount(house, [{ tenantId: tenant, role: 'user', state: 'disabled' }]);
    const answers = [
      await house.browser().post('/login', { email: known.email, password: 'something else' }),
      await house.browser().post('/login', { email: 'nobody@example.kr', password: 'something else' }),
      await house.browser().post('/login', { email: disabled.email, password: PASSWORD }),
    ].map((answer) => {
      const { request_id: _id, ...error } = expectRefused(answer, 401, 'wrong_credentials');
      return { error, cookie: answer.headers.get('set-cookie') };
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('costs the same work for unknown people and known ones', async () => {
    const known = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const passwordless = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    await house.db.query.updateTable('users').set({ password_hash: null }).where('id', '=', passwordless.id).execute();
    const real = createPasswords({ cost: { log2n: 4, r: 8, p: 1 } });
    const calls: string[] = [];
    const counted: Passwords = {
      hash: (password) => (calls.push('hash'), real.hash(password)),
      verify: (password, stored) => (calls.push('verify'), real.verify(password, stored)),
    };
    const deps: IdentityDeps = {
      db: house.db,
      passwords: counted,
      box: createSecretBox(Buffer.alloc(32, 7)),
      now: Date.now,
    };
    for (const email of [known.email, passwordless.email, 'nobody@example.kr']) {
      calls.length = 0;
      const tried = loginWithPassword(deps, {
        email,
        password: 'wrong one here',
        origin,
        replaces: null,
        device: null,
      });
      await expect(tried).rejects.toMatchObject({ reason: 'wrong_credentials' });
      expect(calls, email).toEqual(['verify']);
    }
  });

  test('makes the hash anew when its parameters have changed', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    await signInAs(house, account);
    const { password_hash } = await house.db.query
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(password_hash).toContain('$ln=5,r=8,p=1$');
    await signInAs(house, account);
  });
});

const tried = (account: string, address: string) => ({ account, address, step: 'password', known: null }) as const;

describe('a flood of sign-ins', () => {
  test('is stopped for an account after ten, for unknown ones alike, though all come at once', async () => {
    for (const email of [
      (await makeAccount(house, [{ tenantId: tenant, role: 'user' }])).email,
      'unknown@example.kr',
    ]) {
      await house.db.query.deleteFrom('login_failures').execute();
      const wrong = { email, password: 'something else' };
      const all = await Promise.all(Array.from({ length: 30 }, () => house.browser().post('/login', wrong)));
      const refused = all.filter(({ status }) => status === 429);
      expect(refused.length).toBe(20);
      expect(all.filter(({ status }) => status === 401).length).toBe(10);
      const error = expectRefused(
        await house.browser().post('/login', { email: email.toUpperCase(), password: PASSWORD }),
        429,
        'too_many_attempts',
      );
      expect(error.values['seconds']).toBeGreaterThan(800);
      expect(error.retry_after_seconds).toBe(error.values['seconds']);
    }
  });

  test('is stopped for an address after fifty, whatever accounts it names', async () => {
    const subjects = Array.from({ length: 50 }, (_, i) => `guess${i}@example.kr`);
    await Promise.all(subjects.map((email) => house.browser().post('/login', { email, password: 'something else' })));
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const answer = await house.browser().post('/login', { email: account.email, password: PASSWORD });
    expectRefused(answer, 429, 'too_many_attempts');
  });

  test('counts an IPv6 network as one network, and others apart', async () => {
    const deps = { db: house.db };
    for (let i = 1; i <= 50; i++)
      await beginAttempt(deps, tried(`a${i}@example.kr`, `2001:db8:1:2::${i.toString(16)}`));
    const refused = beginAttempt(deps, tried('b@example.kr', '2001:db8:1:2:ffff:ffff:ffff:ffff'));
    await expect(refused).rejects.toMatchObject({ reason: 'too_many_attempts' });
    for (const other of ['2001:db8:1:3::1', '::1', '::ffff:127.0.0.9', '127.0.0.9'])
      await expect(beginAttempt(deps, tried('b@example.kr', other))).resolves.toBeDefined();
  });

  const from = (address: string) => house.browser({ headers: { 'x-forwarded-for': address } });

  test('pauses whoever guesses, not the owner of the account elsewhere', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const guess = (address: string) => from(address).post('/login', { email: account.email, password: 'a guess' });
    for (let i = 0; i < 10; i++) expectRefused(await guess('198.51.100.1'), 401, 'wrong_credentials');
    expectRefused(await guess('198.51.100.1'), 429, 'too_many_attempts');
    await signInAs(house, account, from('203.0.113.9'));
    // The success of the owner gives the guesser nothing.
    expectRefused(await guess('198.51.100.1'), 429, 'too_many_attempts');
  });

  test('from many networks pauses unknown devices, and none that has signed in before', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const own = from('203.0.113.9');
    await signInAs(house, account, own);
    const cookie = own.cookies.get('studio_device') ?? '';
    own.cookies.delete('studio_session');
    const guesses = Array.from({ length: 100 }, (_, i) => tried(account.email, `198.51.${i}.1`));
    for (const guess of guesses) await beginAttempt({ db: house.db }, guess);
    const wrong = { email: account.email, password: 'a guess' };
    const right = { email: account.email, password: PASSWORD };
    expectRefused(await from('192.0.2.1').post('/login', right), 429, 'too_many_attempts');
    await signInAs(house, account, own);
    // It may guess no oftener than anybody.
    for (let i = 0; i < 10; i++) expectRefused(await own.post('/login', wrong), 401, 'wrong_credentials');
    expectRefused(await own.post('/login', right), 429, 'too_many_attempts');

    // What is not ours, or of another account, makes nobody known.
    const other = await signInAs(house, await makeAccount(house, [{ tenantId: tenant, role: 'user' }]));
    const [user = '', made = '', id = '', ...signature] = cookie.split('-');
    const forged = [
      other.cookies.get('studio_device') ?? '',
      [user, made, 'f'.repeat(32), ...signature].join('-'),
      [user, `${made}0`, id, ...signature].join('-'),
      `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'E' : 'A'}`,
      cookie.slice(0, 60),
      '',
    ];
    for (const value of forged) {
      const browser = from('192.0.2.1');
      browser.cookies.set('studio_device', value);
      expectRefused(await browser.post('/login', right), 429, 'too_many_attempts');
    }
    // Nor does what was signed for another password.
    const hash = { password_hash: await createPasswords({ cost: { log2n: 4, r: 8, p: 1 } }).hash(PASSWORD) };
    await house.db.query.deleteFrom('login_failures').where('kind', '=', 'known').execute();
    const kept = from('192.0.2.1');
    kept.cookies.set('studio_device', cookie);
    await signInAs(house, account, kept);
    await house.db.query.updateTable('users').set(hash).where('id', '=', account.id).execute();
    const late = from('192.0.2.1');
    late.cookies.set('studio_device', cookie);
    expectRefused(await late.post('/login', right), 429, 'too_many_attempts');
  });

  test('of codes is bounded for the account, wherever they come from', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const code = (address: string, known: string | null = null) =>
      beginAttempt({ db: house.db }, { account: account.email, step: 'code', address, known });
    for (let i = 0; i < 10; i++) await code(`198.51.${i}.1`);
    await expect(code('192.0.2.1')).rejects.toMatchObject({ reason: 'too_many_attempts' });
    await expect(code('192.0.2.1', 'device:1')).resolves.toBeDefined();
    // The password may still be tried.
    await expect(beginAttempt({ db: house.db }, tried(account.email, '192.0.2.1'))).resolves.toBeDefined();
  });

  test('is forgotten after a quarter of an hour, and failures with a success', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
    const wrong = () => house.browser().post('/login', { email: account.email, password: 'something else' });
    for (let i = 0; i < 9; i++) await wrong();
    await signInAs(house, account);
    for (let i = 0; i < 9; i++) expectRefused(await wrong(), 401, 'wrong_credentials');
    await wrong();
    expectRefused(await wrong(), 429);
    await house.db.query
      .updateTable('login_failures')
      .set({ at: new Date(Date.now() - 16 * 60_000) })
      .execute();
    await signInAs(house, account);
  });
});

describe('credentials of the one interface', () => {
  test('are none for the other', async () => {
    const person = await personOf(house, tenant, 'administrator');
    const chat = { model: 'CORE-GOV', messages: [{ role: 'user', content: 'hi' }] };
    for (const path of ['/v1/chat/completions', '/api/v1/chat/completions', '/v1/embeddings', '/v1/models']) {
      const response = await fetch(house.base + path, {
        method: path.endsWith('models') ? 'GET' : 'POST',
        headers: { cookie: person.cookie, origin: house.base, 'content-type': 'application/json' },
        ...(path.endsWith('models') ? {} : { body: JSON.stringify(chat) }),
      });
      expect(response.status, path).toBe(401);
      await response.body?.cancel();
    }
    const made = await person.post('/keys', {
      name: 'mine',
      scopes: ['chat'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    });
    const { value } = made.json<{ value: string }>();
    expect(value, made.text).toMatch(/^aist_/);
    for (const headers of [{ authorization: `Bearer ${value}` }, { cookie: `studio_session=${value}` }])
      expectRefused(await house.browser({ headers }).get('/me'), 401, 'signed_out');
  });
});

test('failures and sign-ins stand in the audit log of the tenant, without what was typed', async () => {
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
  await house.browser().post('/login', { email: account.email, password: 'a secret that I mistyped' });
  await house.browser().post('/login', { email: 'my secret password', password: 'x' });
  await signInAs(house, account);
  const rows = await house.db.query.selectFrom('audit_events').selectAll().orderBy('seq', 'desc').limit(3).execute();
  expect(rows.map(({ action }) => action)).toEqual(['sign_in', 'sign_in_failed', 'sign_in_failed']);
  expect(rows[2]).toMatchObject({ tenant_id: tenant, target_id: account.id, address: '127.0.0.1' });
  expect(JSON.stringify(rows)).not.toMatch(/secret/);
  for (const change of [
    'UPDATE audit_events SET actor_name = NULL',
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
  ]) {
    const { sql } = await import('kysely');
    await expect(sql.raw(change).execute(house.db.query)).rejects.toThrow('only ever added to');
  }
});
