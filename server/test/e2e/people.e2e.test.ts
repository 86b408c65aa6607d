import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { studio } from '../support/command.ts';
import { launch, type Service, startService, temporaryFolder } from '../support/service.ts';
import { rm } from 'node:fs/promises';

// The first person of an installation, and the people that commands make beside the running service.

const PASSWORD = 'correct horse battery';

async function post(service: Service, path: string, body: unknown, cookie = ''): Promise<Response> {
  return fetch(`${service.base}/console/api${path}`, {
    method: 'POST',
    headers: { origin: service.base, 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const meOf = async (service: Service, cookie: string) => {
  const response = await fetch(`${service.base}/console/api/me`, { headers: { cookie } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const LINK = /\/console\/setup#([A-Za-z0-9_-]{43})/;

describe('the first start', () => {
  let folder: string;
  beforeAll(async () => void (folder = await temporaryFolder()));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('prints a link with which the first administrator is made, and later starts do not', async () => {
    const first = await startService({ dataFolder: folder, makesDatabase: true, config: { server: { workers: 2 } } });
    try {
      await eventually(() => expect(first.output()).toMatch(LINK));
      const token = LINK.exec(first.output())?.[1] ?? '';
      const body = { token, organisation: 'Hanbit', name: 'Mina', email: 'mina@example.kr', password: PASSWORD };
      const made = await post(first, '/setup', body);
      expect(made.status, await made.text()).toBe(200);
      const cookie = cookieOf(made);
      // Whichever process answers.
      for (let i = 0; i < 8; i++)
        expect(await meOf(first, cookie)).toMatchObject({
          status: 200,
          body: { operator: true, role: 'administrator' },
        });
      expect((await post(first, '/logout', {}, cookie)).status).toBe(204);
      for (let i = 0; i < 8; i++) expect((await meOf(first, cookie)).status).toBe(401);
    } finally {
      await first.close();
    }
    expect(first.output()).not.toContain(PASSWORD);
    const second = await startService({ dataFolder: folder });
    await eventually(() => expect(second.output()).toContain('/console'));
    await second.close();
    expect(second.output()).not.toMatch(LINK);
  });
});

describe('STUDIO_ADMIN_EMAIL and STUDIO_ADMIN_PASSWORD', () => {
  const env = { STUDIO_ADMIN_EMAIL: 'Root@Example.kr', STUDIO_ADMIN_PASSWORD: PASSWORD };

  test('make the first administrator, say the password nowhere, and change nobody later', async () => {
    const folder = await temporaryFolder();
    const login = (service: Service, password: string) =>
      post(service, '/login', { email: 'root@example.kr', password }).then(({ status }) => status);
    const first = await startService({ dataFolder: folder, env });
    expect(await login(first, PASSWORD)).toBe(200);
    await first.close();
    expect(first.output()).not.toMatch(LINK);
    expect(first.output()).not.toContain(PASSWORD);
    const second = await startService({
      dataFolder: folder,
      env: { ...env, STUDIO_ADMIN_PASSWORD: 'quite another phrase' },
    });
    expect(await login(second, PASSWORD)).toBe(200);
    expect(await login(second, 'quite another phrase')).toBe(401);
    await second.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    [{ STUDIO_ADMIN_EMAIL: 'root@example.kr' }, 'STUDIO_ADMIN_PASSWORD'],
    [{ STUDIO_ADMIN_EMAIL: 'nobody', STUDIO_ADMIN_PASSWORD: PASSWORD }, 'must be an e-mail address'],
    [{ STUDIO_ADMIN_EMAIL: 'root@example.kr', STUDIO_ADMIN_PASSWORD: 'short' }, '10 to 200 characters'],
    [{ STUDIO_ADMIN_EMAIL: 'root@example.kr', STUDIO_ADMIN_PASSWORD: 'qwertyuiop1' }, 'too easy to guess'],
  ])('end the start in words when they can not be used: %o', async (wrong, words) => {
    const service = await launch({ env: wrong });
    const code = await service.exited;
    await service.close();
    expect(code).not.toBe(0);
    expect(service.output()).toContain(words);
    expect(service.output()).not.toContain('qwertyuiop1');
  });
});

describe('studio user', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService()));
  afterAll(() => service.close());

  test('invites people, resets passwords and lists everybody beside the running service', async () => {
    await expect(studio(service, 'user', 'create', 'dev@example.kr', '--role=developer')).rejects.toThrow(
      'must be an administrator',
    );
    const link = await studio(service, 'user', 'create', 'Chief@example.kr', '--role=administrator', '--name=Chief');
    const token = new URL(link).hash.slice(1);
    expect(link).toBe(`${service.base}/console/link#${token}`);
    const joined = await post(service, '/links/use', { token, password: PASSWORD });
    expect(await meOf(service, cookieOf(joined))).toMatchObject({ body: { operator: true, user: { name: 'Chief' } } });
    await studio(service, 'user', 'create', 'dev@example.kr', '--role=developer');
    await expect(studio(service, 'user', 'create', 'dev@example.kr')).rejects.toThrow('already');
    await expect(studio(service, 'user', 'create', 'nobody')).rejects.toThrow('e-mail');
    await expect(studio(service, 'user', 'create', 'x@example.kr', '--role=root')).rejects.toThrow('--role');

    await expect(studio(service, 'user', 'create', 'y@example.kr', '--tenant=Nowhere')).rejects.toThrow(
      'There is no tenant Nowhere',
    );
    const cookie = cookieOf(joined);
    const made = await post(
      service,
      '/tenants',
      { name: 'Sales', email: 'lead@example.kr', admin_name: 'Lead' },
      cookie,
    );
    const { tenant } = (await made.json()) as { tenant: { id: string } };
    await studio(service, 'user', 'create', 'one@example.kr', '--tenant=sales');
    await studio(service, 'user', 'create', 'two@example.kr', `--tenant=${tenant.id}`);
    const all = JSON.parse(await studio(service, 'user', 'list', '--json')) as { email: string; tenant: string }[];
    expect(all.filter(({ tenant: name }) => name === 'Sales').map(({ email }) => email)).toEqual([
      'lead@example.kr',
      'one@example.kr',
      'two@example.kr',
    ]);
    await expect(studio(service, 'user', 'email', 'one@example.kr', 'TWO@example.kr')).rejects.toThrow(
      'has this address',
    );
    await expect(studio(service, 'user', 'email', 'none@example.kr', 'x@example.kr')).rejects.toThrow('Nobody has');
    await expect(studio(service, 'user', 'email', 'chief@example.kr')).rejects.toThrow('e-mail');
    await studio(service, 'user', 'email', 'chief@example.kr', 'Head@example.kr');
    expect((await meOf(service, cookie)).status).toBe(401);
    await studio(service, 'user', 'email', 'head@example.kr', 'chief@example.kr');

    const reset = new URL(await studio(service, 'user', 'reset', 'chief@example.kr')).hash.slice(1);
    expect((await post(service, '/links/use', { token: reset, password: 'a second long phrase' })).status).toBe(200);
    expect((await post(service, '/links/use', { token: reset, password: 'a third long phrase' })).status).toBe(404);
    expect((await meOf(service, cookieOf(joined))).status).toBe(401);
    expect(JSON.parse(await studio(service, 'user', 'list', '--json'))).toMatchObject([
      { email: 'chief@example.kr', role: 'administrator', state: 'active', operator: true },
      { email: 'dev@example.kr', role: 'developer', state: 'invited', operator: false },
      { email: 'lead@example.kr', tenant: 'Sales' },
      { email: 'one@example.kr', tenant: 'Sales' },
      { email: 'two@example.kr', tenant: 'Sales' },
    ]);
  });
});
