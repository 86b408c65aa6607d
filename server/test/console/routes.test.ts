import { consoleActions, type Role, roles } from '@ai-studio/contract/console/roles.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConsole } from '../../src/console/server.ts';
import { tenantRoute } from '../../src/console-kit/route.ts';
import { isAllowed } from '../../src/identity/policy.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import { makeAccount, signInAs } from '../support/accounts.ts';
import { type Browser, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { isLong } from '../support/long.ts';
import { makeTenant, personOf } from '../support/people.ts';

let house: ConsoleHouse;
let tenant: TenantId;
let other: TenantId;
beforeAll(async () => {
  house = await openConsoleHouse();
  tenant = await makeTenant(house, 'Own');
  other = await makeTenant(house, 'Foreign');
});
afterAll(() => house.close());

/** A path with something in the place of each of its parameters. */
const pathOf = (path: string) => path.replace(/:\w+/g, 'f'.repeat(32));
const changing = (method: string) => method !== 'GET';

describe('every route of the console', () => {
  test('is there', () => {
    const names = house.node.consoleRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
  });

  test('asks who it is, whatever else the call brings', async () => {
    const stranger = house.browser({ headers: { authorization: 'Bearer aist_anything', 'x-tenant-id': tenant } });
    for (const { method, path, access } of house.node.consoleRoutes) {
      if (access === 'public') continue;
      expectRefused(await stranger.send(method, pathOf(path)), 401, 'signed_out');
    }
  });

  test('that changes something is refused to other pages and to forms', async () => {
    const person = await personOf(house, tenant, 'administrator');
    const headers = { cookie: person.cookie };
    for (const { method, path } of house.node.consoleRoutes.filter((route) => changing(route.method))) {
      for (const origin of [null, 'null', 'https://evil.example', `${house.base}.evil.example`, 'http://127.0.0.1:1'])
        expectRefused(await house.browser({ origin, headers }).send(method, pathOf(path), {}), 403, 'wrong_origin');
      const cross = house.browser({ origin: null, headers: { ...headers, 'sec-fetch-site': 'same-site' } });
      expectRefused(await cross.send(method, pathOf(path), {}), 403, 'wrong_origin');
    }
  });

  test('that takes a body takes it as JSON only', async () => {
    const person = await personOf(house, tenant, 'administrator');
    const forms = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'];
    for (const { method, path, body, access } of house.node.consoleRoutes) {
      if (
        body === undefined ||
        access === 'models.manage' ||
        access === 'network.manage' ||
        access === 'tenants.manage'
      )
        continue;
      for (const type of forms) {
        const answer = await person.send(method, pathOf(path), '{"email":"a@b.kr"}', { 'content-type': type });
        expectRefused(answer, 415);
      }
    }
  });

  test('is refused to roles that may not, before anything is read', async () => {
    for (const role of roles) {
      const person = await personOf(house, tenant, role);
      for (const { method, path, access } of house.node.consoleRoutes) {
        if (access === 'public' || access === 'signed_in') continue;
        if (isAllowed({ role, operator: false, singleTenant: false }, access)) continue;
        expectRefused(
          await person.send(method, pathOf(path), changing(method) ? '{broken' : undefined),
          403,
          'role_missing',
        );
      }
    }
  });

  test('answers no input with a failure of the service', async () => {
    const person = await personOf(house, tenant, 'administrator');
    const bodies = [{}, [], null, 'text', 7, { email: 'a\0b', name: '\0', token: '\0', role: 'root', id: {} }];
    const told = await tryAll(person, bodies);
    expect(told.filter(({ status }) => status >= 500)).toEqual([]);
    expect(told.length).toBeGreaterThan(200);
  });

  async function tryAll(person: Browser, bodies: readonly unknown[]) {
    const told: { name: string; status: number }[] = [];
    for (const { method, path, body } of house.node.consoleRoutes) {
      // What ends the session or changes the tenant has tests of its own; streams have no end.
      if (['/logout', '/events'].includes(path)) continue;
      const paths = [
        pathOf(path),
        path.replace(/:\w+/g, '%00'),
        path.replace(/:\w+/g, "'%20OR%201=1"),
        `${pathOf(path)}?before=%00&size=x`,
      ];
      for (const [at, one] of [...new Set(paths)].entries()) {
        // Every body with the first of them; in the long run with each.
        const some = at === 0 || isLong ? bodies : [bodies[0], bodies.at(-1)];
        for (const sent of changing(method) && body !== undefined ? some : [undefined]) {
          const answer = await person.send(
            method,
            one,
            sent === undefined ? undefined : JSON.stringify(sent),
            sent === undefined ? {} : { 'content-type': 'application/json' },
          );
          told.push({
            name: `${method} ${one} ${JSON.stringify(sent)} ${answer.text.slice(0, 200)}`,
            status: answer.status,
          });
        }
      }
    }
    return told;
  }
});

test('what is not there is told in the form of the console', async () => {
  const person = await personOf(house, tenant, 'user');
  expectRefused(await person.get('/nothing'), 404);
  expectRefused(await person.send('PUT', '/me', {}), 404);
  expectRefused(await person.get('/%zz'), 400);
  expectRefused(await person.send('PATCH', '/me', '{broken', { 'content-type': 'application/json' }), 400);
  expect(expectRefused(await person.patch('/me', { theme: 'pink' }), 400, 'invalid_field').param).toBe('theme');
});

describe('the policy over HTTP', () => {
  let probes: FastifyInstance;
  let base: string;

  beforeAll(async () => {
    probes = Fastify();
    const routes = consoleActions.map((access) =>
      tenantRoute({ method: 'GET', path: `/${access}`, access, handle: ({ ctx }) => ({ tenant: ctx.actor.tenantId }) }),
    );
    const frame = createConsole({ db: house.db, configuredUrl: null, trustProxy: false, checkReplies: true }, routes);
    probes.setErrorHandler((error, _request, reply) => {
      const status = error instanceof StudioError ? { forbidden: 403, unauthenticated: 401 }[String(error.code)] : 500;
      return reply.status(status ?? 500).send({ error });
    });
    void probes.register((scope, _options, done) => {
      frame.serve(scope, () => undefined);
      done();
    });
    base = await probes.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => probes.close());

  const ask = async (cookie: string, action: string) => {
    const response = await fetch(`${base}/${action}`, { headers: { cookie } });
    return { status: response.status, body: (await response.json()) as { tenant?: string } };
  };
  const standIn = (userId: string, tenantId: TenantId) =>
    house.db.query.updateTable('sessions').set({ tenant_id: tenantId }).where('user_id', '=', userId).execute();

  test.each(roles.flatMap((role) => [false, true].map((operator) => ({ role, operator }))))(
    'holds for every action in the own tenant and in a foreign one: %o',
    async ({ role, operator }) => {
      const person = await personOf(house, tenant, role);
      await house.db.query.updateTable('users').set({ operator }).where('id', '=', person.userId).execute();
      for (const action of consoleActions) {
        const right = isAllowed({ role, operator, singleTenant: false }, action);
        const { status, body } = await ask(person.cookie, action);
        expect(status, action).toBe(right ? 200 : 403);
        if (right) expect(body.tenant).toBe(tenant);
      }
      // A session that stands where the person is nobody: only an operator may enter, without any role.
      await standIn(person.userId, other);
      for (const action of consoleActions) {
        const right = operator && isAllowed({ role: null, operator, singleTenant: false }, action);
        const { status } = await ask(person.cookie, action);
        expect(status, action).toBe(right ? 200 : operator ? 403 : 401);
      }
    },
  );

  test.each(['disabled', 'invited'] as const)('a place that is %s is none', async (state) => {
    const person = await personOf(house, tenant, 'administrator');
    expect((await ask(person.cookie, 'chat')).status).toBe(200);
    await house.db.query.updateTable('memberships').set({ state }).where('user_id', '=', person.userId).execute();
    for (const action of consoleActions) expect((await ask(person.cookie, action)).status, action).toBe(401);
  });
});

test('a tenant that asks for a second factor opens the profile only, until there is one', async () => {
  const strict = await makeTenant(house, 'Strict');
  await house.db.query
    .insertInto('tenant_settings')
    .values({ tenant_id: strict, settings: JSON.stringify({ require_second_factor: true }) })
    .execute();
  const person = await personOf(house, strict, 'administrator');
  expect((await person.get('/me')).json()).toMatchObject({ must_add_second_factor: true });
  for (const { method, path, access } of house.node.consoleRoutes) {
    if (access === 'public' || access === 'signed_in') continue;
    if (!isAllowed({ role: 'administrator', operator: false, singleTenant: false }, access)) continue;
    expectRefused(
      await person.send(method, pathOf(path), changing(method) ? {} : undefined),
      403,
      'second_factor_required',
    );
  }
});

test('a role that changes counts with the next call', async () => {
  const role = (to: Role) =>
    house.db.query.updateTable('memberships').set({ role: to }).where('user_id', '=', account.id).execute();
  const account = await makeAccount(house, [{ tenantId: tenant, role: 'user' }]);
  const browser = await signInAs(house, account);
  expectRefused(await browser.get('/users'), 403, 'role_missing');
  await role('administrator');
  expect((await browser.get('/users')).status).toBe(200);
  await role('developer');
  expectRefused(await browser.get('/users'), 403, 'role_missing');
});
