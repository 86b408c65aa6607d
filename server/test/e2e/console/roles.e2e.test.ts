import type { ConsoleError } from '@ai-studio/contract/console/errors.ts';
import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import type { Person as Listed } from '@ai-studio/contract/console/people.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/browser.ts';
import { moveTo, NOWHERE, visit } from './moves.ts';
import { administrator, addColleague, callConsole, invite, type Studio, startStudio } from './studio.ts';

// What each role sees and can do, on the pages and behind them. Source: interface section 5.

const kinds = ['user', 'developer', 'administrator', 'operator'] as const;
type Kind = (typeof kinds)[number];

/** Pages by their addresses, what the menu calls them, and who may open them. */
const pages = [
  { path: '/', menu: 'Overview', heading: 'Overview', for: ['developer', 'administrator', 'operator'] },
  { path: '/chat', menu: 'Chat', heading: /^How can I help/, for: ['user', 'developer', 'administrator'] },
  { path: '/prompts', menu: 'Prompts', heading: 'Prompts', for: ['user', 'developer', 'administrator'] },
  { path: '/collections', menu: 'Collections', heading: 'Collections', for: ['user', 'developer', 'administrator'] },
  { path: '/agents', menu: 'Agents', heading: 'Agents', for: ['developer', 'administrator'] },
  { path: '/tools', menu: 'Tools', heading: 'Tools', for: ['developer', 'administrator'] },
  { path: '/playground', menu: 'Playground', heading: 'Playground', for: ['developer', 'administrator'] },
  { path: '/parser', menu: 'Document parser', heading: 'Document parser', for: ['developer', 'administrator'] },
  { path: '/speech', menu: 'Speech', heading: 'Speech', for: ['developer', 'administrator'] },
  { path: '/batches', menu: 'Batches', heading: 'Batches', for: ['developer', 'administrator'] },
  { path: '/keys', menu: 'API key management', heading: 'API key management', for: ['developer', 'administrator'] },
  { path: '/agent-reviews', menu: 'Reviews', heading: 'Reviews', for: ['administrator'] },
  { path: '/models', menu: 'Models', heading: 'Models', for: ['developer', 'administrator', 'operator'] },
  { path: '/network', menu: 'Private hosts', heading: 'Private hosts', for: ['operator'] },
  { path: '/users', menu: 'Users', heading: 'Users', for: ['administrator'] },
  { path: '/usage', menu: 'Usage', heading: 'Usage', for: ['developer', 'administrator'] },
  { path: '/privacy', menu: 'Privacy', heading: 'Privacy', for: ['developer', 'administrator'] },
  { path: '/audit', menu: 'Audit log', heading: 'Audit log', for: ['administrator'] },
  { path: '/settings', menu: 'Settings', heading: 'Settings', for: ['administrator'] },
  { path: '/tenants', menu: 'Tenants', heading: 'Tenants', for: ['operator'] },
] as const satisfies readonly {
  readonly path: string;
  readonly menu: string;
  readonly heading: string | RegExp;
  readonly for: readonly Kind[];
}[];

