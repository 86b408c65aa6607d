import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createPasswords,
  deleteKey,
  type IdentityDeps,
  systemAuditActor,
  issueKey,
  loginWithPassword,
  setOperator,
} from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { makeAccount, PASSWORD, signInAs, tokenOf } from '../support/accounts.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf } from '../support/people.ts';

// What somebody would try who means ill.
let house: ConsoleHouse;
let tenant: TenantId;
beforeAll(async () => {
  house = await openConsoleHouse({ STUDIO_SERVER_TRUST_PROXY: 'true' });
  tenant = await makeTenant(house, 'Own');
});
afterAll(() => house.close());
beforeEach(() => house.db.query.deleteFrom('login_failures').execute());

const audited = async (action: string) =>
  house.db.query.selectFrom('audit_events').selectAll().where('action', '=', action).orderBy('seq', 'desc').execute();

test('a caller behind a proxy is whom the proxy saw, whatever the caller says', async () => {
  for (let i = 0; i < 50; i++) {
    const headers = { 'x-forwarded-for': `198.51.100.${i}, 203.0.113.9` };
    const wrong = { email: `guess${i}@example.kr`, password: 'something else' };
    expectRefused(await house.browser({ headers }).post('/login', wrong), 401, 'wrong_credentials');
  }
  const wrong = { email: 'another@example.kr', password: 'something else' };
  const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' };
  expectRefused(await house.browser({ headers }).post('/login', wrong), 429, 'too_many_attempts');
  const [last] = await audited('sign_in_failed');
  expect(last?.address).toBe('203.0.113.9');
});

test('a body of more values than can be checked in a moment is refused before it is parsed', async () => {
  const boss = await personOf(house, await makeTenant(house, 'Values'), 'administrator');
  const error = expectRefused(await boss.patch('/me', { name: Array.from({ length: 100_001 }, () => 0) }), 400);
  expect(error.message).toBe('The body holds more than 100000 values');
});

test('half of a surrogate pair is refused in words wherever it stands', async () => {
  const boss = await personOf(house, await makeTenant(house, 'Words'), 'administrator');
  for (const { method, path, body } of house.node.consoleRoutes) {
    if (body === undefined) continue;
    const sent = '{"name":"\\ud800","models":[{"id":"\\udc00"}],"what":"\\ud800","response":{"\\udfff":1}}';
    const answer = await boss.send(method, path.replace(/:\w+/g, 'x'), sent, { 'content-type': 'application/json' });
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeGreaterThanOrEqual(400);
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(500);
  }
  expectRefused(await boss.patch('/me', { name: 'a\ud800b' }), 400, 'invalid_field');
});

test.each(['bad host', '', '[::::', 'x:99999'])(
  'the address %j of the service is refused where it is needed',
  async (host) => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, 'sec-fetch-site': 'same-origin', 'content-length': 0 };
      const call = request(`${house.base}/console/api/login/passkey/options`, { method: 'POST', headers });
      call.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
      call.end();
    });
    expect(answer).toBe(400);
  },
);

test('a stream is opened by nobody who does not listen', async () => {
  const boss = await personOf(house, tenant, 'administrator');
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(`${house.base}/console/api/events`, { method: 'HEAD', headers: { cookie: boss.cookie } });
    call.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
    call.end();
  });
  expect(answer).toBe(404);
});

