import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeOpenSearch, type FakeOpenSearch } from '../../fakes/opensearch-server.ts';
import type { Person } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { withDatabaseOf } from '../../support/running-database.ts';
import { isAllThere, moveTo, visit } from './moves.ts';
import { administrator, addAccount, callConsole, type Studio, startStudio } from './studio.ts';

// Two tenants on one installation: what the one has is nowhere on the pages of the other. That ids of the one answer like
// ids of nothing in every call stands in server/test/console/foreign-ids.test.ts.

/** A word that stands in everything of the first tenant, and nowhere else. */
const MARK = 'Quagga';
const SECOND = 'Second office';

/** Keeps the search index, of which only the operator hears. */
let fake: FakeOpenSearch;
let studio: Studio;
/** The platform's operator, administrator of the first tenant. */
let operator: Person;
/** An administrator of the first tenant alone. */
let first: Person;
/** The administrator of the second one. */
let second: Person;
let key: string;
let conversation: string;

const ok = async <T>(person: Person, method: string, path: string, body?: object): Promise<T> => {
  const answer = await callConsole(person, method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body as T;
};
const meOf = (person: Person) => ok<Me>(person, 'GET', '/me');

async function newKey(person: Person, name: string): Promise<string> {
  const limits = { requests_per_minute: null, tokens_per_minute: null, tool_stream: null, expires_at: null };
  const scopes = ['chat', 'embeddings', 'retrieval', 'utilities'];
  return (await ok<IssuedApiKey>(person, 'POST', '/keys', { name, scopes, allowed_models: null, ...limits })).value;
}

async function converse(person: Person, words: string): Promise<string> {
  const { id } = await ok<Conversation>(person, 'POST', '/conversations', { model: 'CORE-GOV' });
  await ok(person, 'POST', `/conversations/${id}/turns`, { content: words });
  return id;
}

const callWith = (value: string, tenant: string | undefined, path = '/v1/chat/completions') =>
  fetch(`${studio.service.base}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${value}`,
      'content-type': 'application/json',
      ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
    },
    body: JSON.stringify({
      model: path.endsWith('rerank') ? 'CORE-RERANK' : path.endsWith('embeddings') ? 'CORE-EMBED' : 'CORE-GOV',
      messages: [{ role: 'user', content: '6 * 7?' }],
      input: 'text',
    }),
  }).then(async (response) => {
    await response.text();
    return response.status;
  });

beforeAll(async () => {
  fake = await startFakeOpenSearch();
  fake.fill(1_000, 91);
  studio = await startStudio({ config: { search: { url: fake.url } } });
  operator = await studio.signedIn(administrator.email, {}, undefined, '/console/tenants');
  await ok(operator, 'PATCH', '/settings', { name: `${MARK} institute`, accent: 'grape', max_keys: 77 });
  const email = 'hana@quagga.example';
  await addAccount(studio, { email, name: `${MARK} Hana`, role: 'administrator' });
  first = await studio.signedIn(email, {}, undefined, '/console/models');
  key = await newKey(first, `${MARK} program`);
  conversation = await converse(first, `${MARK} says 6 * 7?`);
  expect(await callWith(key, undefined)).toBe(200);
});
afterAll(async () => {
  await studio?.close();
  await fake?.close();
});

const mainOf = ({ page }: Person) => page.locator('#main');
const paths = ['/', '/chat', '/playground', '/keys', '/models', '/users', '/usage', '/audit', '/settings', '/profile'];

/** Waits until a page has what it shows. */
async function settled(person: Person): Promise<string> {
  await person.page.getByRole('heading', { level: 1 }).first().waitFor();
  await isAllThere(person.page);
  return person.page.locator('body').innerText();
}

/** Somebody looks at their window again, which asks then who they are and what they may do. */
async function comeBack({ page }: Person): Promise<void> {
  const read = page.waitForResponse((response) => response.url().endsWith('/console/api/me'));
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await read;
}