const builders = ['developer', 'administrator'] as const;
/** What the pages call, and who is let in. */
const calls = [
  { call: 'GET /overview', for: ['user', 'developer', 'administrator'] },
  { call: 'GET /conversations', for: ['user', 'developer', 'administrator'] },
  { call: 'GET /conversation-folders', for: ['user', 'developer', 'administrator'] },
  { call: 'GET /prompts', for: ['user', 'developer', 'administrator'] },
  { call: 'GET /chat-models', for: ['user', 'developer', 'administrator'] },
  { call: 'POST /chat/completions', for: builders },
  { call: 'GET /sample', for: builders },
  { call: 'POST /sample', for: builders },
  { call: 'GET /collections', for: ['user', 'developer', 'administrator'] },
  { call: 'GET /collection-options', for: ['user', 'developer', 'administrator'] },
  { call: 'POST /collections', for: builders },
  { call: 'GET /parser', for: builders },
  { call: 'POST /parser', for: builders },
  { call: 'GET /speech', for: ['user', ...builders] },
  { call: 'POST /speech/say', for: ['user', 'developer', 'administrator'] },
  { call: 'POST /speech/transcriptions', for: ['user', ...builders] },
  { call: 'GET /agent-servers', for: builders },
  { call: 'POST /agent-servers', for: ['administrator'] },
  { call: 'GET /keys', for: builders },
  { call: 'POST /keys', for: builders },
  { call: 'GET /models', for: [...builders, 'operator'] },
  { call: 'GET /servers', for: [...builders, 'operator'] },
  { call: 'GET /weights', for: [...builders, 'operator'] },
  { call: 'POST /servers', for: ['operator'] },
  { call: 'POST /weights/pull', for: ['operator'] },
  { call: 'GET /opened-hosts', for: ['operator'] },
  { call: 'POST /opened-hosts', for: ['operator'] },
  { call: 'GET /search-index', for: ['operator'] },
  { call: 'GET /usage', for: builders },
  { call: 'GET /usage.csv', for: builders },
  { call: 'GET /users', for: ['administrator'] },
  { call: 'POST /users', for: ['administrator'] },
  { call: 'GET /audit', for: ['administrator'] },
  { call: 'GET /audit.csv', for: ['administrator'] },
  { call: 'GET /audit.jsonl', for: ['administrator'] },
  { call: 'GET /privacy/policy', for: ['administrator'] },
  { call: 'PUT /privacy/policy', for: ['administrator'] },
  { call: 'GET /privacy/counts', for: ['administrator'] },
  { call: 'POST /privacy/try', for: builders },
  { call: 'GET /settings', for: ['administrator'] },
  { call: 'PATCH /settings', for: ['administrator'] },
  { call: 'GET /tenants', for: ['operator'] },
  { call: 'POST /tenants', for: ['operator'] },
] as const satisfies readonly { readonly call: string; readonly for: readonly Kind[] }[];

const has = (list: readonly Kind[], kind: Kind) => list.includes(kind);

const emails = {
  user: 'mina@example.org',
  developer: 'joon@example.org',
  administrator: 'hana@example.org',
} as const;

let studio: Studio;
/** The first administrator, who is the platform's operator too. */
let first: Person;
const people = {} as Record<Kind, Person>;

beforeAll(async () => {
  studio = await startStudio();
  first = await studio.signedIn(administrator.email, {}, undefined, '/console/users');
  const made = await callConsole(first, 'POST', '/tenants', {
    name: 'Second tenant',
    email: 'second@example.org',
    admin_name: 'Second chief',
  });
  const { tenant } = made.body as { readonly tenant: { readonly id: string } };
  // They open their pages once there are two tenants: the administrator of a single one may more.
  const newcomer = (role: 'user' | 'developer' | 'administrator') => ({
    email: emails[role],
    name: `Some ${role}`,
    role,
  });
  people.user = await addColleague(studio, newcomer('user'), '/console/chat');
  people.administrator = await addColleague(studio, newcomer('administrator'));
  // The one whose password is asked for below.
  people.developer = await invite(studio, first, newcomer('developer'));
  people.operator = await studio.signedIn(administrator.email, {}, undefined, '/console/tenants');
  await people.operator.page.getByRole('button', { name: 'Enter Second tenant' }).click();
  await people.operator.page.getByRole('dialog').getByRole('button', { name: 'Enter' }).click();
  await people.operator.page.getByText(`You are in “Second tenant” now`).waitFor();
  expect((await callConsole(people.operator, 'GET', '/me')).body).toMatchObject({
    role: null,
    tenant: { id: tenant.id },
  });
});
afterAll(() => studio?.close());

const reasonOf = ({ body }: { readonly body: unknown }) => (body as ConsoleError).error.reason;
const idOf = async (email: string) => {
  const { body } = await callConsole(first, 'GET', '/users');
  return (body as { readonly items: readonly Listed[] }).items.find((one) => one.email === email)?.id ?? '';
};

