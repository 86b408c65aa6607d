import { type GuardPolicy, defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TenantId } from '../../../src/kernel/context.ts';
import { covers } from '../../requirements.ts';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { ask } from '../../support/mcp.ts';
import { addPerson } from '../../support/people.ts';
import { withDatabaseOf } from '../../support/running-database.ts';
import { type Upstream, openUpstream, play } from '../../support/upstream.ts';
import { visit } from './moves.ts';
import { type Studio, administrator, addAccount, callConsole, callerOf, startStudio } from './studio.ts';

// Personal values in the console: texts that are tried, the policy, a key with its own, and what was found.

const RRN = '960121-1234567';

let upstream: Upstream;
let studio: Studio;
let person: Person;
let page: Page;

beforeAll(async () => {
  upstream = await openUpstream(['local']);
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      engines: { gpu: { addresses: [upstream.url] } },
      models: { 'CORE-GOV-THINK': { engines: [{ engine: 'gpu', model: 'local' }] } },
    },
  });
  person = await studio.signedIn(administrator.email, {
    viewport: { width: 1280, height: 900 },
  });
  ({ page } = person);
  await callConsole(person, 'PATCH', '/me', { language: 'en' });
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});
beforeEach(async () => {
  upstream.reset();
  await visit(page, '/console/privacy');
  await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
});

const tab = (name: string) => page.getByRole('tab', { name }).click();
const save = async () => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: false }).first().waitFor();
};
const chat = (key: string) =>
  fetch(`${studio.service.base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: `주민번호 ${RRN}` }] }),
  });

test('a text is tried by keyboard: what is found is marked, masked and listed', async () => {
  covers('pii.try');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(`Number ${RRN}, phone 010-1234-5678.`);
  await page.getByRole('button', { name: 'Find' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '2 were found' }).waitFor();
  await expect
    .poll(() => page.locator('mark').allInnerTexts())
    .toEqual([`${RRN}Resident number`, '010-1234-5678Phone']);
  await expect.poll(() => page.getByTestId('masked').innerText()).toBe('Number ******-*******, phone ***-****-****.');
  const cells = page.getByRole('row').filter({ hasText: 'resident_number' });
  await expect.poll(() => cells.count()).toBe(1);
  expect(await seriousFaults(page, null, 'state')).toEqual([]);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('nothing');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No personal values were found').waitFor();
});

test('the policy is set, and holds for keys and for conversations at once', async () => {
  covers('guard.levels', 'guard.console', 'guard.lists');
  await tab('Policy');
  await page.getByRole('radio', { name: 'Mask them, and restore them in the answer' }).check();
  const denied = page.getByRole('combobox', { name: 'Always masked' }).or(page.getByLabel('Always masked'));
  await denied.first().fill('Orion');
  await page.keyboard.press('Enter');
  expect(await seriousFaults(page, null, 'state')).toEqual([]);
  await save();
  await page.reload();
  await tab('Policy');
  await page.getByText('Orion', { exact: true }).first().waitFor();
  await expect
    .poll(() => page.getByRole('radio', { name: 'Mask them, and restore them in the answer' }).isChecked())
    .toBe(true);
  await chat(studio.service.key);
  expect(upstream.one().text).not.toContain(RRN);
  upstream.reset();
  upstream.plays((call) => play({ text: `You said ${/\[RRN_\w{8}\]/.exec(call.text)?.[0]}` })(call));
  await visit(page, '/console/chat');
  await page.getByRole('textbox').first().fill(`My number is ${RRN}`);
  await page.keyboard.press('Enter');
  await page.getByText(`You said ${RRN}`).waitFor();
  expect(upstream.calls.map(({ text }) => text).join()).not.toContain(RRN);
});

test('people are told which types a refused question holds; the log of the tenant says what was set', async () => {
  covers('guard.refuse');
  const policy = (await callConsole(person, 'GET', '/privacy/policy')).body as GuardPolicy;
  await callConsole(person, 'PUT', '/privacy/policy', { ...policy, mode: 'refuse' });
  await visit(page, '/console/chat');
  await page.getByRole('textbox').first().fill(`The refused number is ${RRN}`);
  await page.keyboard.press('Enter');
  await page.getByText('The text holds personal values (Resident number), which must not go to models here.').waitFor();
  // What is asked for the conversation before, its title, may come late.
  expect(upstream.calls.filter(({ text }) => text.includes('refused number'))).toEqual([]);
  await callConsole(person, 'PUT', '/privacy/policy', policy);
  await visit(page, '/console/audit');
  // The first cell of a row selects it, and is named by it.
  await page.getByRole('cell', { name: 'Privacy policy changed', exact: true }).first().click();
  await page.getByRole('dialog').getByText('Mask them, and restore them in the answer').waitFor();
  expect(await page.getByRole('dialog').innerText()).not.toContain('Orion');
});

test('a key is made with a policy of its own', async () => {
  covers('guard.levels');
  await visit(page, '/console/keys');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('strict');
  await dialog.getByRole('button', { name: 'Permissions and limits' }).click();
  await dialog.getByRole('combobox', { name: 'Personal values in chats' }).click();
  await page.getByRole('option', { name: 'Refuse the request' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = await page.getByTestId('key-value').innerText();
  await page.getByText('Personal values: Refuse the request').waitFor({ state: 'attached' });
  const refused = await chat(value.trim());
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('RRN');
});

test('a key is made for a program: its calls of tools open with id and name, and its settings are shown', async () => {
  covers('keys.presets');
  await visit(page, '/console/keys');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('web');
  await dialog.getByRole('combobox', { name: 'Programs that use it' }).click();
  await page.getByRole('option', { name: 'Open WebUI' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = (await page.getByTestId('key-value').innerText()).trim();
  const settings = await page.getByTestId('key-settings').innerText();
  expect(settings.split('\n')).toEqual([
    'ENABLE_OPENAI_API=true',
    `OPENAI_API_BASE_URL=${studio.service.base}/v1`,
    `OPENAI_API_KEY=${value}`,
  ]);
  expect(await seriousFaults(page, null, 'state')).toEqual([]);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  // Agents are models to the program.
  const { items } = await page.evaluate(
    async () =>
      (await (await fetch('/console/api/keys')).json()) as { items: { name: string; agent_models: boolean }[] },
  );
  expect(items.find(({ name }) => name === 'web')?.agent_models).toBe(true);
  expect(items.find(({ name }) => name !== 'web')?.agent_models).toBe(false);
  upstream.plays(play({ tools: [{ id: 'call_a', name: 'weather', arguments: '{}' }] }));
  const streamed = await fetch(`${studio.service.base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'CORE-GOV-THINK',
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    }),
  });
  expect(await streamed.text()).toContain('"id":"call_a","type":"function","function":{"name":"weather"');
});