test('a person has no more than a hundred calls under way, and takes nobody else theirs', async () => {
  const [greedy, other] = [await personOf(house, tenant, 'developer'), await personOf(house, tenant, 'developer')];
  const ending = new AbortController();
  const headers = { cookie: greedy.cookie };
  const open = await Promise.all(
    Array.from({ length: 110 }, () => fetch(`${house.base}/console/api/events`, { headers, signal: ending.signal })),
  );
  expect(open.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(open.filter(({ status }) => status === 429)).toHaveLength(10);
  expect(expectRefused(await greedy.get('/me'), 429).retry_after_seconds).toBe(1);
  expect((await other.get('/me')).status).toBe(200);
  ending.abort();
  await eventually(async () => expect((await greedy.get('/me')).status).toBe(200));
});

test('nobody who has not signed in has much kept for them', async () => {
  const large = { email: 'a@example.kr', password: 'x'.repeat(70_000) };
  for (const { method, path, body, access } of house.node.consoleRoutes)
    if (access === 'public' && body !== undefined) expectRefused(await house.browser().send(method, path, large), 413);
});

test('lists of a key are no longer than anybody needs', async () => {
  const boss = await personOf(house, tenant, 'administrator');
  const key = {
    name: 'k',
    scopes: ['chat'],
    allowed_models: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    tool_stream: null,
    expires_at: null,
  };
  for (const change of [
    { scopes: Array.from({ length: 90_000 }, () => 'chat') },
    { allowed_models: Array.from({ length: 90_000 }, () => 'CORE-GOV') },
    { allowed_models: ['x'.repeat(100_000)] },
  ])
    expectRefused(await boss.post('/keys', { ...key, ...change }), 400, 'invalid_field');
  const models = { allowed_models: Array.from({ length: 90_000 }, () => 'CORE-GOV') };
  expectRefused(await boss.patch('/settings', models), 400, 'invalid_field');
});

const invited = { email: '', name: 'New', role: 'administrator' };

describe('a link', () => {
  test.each([
    ['is removed', (id: string) => ['DELETE', `/users/${id}`, undefined] as const],
    ['is disabled', (id: string) => ['PATCH', `/users/${id}`, { state: 'disabled' }] as const],
    ['is administrator no more', (id: string) => ['PATCH', `/users/${id}`, { role: 'developer' }] as const],
  ])('is worth nothing once who made it %s', async (name, change) => {
    const own = await makeTenant(house, name);
    const boss = await personOf(house, own, 'administrator');
    const bad = await makeAccount(house, [{ tenantId: own, role: 'administrator' }]);
    const victim = await makeAccount(house, [{ tenantId: own, role: 'administrator' }]);
    const browser = await signInAs(house, bad);
    const email = `${bad.id}.friend@example.kr`;
    const tokens = [
      tokenOf((await browser.post('/users', { ...invited, email })).json<{ link: { url: string } }>().link.url),
      tokenOf((await browser.post(`/users/${victim.id}/link`)).json<{ url: string }>().url),
    ];
    for (const token of tokens) expect((await house.browser().post('/links/look', { token })).status).toBe(200);
    const [method, path, body] = change(bad.id);
    expect((await boss.send(method, path, body)).status).toBeLessThan(300);
    for (const token of tokens) {
      expectRefused(await house.browser().post('/links/look', { token }), 404, 'link_invalid');
      const used = await house.browser().post('/links/use', { token, password: 'a long new password' });
      expectRefused(used, 404, 'link_invalid');
    }
    await signInAs(house, victim);
    const person = (await boss.get('/users')).json<{ items: { id: string; email: string }[] }>();
    const again = await boss.post(`/users/${person.items.find((one) => one.email === email)?.id}/link`);
    const token = tokenOf(again.json<{ url: string }>().url);
    expect((await house.browser().post('/links/look', { token })).status).toBe(200);
  });
});

describe('the password of somebody who may be nowhere', () => {
  test('is wrong in the same words, also where a second factor stands behind it, and is written down', async () => {
    const account = await makeAccount(house, [{ tenantId: tenant, role: 'user', state: 'disabled' }]);
    await house.db.query
      .updateTable('users')
      .set({ totp_confirmed_at: new Date() })
      .where('id', '=', account.id)
      .execute();
    const answer = await house.browser().post('/login', { email: account.email, password: PASSWORD });
    expectRefused(answer, 401, 'wrong_credentials');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const [last] = await audited('sign_in_failed');
    expect(last).toMatchObject({ target_id: account.id, tenant_id: tenant, detail: { step: 'password' } });
  });
});

test('a password that nobody had time to look at is no failed attempt', async () => {
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
  const busy = () => Promise.reject(new StudioError('unavailable', 'Too many people sign in at this moment'));
  const deps: IdentityDeps = {
    db: house.db,
    passwords: { ...createPasswords(), verify: busy },
    box: createSecretBox(Buffer.alloc(32, 7)),
    now: Date.now,
  };
  const origin = { address: '203.0.113.8', userAgent: 'test', requestId: 'r'.repeat(32) };
  for (let i = 0; i < 12; i++) {
    const tried = loginWithPassword(deps, {
      email: account.email,
      password: PASSWORD,
      origin,
      replaces: null,
      device: null,
    });
    await expect(tried).rejects.toMatchObject({ code: 'unavailable' });
  }
  await signInAs(house, account);
});

test('guesses at a password from within a session are written down', async () => {
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
  const browser = await signInAs(house, account);
  expectRefused(await browser.post('/me/reauthenticate', { password: 'something else' }), 403, 'wrong_credentials');
  const [last] = await audited('sign_in_failed');
  expect(last).toMatchObject({ target_id: account.id, detail: { step: 'confirmation' } });
});

test('a file of the usage that is taken away is written down', async () => {
  const boss = await personOf(house, tenant, 'developer');
  expect((await boss.get('/usage.csv?group=model')).status).toBe(200);
  const [last] = await audited('usage_exported');
  expect(last).toMatchObject({ actor_user_id: boss.userId, detail: { file: 'usage-by-model.csv' } });
});

describe('the audit log', () => {
  test('says of settings what they were set to, and of keys who made and deleted them, from where', async () => {
    const own = await makeTenant(house, 'Audited');
    const boss = await personOf(house, own, 'administrator');
    const change = {
      require_second_factor: false,
      max_keys: 7,
      allowed_models: ['CORE-GOV', 'LLM42'],
      name: '새 이름',
    };
    expect((await boss.patch('/settings', change)).status).toBe(200);
    const made = await boss.post('/keys', {
      name: 'k',
      scopes: ['chat'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    });
    const { id } = made.json<{ key: { id: string } }>().key;
    expect((await boss.delete(`/keys/${id}`)).status).toBe(204);
    const rows = await house.db.query
      .selectFrom('audit_events')
      .selectAll()
      .where('tenant_id', '=', own)
      .orderBy('seq')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['settings_changed', 'key_created', 'key_deleted']);
    for (const row of rows) expect(row).toMatchObject({ actor_user_id: boss.userId, address: '127.0.0.1' });
    expect(rows[0]).toMatchObject({
      target_name: '새 이름',
      detail: { require_second_factor: false, max_keys: 7, allowed_models: 'CORE-GOV, LLM42', name: '새 이름' },
    });
    expect(rows[2]).toMatchObject({ target_id: id, target_name: 'k' });
  });

  test('has the keys of the command line too', async () => {
    const own = await makeTenant(house, 'By command');
    const ctx = systemAuditActor(own);
    const bus = {
      publish: () => Promise.resolve(),
      subscribe: () => Promise.reject(new Error('not here')),
      close: () => Promise.resolve(),
    };
    const { key } = await issueKey({ db: house.db, bus }, ctx, { name: 'of the service' });
    await deleteKey({ db: house.db, bus }, ctx, key.id);
    await deleteKey({ db: house.db, bus }, ctx, key.id);
    const rows = await house.db.query
      .selectFrom('audit_events')
      .select(['action', 'actor_user_id', 'actor_name'])
      .where('tenant_id', '=', own)
      .orderBy('seq')
      .execute();
    expect(rows).toEqual(
      ['key_created', 'key_deleted'].map((action) => ({ action, actor_user_id: null, actor_name: 'AI Studio' })),
    );
  });
});

test('changes of a person that come at the same moment wait for each other, and none fails', async () => {
  const own = await makeTenant(house, 'Crowded');
  const bosses = await Promise.all(Array.from({ length: 3 }, () => personOf(house, own, 'administrator')));
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    const email = `crowd${round}@example.kr`;
    const made = await bosses[0]?.post('/users', { ...invited, email });
    const { user, link } = made?.json<{ user: { id: string }; link: { url: string } }>() ?? {};
    const [path, token] = [`/users/${user?.id}`, tokenOf(link?.url ?? '')];
    const acts = bosses.flatMap((boss) => [
      boss.post(`${path}/link`),
      boss.patch(path, { role: 'developer' }),
      boss.patch(path, { state: 'disabled' }),
      house.browser().post('/links/use', { token, password: 'a long new password' }),
      boss.delete(path),
      boss.post('/users', { ...invited, email }),
    ]);
    statuses.push(...(await Promise.all(acts)).map(({ status }) => status));
  }
  expect(statuses).toHaveLength(72);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

test('who is removed while they do something is signed out', async () => {
  const own = await makeTenant(house, 'Leaving');
  const boss = await personOf(house, own, 'administrator');
  const answers = [];
  for (let round = 0; round < 8; round++) {
    const guest = await personOf(house, own, 'developer');
    const removed = boss.delete(`/users/${guest.userId}`);
    const calls = Array.from({ length: 10 }, () => guest.post('/conversations', { model: 'CORE-GOV' }));
    answers.push(...(await Promise.all(calls)));
    expect((await removed).status).toBe(204);
  }
  for (const { status, text } of answers) expect([201, 401], text).toContain(status);
});

test('the rights of an operator are given and taken away, at once, and one keeps them', async () => {
  const deps = { db: house.db };
  const [one, other] = [
    await makeAccount(house, [{ tenantId: tenant, role: 'user' }]),
    await makeAccount(house, [{ tenantId: tenant, role: 'user' }]),
  ];
  await setOperator(deps, one.email.toUpperCase(), true);
  await expect(setOperator(deps, one.email, false)).rejects.toMatchObject({ code: 'conflict' });
  await setOperator(deps, other.email, true);
  const browser = await signInAs(house, one);
  expect((await browser.get('/tenants')).status).toBe(200);
  await setOperator(deps, one.email, false);
  await setOperator(deps, one.email, false);
  expectRefused(await browser.get('/me'), 401, 'signed_out');
  expectRefused(await (await signInAs(house, one)).get('/tenants'), 403, 'role_missing');
  const changes = await audited('user_role_changed');
  expect(changes.filter(({ target_id: id }) => id === one.id).map(({ detail }) => detail)).toEqual([
    { operator: false },
    { operator: true },
  ]);
  await expect(setOperator(deps, 'nobody@example.kr', true)).rejects.toMatchObject({ code: 'not_found' });
});
