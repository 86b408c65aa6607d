import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutOff, misnamed, narrow, strays, wide } from './faults.ts';
import { type Filled, openFilled } from './filled.ts';
import { administrator, callConsole } from './studio.ts';
import { type Visitors, type Visit, look, visitorsOf, visitsOf } from './visits.ts';
import { type SpokenLanguage, words } from './words.ts';

// Korean and English: chosen, kept, and nothing left in the other one.

/** Sixty pages in a browser, on a machine that has other work too. */
const SLOW_MS = 900_000;

let filled: Filled;
let visitors: Visitors;
let visits: readonly Visit[];

beforeAll(async () => {
  filled = await openFilled();
  visitors = await visitorsOf(filled);
  visits = await visitsOf(filled);
});
afterAll(() => filled?.close());

test(
  'in Korean no English sentence is left, and nothing is cut off on a phone',
  async () => {
    await visitors.prefer('ko', 'light');
    const found: Record<string, string[]> = {};
    for (const visit of visits) {
      const { page } = visitors.of(visit);
      await page.setViewportSize(visit.narrow ? narrow : wide);
      await look(page, visit, words.ko);
      const faults = [...(await misnamed(page, visit, 'ko')), ...(await strays(page, 'ko'))];
      await page.setViewportSize(narrow);
      faults.push(...(await cutOff(page)));
      if (faults.length > 0) found[visit.name] = faults;
    }
    expect(found).toEqual({});
  },
  SLOW_MS,
);

/** Chooses in the menu of the account. */
async function choose(page: Page, from: SpokenLanguage, entry: string): Promise<void> {
  await page.getByRole('button', { name: words[from].shell.account }).click();
  await page.getByRole('menu').getByText(entry, { exact: true }).click();
  await page.keyboard.press('Escape');
}

test('language and theme are chosen in the menu, and kept: after a reload, and in another browser', async () => {
  await callConsole(filled.admin, 'PATCH', '/me', { language: 'en', theme: 'light' });
  const { page } = filled.admin;
  await page.setViewportSize(wide);
  await page.goto('/console/');
  await choose(page, 'en', '한국어');
  await page.getByRole('heading', { name: words.ko.overview.title }).waitFor();
  await choose(page, 'ko', words.ko.shell.theme_dark);
  const isKept = async (where: Page) => {
    await where.getByRole('heading', { name: words.ko.overview.title, exact: true }).waitFor();
    await where.locator('html[lang=ko][data-mantine-color-scheme=dark]').waitFor();
  };
  await isKept(page);
  await page.reload();
  await isKept(page);
  const other = await filled.studio.signedIn(administrator.email, administrator.password);
  await isKept(other.page);
  // Also where nobody is signed in any more.
  await other.page.getByRole('button', { name: words.ko.shell.account }).click();
  await other.page.getByRole('menuitem', { name: words.ko.shell.sign_out }).click();
  await other.page.getByRole('heading', { name: words.ko.login.title }).waitFor();
  await other.page.reload();
  await other.page.locator('html[lang=ko][data-mantine-color-scheme=dark]').waitFor();
});

test('the sign-in speaks the language of the browser, and the other one when asked', async () => {
  const visitor = await filled.studio.browser.person({ locale: 'ko-KR' });
  await visitor.page.goto('/console/login');
  await visitor.page.getByRole('heading', { name: words.ko.login.title }).waitFor();
  await visitor.page.getByRole('button', { name: 'English' }).click();
  await visitor.page.getByRole('heading', { name: words.en.login.title }).waitFor();
  await visitor.page.reload();
  await visitor.page.getByRole('heading', { name: words.en.login.title }).waitFor();
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en');
});