describe.each(kinds)('the %s', (kind) => {
  const mine = pages.filter((page) => has(page.for, kind));

  test('sees in the menu just the pages that open, and each opens', async () => {
    const { page } = people[kind];
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await menu.getByRole('link').first().waitFor();
    await expect.poll(() => menu.getByRole('link').allTextContents()).toEqual(mine.map((one) => one.menu));
    for (const { menu: name, heading } of mine) {
      await menu.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('#main').getByText('Loading').waitFor({ state: 'detached' });
      expect(await page.locator('#main').textContent()).not.toMatch(/Something went wrong|You may not see/);
    }
  });

  test('gets words in the place of every other page, whose address asks the service nothing', async () => {
    const { page } = people[kind];
    const refused: string[] = [];
    const note = (response: { status(): number; url(): string }) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    };
    page.on('response', note);
    await visit(page, '/console/profile');
    // The first page leads users to the chat instead.
    for (const { path } of pages.filter((one) => !has(one.for, kind) && one.path !== '/')) {
      // From one such page to the next nothing would be drawn anew.
      await moveTo(page, NOWHERE);
      await moveTo(page, path);
      await page.getByRole('heading', { level: 1, name: 'You may not see this page' }).waitFor();
      expect(await page.locator('#main').getByRole('button').count(), path).toBe(0);
    }
    page.off('response', note);
    expect(refused).toEqual([]);
  });

  test('finds behind the pages what the pages show, and 403 for the rest', async () => {
    for (const { call, for: allowed } of calls) {
      const [method = '', path = ''] = call.split(' ');
      const answer = await callConsole(people[kind], method, path, method === 'GET' ? undefined : {});
      // A body of nothing is wrong for who may, and is not looked at for who may not.
      if (has(allowed, kind))
        expect([200, 204, 400], `${call} ${JSON.stringify(answer.body)}`).toContain(answer.status);
      else if (call === 'POST /chat/completions') expect(answer.status, call).toBe(403);
      else expect([answer.status, reasonOf(answer)], call).toEqual([403, 'role_missing']);
    }
  });

  test('finds in the list of commands no page that the menu lacks', async () => {
    const { page } = people[kind];
    await visit(page, '/console/profile');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const list = page.getByRole('dialog');
    await list.getByRole('searchbox').or(list.getByRole('textbox')).first().waitFor();
    const shown = await list.getByRole('button').allTextContents();
    for (const one of pages)
      expect(
        shown.some((text) => text === one.menu),
        one.menu,
      ).toBe(has(one.for, kind));
    await page.keyboard.press('Escape');
  });
});

