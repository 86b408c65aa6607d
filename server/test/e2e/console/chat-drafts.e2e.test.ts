import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { type Upstream, openUpstream } from '../../support/upstream.ts';
import { endless } from './filled.ts';
import { type Studio, administrator, addAccount, callConsole, startStudio } from './studio.ts';

// What is written in a chat is never lost: not when it is not accepted, when another conversation is opened, when the page is
// loaded anew or when the session ends.

let upstream: Upstream;
let studio: Studio;
let user: Person;
let page: Page;

beforeAll(async () => {
  upstream = await openUpstream(['talker']);
  upstream.plays(endless);
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      default_model: 'talker',
      engines: { gpu: { addresses: [upstream.url] } },
      models: { talker: { kind: 'chat', engines: [{ engine: 'gpu' }] } },
    },
  });
  await addAccount(studio, { email: 'user@example.org', name: 'User', role: 'user' });
  user = await studio.signedIn('user@example.org', {}, { language: 'en', theme: 'light' }, '/console/chat');
  ({ page } = user);
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});

const field = () => page.getByRole('textbox', { name: 'Message', exact: true });
const turns = '**/turns';

test('a message that does not arrive stays in its field, with a way to try again', async () => {
  await page.route(turns, (route) => route.abort());
  await field().fill('What was lost?');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This was not sent.').waitFor();
  // The conversation was made for it, and holds the words across a reload.
  expect(page.url()).toMatch(/\/chat\/[0-9a-f]{32}$/);
  expect(await field().inputValue()).toBe('What was lost?');
  expect(await seriousFaults(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => field().inputValue()).toBe('What was lost?');
  await page.unroute(turns);
  await page.keyboard.press('Tab');
  await field().focus();
  await page.keyboard.press('Enter');
  await page.locator('article[aria-busy=true]').getByText('and on').waitFor();
  expect(await field().inputValue()).toBe('');
  expect(await page.getByText('What was lost?', { exact: true }).count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('article', { name: 'Answer' }).getByText('Stopped.').waitFor();
});

test('what the service took is not sent twice where only its answer was lost', async () => {
  const conversation = `/conversations/${new URL(page.url()).pathname.split('/').at(-1) ?? ''}`;
  await page.route(turns, async (route) => {
    // The service has the question; the browser never hears of it.
    void route.fetch({ timeout: 0 }).catch(() => undefined);
    await eventually(async () => {
      const { body } = await callConsole(user, 'GET', conversation);
      expect(JSON.stringify(body)).toContain('Did it arrive?');
    });
    await route.abort();
  });
  await field().fill('Did it arrive?');
  await page.keyboard.press('Enter');
  await page.locator('article[aria-busy=true]').getByText('and on').waitFor();
  await page.unroute(turns);
  expect(await field().inputValue()).toBe('');
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('an answer goes on through a reload and in another tab, which shows the same draft and stops it', async () => {
  const tab = await user.context.newPage();
  await tab.goto(page.url());
  const there = tab.getByRole('textbox', { name: 'Message', exact: true });
  await tab.locator('article[aria-busy=true]').getByText('and on').waitFor();
  await page.reload();
  await page.locator('article[aria-busy=true]').getByText('and on').waitFor();
  await field().fill('Written in one tab');
  await expect.poll(() => there.inputValue()).toBe('Written in one tab');
  await there.fill('Written in one tab, and the other');
  await expect.poll(() => field().inputValue()).toBe('Written in one tab, and the other');
  await there.fill('');
  await expect.poll(() => field().inputValue()).toBe('');
  await tab.getByRole('button', { name: 'Stop' }).click();
  await tab.getByRole('article', { name: 'Answer' }).last().getByText('Stopped.').waitFor();
  await tab.close();
  await page.getByRole('article', { name: 'Answer' }).last().getByText('Stopped.').waitFor();
});

test('drafts belong to their conversation, across others and Back', async () => {
  const first = new URL(page.url()).pathname;
  await field().fill('Draft of the conversation\nwith two lines');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('heading', { level: 1, name: /How can I help/ }).waitFor();
  expect(await field().inputValue()).toBe('');
  await field().fill('Draft of a new one');
  await page.goBack();
  await page.waitForURL(`**${first}`);
  await expect.poll(() => field().inputValue()).toBe('Draft of the conversation\nwith two lines');
  await page.goForward();
  await expect.poll(() => field().inputValue()).toBe('Draft of a new one');
});

test('across a reload too, also of a question that is being put in other words, and when that is refused', async () => {
  await page.goBack();
  await page.getByRole('button', { name: 'Change the question' }).first().click();
  const edit = page.getByRole('textbox', { name: 'Change the question' });
  await edit.fill('What was it again?');
  await page.reload();
  await expect.poll(() => edit.inputValue()).toBe('What was it again?');
  expect(await field().inputValue()).toBe('Draft of the conversation\nwith two lines');
  await page.route(turns, (route) => route.abort());
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('alert').waitFor();
  expect(await edit.inputValue()).toBe('What was it again?');
  await page.unroute(turns);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('What was lost?', { exact: true }).first().waitFor();
});

test('a session that ends while somebody writes loses nothing, and a person who signs out leaves nothing', async () => {
  await field().fill('Written when the session ended');
  const place = new URL(page.url()).pathname;
  const cookies = await user.context.cookies();
  await user.context.clearCookies();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/login/);
  await user.context.addCookies(cookies);
  await page.goto(place);
  await expect.poll(() => field().inputValue()).toBe('Written when the session ended');
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/login/);
  await expect
    .poll(() => page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('studio.draft.')).length"))
    .toBe(0);
});

test('on a phone Enter makes a line, and the button sends', async () => {
  const narrow = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const phone = await studio.signedIn(administrator.email, narrow, undefined, '/console/chat');
  const message = phone.page.getByRole('textbox', { name: /^(Message|메시지)$/ });
  await message.fill('One');
  await phone.page.keyboard.press('End');
  await phone.page.keyboard.press('Enter');
  await phone.page.keyboard.type('Two');
  expect(await message.inputValue()).toBe('One\nTwo');
  expect(phone.page.url()).toMatch(/\/chat$/);
  await phone.page.getByRole('button', { name: /^(Send|보내기)$/ }).click();
  await phone.page.locator('article[aria-busy=true]').getByText('and on').waitFor();
  await phone.page.getByRole('button', { name: /^(Stop|멈추기)$/ }).click();
});
