import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '../../support/browser.ts';
import { type Upstream, openUpstream, play } from '../../support/upstream.ts';
import { endless } from './filled.ts';
import { holdsFocus, visit } from './moves.ts';
import { type Studio, administrator, callConsole, startStudio } from './studio.ts';

// Without a mouse; with the input method of Korean; on a phone.

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
  person = await studio.browser.person({ viewport: { width: 1280, height: 800 } });
  ({ page } = person);
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.reset();
  upstream.plays(play({ text: 'An answer.' }));
});

const focused = () => page.locator(':focus');
const dialog = () => page.getByRole('dialog');

/** Presses a key until the focus is there; fails when it has gone round without. */
async function reach(target: Locator, key = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let left = 80; left > 0; left -= 1) {
    if (await target.first().evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never came to ${target.toString()}`);
}
async function openByKey(target: Locator, key = 'Enter'): Promise<void> {
  await reach(target);
  await page.keyboard.press(key);
}

test('signs in', async () => {
  await page.goto('/console/keys');
  await page.waitForURL(/\/login/);
  await reach(page.getByRole('textbox', { name: 'Email' }));
  await page.keyboard.type(administrator.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(administrator.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API key management' }).waitFor();
});

test('skips the menu', async () => {
  await page.goto('/console/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => focused().textContent()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused().getAttribute('id')).toBe('main');
});

test('opens pages in the menu, and the focus goes to their beginning', async () => {
  for (const name of ['Users', 'Audit log']) {
    await openByKey(page.getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.locator('#main:focus').waitFor();
  }
});

test('finds a page by its name', async () => {
  await page.keyboard.press('Control+k');
  const field = page.getByPlaceholder('Find a page, a name or a command');
  await field.waitFor();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('tenan');
  await page.getByRole('button', { name: 'Tenants' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Tenants' }).waitFor();
  await field.waitFor({ state: 'hidden' });
});

test('reads the notice of AI before the first chat', async () => {
  await visit(page, '/console/chat');
  await dialog().getByRole('button', { name: 'I have read this' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor();
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'hidden' });
});

test('opens and closes dialogs, and the focus comes back', async () => {
  const made = await callConsole(person, 'POST', '/agents', { name: 'Kept', template: 'plain_assistant' });
  const { id, revision } = made.body as AgentDetails;
  const { body } = await callConsole(person, 'POST', `/agents/${id}/submit`, { revision, note: '' });
  for (const [place, name] of [
    ['keys', 'New API key'],
    ['users', 'Invite a person'],
    ['tenants', 'New tenant'],
    ['playground', 'Settings'],
    ['playground', 'View code'],
    [`agent-reviews/${(body as AgentDetails).review?.id}`, 'Reject'],
    [`agents/${id}`, 'Withdraw request'],
  ] as const) {
    await visit(page, `/console/${place}`);
    const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    await openByKey(button);
    await dialog().waitFor();
    // Its fields come a moment after it.
    if (name === 'Settings') await dialog().getByRole('textbox').first().waitFor();
    // The focus comes into the dialog a moment after it, and stays there.
    await holdsFocus(dialog());
    for (let left = 12; left > 0; left -= 1) {
      await page.keyboard.press('Tab');
      expect(await dialog().locator(':focus').count(), `${name}: outside the dialog`).toBe(1);
    }
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await button.and(page.locator(':focus')).waitFor();
  }
});

test('creates a key, orders the keys, deletes it', async () => {
  for (const name of ['first', 'second']) {
    await visit(page, '/console/keys');
    await openByKey(page.getByRole('main').getByRole('button', { name: 'New API key' }));
    await dialog().locator('input:focus').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await dialog().getByTestId('key-value').waitFor();
    await openByKey(dialog().getByRole('button', { name: 'I have kept it' }));
    await dialog().waitFor({ state: 'hidden' });
  }
  const names = () => page.locator('tbody tr td:nth-child(2) p:first-child').allTextContents();
  const heading = page.getByRole('columnheader', { name: 'Name' });
  await openByKey(heading.getByRole('button'));
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
  const upward = await names();
  await page.keyboard.press('Space');
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
  expect(await names()).toEqual(upward.toReversed());
  await openByKey(page.getByRole('button', { name: 'Delete key first' }));
  await openByKey(dialog().getByRole('button', { name: 'Delete key' }));
  await dialog().waitFor({ state: 'hidden' });
  await page.getByRole('row').filter({ hasText: 'first' }).waitFor({ state: 'detached' });
  expect(await names()).toContain('second');
});

test('opens a row of the audit log', async () => {
  await visit(page, '/console/audit');
  const row = page.locator('tbody tr').first();
  // The page was open before: what it read then is shown until the newest events are there.
  await row.getByText('first', { exact: true }).waitFor();
  await reach(row);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog().getByText('Request id').waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
});

test('asks, and stops an answer', async () => {
  await visit(page, '/console/chat');
  await openByKey(page.getByRole('textbox', { name: 'Message' }), 'a');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('An answer.').waitFor();
  upstream.plays(endless);
  await reach(page.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type('on and on');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('and on');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('and on and on').waitFor();
  await openByKey(page.getByRole('button', { name: 'Stop' }));
  await page.getByRole('article').getByText('Stopped.').waitFor();
  const sent = upstream.calls.map(({ json }) => JSON.stringify(json.messages));
  expect(sent.some((messages) => messages.includes('on and on\\nand on'))).toBe(true);
});

/** Opens a dialog by an entry of a menu, and leaves it. */
async function leaveByMenu(menu: Locator, name: string): Promise<void> {
  await openByKey(menu);
  await reach(page.getByRole('menuitem', { name, exact: true }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await holdsFocus(dialog());
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
}

test('a dialog of a menu gives the focus back to the button of the menu, or to the page where that is gone', async () => {
  const [entry] = await page
    .getByRole('main')
    .getByRole('button', { name: /: more$/ })
    .all();
  if (entry === undefined) throw new Error('there is no conversation');
  const name = (await entry.getAttribute('aria-label')) ?? '';
  const menu = page.getByRole('main').getByRole('button', { name, exact: true });
  await leaveByMenu(menu, 'Rename');
  await menu.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await reach(page.getByRole('menuitem', { name: 'Delete', exact: true }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'detached' });
  await page.locator('#main:focus-within').waitFor();
  await visit(page, '/console/agents');
  await openByKey(page.getByRole('main').getByRole('link', { name: 'Kept' }));
  const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true });
  await leaveByMenu(more, 'Name and description');
  await more.and(page.locator(':focus')).waitFor();
});

/** What browsers send while a syllable is being put together: an Enter that only ends it. */
const endSyllable = (told: 'isComposing' | 'keyCode') =>
  page.evaluate(`(() => {
    const field = document.activeElement;
    const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true, data: '한' }));
    field.dispatchEvent(new KeyboardEvent('keydown', { ...enter, ...${told === 'isComposing' ? '{ isComposing: true, keyCode: 13 }' : '{ keyCode: 229 }'} }));
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '한' }));
  })()`);

test('an Enter that ends a Korean syllable does not send', async () => {
  const text = '안녕하세요 한';
  // Titles and questions to go on with are asked for in between, also those of the conversation before.
  const sent = () => upstream.calls.filter(({ json }) => JSON.stringify(json.messages).includes(`"content":"${text}"`));
  for (const place of ['chat', 'playground']) {
    upstream.reset();
    await visit(page, `/console/${place}`);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill(text);
    await field.focus();
    for (const how of ['isComposing', 'keyCode'] as const) {
      await endSyllable(how);
      await expect.poll(() => field.inputValue()).toBe(text);
    }
    expect(sent()).toEqual([]);
    await field.press('Enter');
    await page.getByRole('article').getByText('OK', { exact: true }).waitFor();
    expect(sent()).toHaveLength(1);
  }
});

test('on a phone the menu opens, leads to a page, and closes; so does the list of conversations', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, '/console/');
  const link = page.getByRole('link', { name: 'API key management', includeHidden: true });
  const isReachable = () => link.evaluate((element) => element.closest('[inert]') === null);
  expect(await isReachable()).toBe(false);
  await page.getByRole('button', { name: 'Open menu' }).click();
  expect(await isReachable()).toBe(true);
  await reach(link);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).and(page.locator(':focus')).waitFor();
  expect(await isReachable()).toBe(false);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await link.click();
  await page.getByRole('heading', { name: 'API key management' }).waitFor();
  await page.getByRole('button', { name: 'Open menu' }).waitFor();
  expect(await isReachable()).toBe(false);
  await visit(page, '/console/chat');
  const conversations = page.getByRole('button', { name: 'All conversations' });
  await conversations.focus();
  await page.keyboard.press('Enter');
  await holdsFocus(dialog());
  await page.keyboard.press('Escape');
  await conversations.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog().getByRole('listitem').getByRole('link').first().click();
  await dialog().waitFor({ state: 'hidden' });
  await page.waitForURL(/\/chat\/[0-9a-f]{32}$/);
});

test('no page complained', () => {
  expect(person.foreign).toEqual([]);
  expect(person.complaints.filter((line) => !line.includes('401'))).toEqual([]);
});