const keyOf = async (person: Person, name: string) => {
  const { status, body } = await callConsole(person, 'POST', '/keys', {
    name,
    scopes: ['chat', 'embeddings'],
    allowed_models: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    tool_stream: null,
    expires_at: null,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as IssuedApiKey).value;
};
const chatWith = async (key: string) => {
  const response = await fetch(`${studio.service.base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'CORE-GOV', messages: [{ role: 'user', content: '6 * 7?' }] }),
  });
  await response.text();
  return response.status;
};

/** An administrator's own list of people. */
async function usersPage({ page }: Person): Promise<Person['page']> {
  await visit(page, '/console/users');
  await page.getByRole('table', { name: 'Users' }).waitFor();
  return page;
}
/** Gives somebody another role, in the list that is open. */
async function choose(page: Person['page'], name: string, role: string): Promise<void> {
  await page.locator(`input[aria-label="Role of ${name}"]`).click();
  await page.getByRole('option', { name: role, exact: true }).click();
}

describe('an administrator changes on the page', () => {
  test('the role of a developer, whose keys and pages are refused at once', async () => {
    const key = await keyOf(people.developer, 'of a developer');
    expect(await chatWith(key)).toBe(200);
    const open = people.developer.page;
    await visit(open, '/console/keys');
    await open.getByRole('row').filter({ hasText: 'of a developer' }).waitFor();
    // What the page asks by itself every half a minute would tell it of the new role first.
    const notes = '**/console/api/agent-notes';
    await open.route(notes, (route) => route.abort());

    const page = await usersPage(people.administrator);
    await choose(page, 'Some developer', 'User');
    await page.getByText('Changed').waitFor();
    expect(await chatWith(key)).toBe(403);
    expect(reasonOf(await callConsole(people.developer, 'GET', '/keys'))).toBe('role_missing');
    expect((await callConsole(people.developer, 'GET', '/me')).body).toMatchObject({ role: 'user' });
    // The page that was open acts on what is true now.
    await open.getByRole('button', { name: 'Delete key of a developer' }).click();
    await open.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
    // The dialog says so until the page has asked what the person may do, and says it itself.
    const refused = open.getByRole('dialog').getByRole('alert').filter({ hasText: 'Your role does not allow this.' });
    await refused
      .or(open.getByRole('heading', { name: 'You may not see this page' }))
      .first()
      .waitFor();
    await open.unroute(notes);
    await open.reload();
    await open.getByRole('heading', { name: 'You may not see this page' }).waitFor();

    await page.getByText('Changed').waitFor({ state: 'hidden' });
    await choose(page, 'Some developer', 'Developer');
    await page.getByText('Changed').waitFor();
    expect(await chatWith(key)).toBe(200);
    await open.reload();
    await open.getByRole('row').filter({ hasText: 'of a developer' }).waitFor();
  });

  test('a person to disabled: the session ends, the keys are refused, and both come back after it', async () => {
    const key = await keyOf(people.developer, 'of a disabled one');
    expect(await chatWith(key)).toBe(200);
    const page = await usersPage(people.administrator);
    await page.getByRole('button', { name: 'Some developer: more' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await chatWith(key)).toBe(403);
    expect((await callConsole(people.developer, 'GET', '/me')).status).toBe(401);
    await people.developer.page.goto('/console/keys');
    await people.developer.page.waitForURL(/\/console\/login\?next=/);
    await people.developer.page.locator('input[name=email]').fill(emails.developer);
    await people.developer.page.locator('input[name=password]').fill(administrator.password);
    await people.developer.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await people.developer.page.getByRole('alert').filter({ hasText: 'The email or the password is wrong.' }).waitFor();

    await page
      .getByRole('row')
      .filter({ hasText: 'Some developer' })
      .getByText('Disabled')
      .filter({ visible: true })
      .waitFor();
    await page.getByRole('button', { name: 'Some developer: more' }).click();
    await page.getByRole('menuitem', { name: 'Enable again' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Some developer' })
      .getByText('Active')
      .filter({ visible: true })
      .waitFor();
    expect(await chatWith(key)).toBe(200);
    await people.developer.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await people.developer.page.getByRole('heading', { name: 'API key management' }).waitFor();
  });

  test('nothing of themselves, so that one administrator is always left', async () => {
    const page = await usersPage(people.administrator);
    const own = page.getByRole('row').filter({ hasText: emails.administrator });
    expect(await own.getByRole('button').count()).toBe(0);
    expect(await own.locator('input').count()).toBe(0);
    const id = await idOf(emails.administrator);
    for (const change of [{ role: 'user' }, { state: 'disabled' }])
      expect(reasonOf(await callConsole(people.administrator, 'PATCH', `/users/${id}`, change))).toBe('not_yourself');
    expect(reasonOf(await callConsole(people.administrator, 'DELETE', `/users/${id}`, {}))).toBe('not_yourself');
  });

  test('nothing any more once another has taken the role, on the page that still stands open', async () => {
    const stale = await usersPage(people.administrator);
    const page = await usersPage(first);
    await choose(page, 'Some administrator', 'Developer');
    await page.getByText('Changed').waitFor();
    const chief = administrator.email;
    const { body } = await callConsole(first, 'GET', '/me');
    const { name } = (body as Me).user;
    await choose(stale, name, 'User');
    await stale.getByRole('alert').filter({ hasText: 'Your role does not allow this.' }).first().waitFor();
    expect((await callConsole(first, 'GET', '/me')).body).toMatchObject({
      role: 'administrator',
      user: { email: chief },
    });
    const own = page.getByRole('row').filter({ hasText: chief });
    expect(await own.getByRole('button').count()).toBe(0);
    expect(await own.locator('input').count()).toBe(0);
  });
});

test('no page asked anything of another host', () => {
  for (const person of [first, ...Object.values(people)]) expect(person.foreign).toEqual([]);
});