/** What can be done on the page of models. */
async function buttonsOf(person: Person): Promise<string[]> {
  const names: string[] = [];
  await settled(person);
  for (const tab of await person.page.getByRole('tab').all()) {
    await tab.click();
    await settled(person);
    for (const button of await person.page.getByRole('tabpanel').getByRole('button').all())
      names.push((await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '');
  }
  return names;
}

test('while there is one tenant its administrators look after the models', async () => {
  expect((await meOf(first)).actions).toContain('models.manage');
  expect(await buttonsOf(first)).toContain('Get a model');
});

test('the operator makes a second tenant on the page, and its administrator joins by the link', async () => {
  const { page } = operator;
  await page.getByRole('button', { name: 'New tenant' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(SECOND);
  await dialog.getByLabel('Name of the administrator').fill('Bora Lee');
  await dialog.getByLabel('Email of the administrator').fill('bora@second.example');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const link = (await page.getByTestId('one-time-link').textContent())?.trim() ?? '';
  await dialog.getByRole('button', { name: 'I have handed it over' }).click();
  await page.getByRole('row').filter({ hasText: SECOND }).waitFor();
  // The operator stays where they were, and is nobody in the new tenant.
  expect(await meOf(operator)).toMatchObject({ tenant: { name: `${MARK} institute` }, memberships: { length: 1 } });

  second = await studio.browser.person();
  await second.page.goto(link);
  await second.page.getByRole('heading', { name: `You are invited to ${SECOND}` }).waitFor();
  await second.page.getByLabel('Your name').fill('Bora Lee');
  await second.page.locator('input[name=password]').fill(administrator.password);
  await second.page.getByRole('button', { name: 'Join' }).click();
  await second.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await meOf(second)).toMatchObject({ role: 'administrator', operator: false, tenant: { name: SECOND } });
});

test('now only the operator changes the models, which all tenants share', async () => {
  for (const person of [first, second]) {
    expect((await meOf(person)).actions).not.toContain('models.manage');
    expect((await callConsole(person, 'POST', '/servers', {})).status).toBe(403);
    expect((await callConsole(person, 'POST', '/weights/pull', { what: 'x' })).status).toBe(403);
    await comeBack(person);
    await visit(person.page, '/console/models');
    await settled(person);
    expect(
      await mainOf(person)
        .getByRole('button', { name: /Get a model|Connect|: more$/ })
        .count(),
    ).toBe(0);
  }
  expect((await meOf(operator)).actions).toContain('models.manage');
  await visit(operator.page, '/console/models');
  expect(await buttonsOf(operator)).toContain('Get a model');
});

test('and only the operator sees how the search index fares, with what to do about it', async () => {
  const cardOf = ({ page }: Person) => page.getByRole('region', { name: 'Search index' });
  await visit(operator.page, '/console/');
  await cardOf(operator)
    .getByText(/^OpenSearch 3\.5\.0/)
    .waitFor();
  await cardOf(operator).getByText('Node 1 is 91% full: it gives shards away', { exact: false }).waitFor();
  await visit(first.page, '/console/');
  await settled(first);
  expect(await cardOf(first).count()).toBe(0);
});

test('no page of the second tenant shows anything of the first', async () => {
  await visit(second.page, '/console/profile');
  for (const path of paths) {
    await moveTo(second.page, path);
    expect((await settled(second)).match(/quagga|hana@/i), path).toBeNull();
    expect((await mainOf(second).innerText()).match(/Something went wrong/), path).toBeNull();
  }
  await visit(second.page, '/console/usage');
  for (const tab of ['API key', 'Person', 'User', 'Model']) {
    const found = second.page.getByRole('tab', { name: tab });
    if ((await found.count()) > 0) await found.click();
    expect((await settled(second)).match(/quagga/i), tab).toBeNull();
  }
  // An address that was handed over leads nowhere, and says no more than one that never was.
  const words: string[] = [];
  for (const id of [conversation, 'f'.repeat(32)]) {
    await visit(second.page, `/console/chat/${id}`);
    await second.page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    words.push((await mainOf(second).textContent()) ?? '');
  }
  expect(words[0]).toBe(words[1]);
});

test('the first tenant sees nothing of the second either, and the operator only that it is there', async () => {
  await newKey(second, 'Okapi program');
  await converse(second, 'Okapi says 6 * 7?');
  for (const [person, shown] of [
    [first, paths.filter((path) => !['/playground', '/models', '/profile'].includes(path))],
    [operator, ['/', '/keys', '/audit']],
  ] as const) {
    await person.page.goto('/console/profile');
    for (const path of shown) {
      await moveTo(person.page, path);
      expect((await settled(person)).match(/okapi|bora|Second office/i), path).toBeNull();
    }
  }
  await visit(operator.page, '/console/tenants');
  const row = operator.page.getByRole('row').filter({ hasText: SECOND });
  await expect.poll(async () => (await row.getByRole('cell').allTextContents()).slice(1, 3)).toEqual(['1', '1']);
});

test('an API key is one of its tenant, whatever tenant a call names', async () => {
  const theirs = await newKey(second, 'Okapi second');
  const a = (await meOf(first)).tenant?.id ?? '';
  const b = (await meOf(second)).tenant?.id ?? '';
  for (const path of ['/v1/chat/completions', '/api/v1/chat/completions', '/v1/embeddings', '/v1/rerank']) {
    expect(await callWith(key, b, path), path).toBe(403);
    expect(await callWith(theirs, a, path), path).toBe(403);
    expect(await callWith(key, 'f'.repeat(32), path), path).toBe(403);
  }
  expect(await callWith(key, a)).toBe(200);
  expect(await callWith(theirs, b)).toBe(200);
  const usage = await ok<{ rows: { label: string }[] }>(second, 'GET', '/usage?group=key');
  expect(usage.rows.map(({ label }) => label)).not.toContain(`${MARK} program`);
});

test('who belongs to both switches by the account menu, and nothing of the other tenant stays', async () => {
  const email = 'both@example.org';
  await addAccount(studio, { email, name: 'Some Both', role: 'administrator' });
  // Whoever has a password accepts an invitation as themselves; nobody types this one.
  await withDatabaseOf(studio.service, (db) =>
    db.query.updateTable('users').set({ password_hash: 'none' }).where('email', '=', email).execute(),
  );
  const { link } = await ok<{ link: { url: string } }>(second, 'POST', '/users', {
    email,
    name: 'B',
    role: 'developer',
  });
  const person = await studio.signedIn(email, {}, undefined, '/console/profile');
  const { page } = person;
  await page.goto(link.url);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  // Each tenant has a notice of its own; the page hears that it was read with the next change of tenant.
  const version = (await meOf(person)).ai?.notice?.version;
  await ok(person, 'POST', '/me/ai-notice', { version });
  expect(await meOf(person)).toMatchObject({ role: 'developer', tenant: { name: SECOND }, memberships: { length: 2 } });

  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await eventually(async () => expect((await meOf(person)).tenant?.name).toBe(name));
    await page.getByRole('button', { name: 'Account menu' }).filter({ hasText: name }).waitFor();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    // The menu names both tenants, and closes in its own time.
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  const open = async (name: string) => {
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true }).click();
    return settled(person);
  };

  await switchTo(`${MARK} institute`);
  await converse(person, `${MARK} of both`);
  // Everything of the first tenant is in the memory of the page now.
  for (const name of ['Chat', 'API key management', 'Users', 'Usage', 'Audit log', 'Settings']) {
    await open(name);
    await expect.poll(() => page.locator('body').innerText(), { message: name }).toMatch(/quagga/i);
  }
  await open('Chat');
  await page.getByRole('textbox', { name: 'Message' }).fill(`${MARK} draft`);
  const window = await person.context.newPage();
  await window.goto('/console/chat');
  const menuOf = window.getByRole('navigation', { name: 'Main menu' });
  await window.getByRole('link', { name: `${MARK} of both` }).waitFor();
  await menuOf.getByRole('link', { name: 'Users', exact: true }).click();
  await window
    .getByRole('row')
    .filter({ hasText: `${MARK} Hana` })
    .waitFor();
  await window.getByRole('button', { name: `${MARK} Hana: more` }).click();
  await page.bringToFront();

  await switchTo(SECOND);
  expect(new URL(page.url()).pathname).toBe('/console/');
  expect(await settled(person)).not.toMatch(/quagga/i);
  // Another window of the same session comes along as soon as somebody looks at it.
  await window.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await window.getByRole('heading', { name: 'You may not see this page' }).waitFor();
  await window.waitForLoadState('networkidle');
  expect(await window.locator('body').innerText()).not.toMatch(/quagga/i);
  // Nor does it show what it remembers of the first tenant while it waits for what the second one has.
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
  let isAsked = false;
  await window.route(/\/console\/api\/conversations(\?|$)/, async (route) => {
    isAsked = true;
    await go;
    await route.continue();
  });
  await menuOf.getByRole('link', { name: 'Chat', exact: true }).click();
  await expect.poll(() => isAsked, { message: 'the conversations of the second tenant are asked for' }).toBe(true);
  expect(await window.locator('body').innerText()).not.toMatch(/quagga/i);
  letGo();
  await window.close();
  const menu = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  await expect
    .poll(() => menu.allTextContents())
    .toEqual([
      'Overview',
      'Chat',
      'Prompts',
      'Collections',
      'Agents',
      'Tools',
      'Playground',
      'Document parser',
      'Speech',
      'Batches',
      'API key management',
      'Models',
      'Usage',
      'Privacy',
    ]);
  for (const name of await menu.allTextContents()) {
    expect(await open(name), name).not.toMatch(/quagga/i);
    const fields = await page
      .locator('input, textarea')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    expect(fields.join(' '), name).not.toMatch(/quagga/i);
  }
  // What the person wrote and did not send waits for them, under that tenant alone, until they sign out.
  const kept = await page.evaluate<[string, string][]>(
    '[...Object.entries(localStorage), ...Object.entries(sessionStorage)]',
  );
  const drafts = kept.filter(([key]) => key.startsWith('studio.draft.'));
  const firstTenant = drafts.map(([key]) => key.split('.')[3]);
  expect(new Set(firstTenant).size).toBe(1);
  expect(drafts.map(([, value]) => JSON.parse(value).text)).toEqual([`${MARK} draft`]);
  expect(JSON.stringify(kept.filter((entry) => !drafts.includes(entry)))).not.toMatch(/quagga/i);
  // Going back leads to pages, not to what they showed.
  for (let i = 0; i < 4; i++) {
    await page.goBack();
    expect(await settled(person)).not.toMatch(/quagga/i);
  }
  expect((await callConsole(person, 'GET', '/users')).status).toBe(403);
  expect((await callConsole(person, 'GET', `/conversations/${conversation}`)).status).toBe(404);
});

test('no page asked anything of another host', () => {
  for (const person of [operator, first, second]) expect(person.foreign).toEqual([]);
});