test('a key for programs with tools shows the address of the MCP server, which takes it', async () => {
  covers('keys.presets', 'mcp.key');
  await visit(page, '/console/keys');
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('editor');
  await dialog.getByRole('combobox', { name: 'Programs that use it' }).click();
  await page.getByRole('option', { name: 'Chat products and editors with tools (MCP)' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByTestId('key-value').innerText()).trim();
  const { base } = studio.service;
  expect((await page.getByTestId('key-settings').innerText()).split('\n')).toEqual([
    `URL: ${base}/mcp`,
    `Authorization: Bearer ${key}`,
    `claude mcp add --transport http ai-studio ${base}/mcp --header "Authorization: Bearer ${key}"`,
  ]);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  const { result } = await ask<{ tools: { name: string }[] }>({ base, key }, 'tools/list');
  expect(result?.tools.map(({ name }) => name)).toContain('search');
});

test('what was found is shown by day and type', async () => {
  covers('guard.counts');
  await tab('What was found');
  await page.locator('canvas').nth(1).waitFor();
  await page.getByRole('row').filter({ hasText: 'Resident number' }).waitFor();
  expect(await seriousFaults(page, null, 'state')).toEqual([]);
  expect(await page.locator('body').innerText()).not.toContain(RRN);
});

test('developers try texts and see no policy', async () => {
  const email = 'joon@example.org';
  await addAccount(studio, { email, name: 'Joon', role: 'developer' });
  const developer = await studio.signedIn(email, {}, { language: 'ko', theme: 'system' }, '/console/privacy');
  await developer.page.getByRole('heading', { level: 1, name: '개인정보 보호' }).waitFor();
  expect(await developer.page.getByRole('tab').count()).toBe(0);
  await developer.page.getByRole('button', { name: '예문 넣기' }).click();
  await developer.page.getByRole('button', { name: '찾기', exact: true }).click();
  await developer.page.getByRole('heading', { name: '4건을 찾았습니다' }).waitFor();
  expect(await seriousFaults(developer.page, null, 'state')).toEqual([]);
  expect((await callConsole(developer, 'GET', '/privacy/policy')).status).toBe(403);
  // The browser tells of the answer that refused a question.
  expect(person.complaints.filter((one) => !one.includes('422'))).toEqual([]);
  expect(developer.complaints).toEqual([]);
  expect(developer.foreign).toEqual([]);
});

test('another tenant has its own policy and its own counts', async () => {
  covers('guard.tenants');
  const made = await callConsole(person, 'POST', '/tenants', {
    name: 'Others',
    email: 'other@example.org',
    admin_name: 'Other',
  });
  const { tenant } = made.body as { tenant: { id: TenantId } };
  const email = 'chief@example.org';
  await withDatabaseOf(studio.service, (db) =>
    addPerson(db, { tenantId: tenant.id, role: 'administrator', email, name: 'Chief' }),
  );
  const other = await callerOf(studio, email);
  expect((await other('GET', '/me')).body).toMatchObject({ tenant: { id: tenant.id } });
  expect((await other('GET', '/privacy/policy')).body).toEqual(defaultGuardPolicy);
  expect((await other('GET', '/privacy/counts')).body).toMatchObject({ items: [] });
  const strict = { ...defaultGuardPolicy, mode: 'refuse' };
  expect(await other('PUT', '/privacy/policy', strict)).toEqual({ status: 200, body: strict });
  expect((await callConsole(person, 'GET', '/privacy/policy')).body).toMatchObject({
    mode: 'mask',
    deny_list: ['Orion'],
  });
  expect((await chat(studio.service.key)).status).toBe(200);
});
