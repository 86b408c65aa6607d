import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFaults } from '../../support/browser.ts';
import { isLong } from '../../support/long.ts';
import { cutOff, misnamed, narrow, strays, wide } from './faults.ts';
import { type Filled, openFilled } from './filled.ts';
import { administrator, callConsole } from './studio.ts';
import { pageOf } from './moves.ts';
import { type Visitors, type Visit, languageOf, look, speak, visitorsOf, visitsOf, walked } from './visits.ts';
import { type SpokenLanguage, words } from './words.ts';

// Every page, in Korean and English, light and dark, wide and as narrow as a phone: nothing that keeps people out, nothing cut
// off, no complaint, and nothing in the other language but what people have written.

/** The pages of a console that has everything, in a browser, on a machine that has other work too. */
const SWEEP_MS = 1_800_000;

/** How a page is looked at. */
interface Dress {
  readonly language: SpokenLanguage;
  readonly scheme: 'light' | 'dark';
  readonly narrow: boolean;
}

const languages = ['en', 'ko'] as const;
const dresses: readonly Dress[] = languages.flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) => [false, true].map((small) => ({ language, scheme, narrow: small }))),
);
const opposite = ({ language, scheme, narrow: small }: Dress): Dress => ({
  language: language === 'en' ? 'ko' : 'en',
  scheme: scheme === 'light' ? 'dark' : 'light',
  narrow: !small,
});

/**
 * The dresses of each visit. A page that is opened for the first time: one and its opposite, so that each page is seen in both
 * languages, both schemes and both widths. A further state of it: one, in Korean, as what was not translated is English. All of them
 * in the long run.
 */
function dressed(all: readonly Visit[]): readonly { readonly isFirst: boolean; readonly dresses: readonly Dress[] }[] {
  const korean = dresses.filter(({ language }) => language === 'ko');
  const seen = new Set<string>();
  return all.map(({ path, as }, at) => {
    const page = `${as ?? ''} ${pageOf(path)}`;
    const isFirst = !seen.has(page);
    seen.add(page);
    const dress = korean[at % korean.length] as Dress;
    if (isLong) return { isFirst, dresses };
    return { isFirst, dresses: isFirst ? [dress, opposite(dress)] : [dress] };
  });
}

let filled: Filled;
let visitors: Visitors;
let visits: readonly Visit[];

beforeAll(async () => {
  filled = await openFilled();
  visitors = await visitorsOf(filled);
  visits = await visitsOf(filled);
});
afterAll(() => filled?.close());

/** What is wrong with the page that is open, in a dress. */
async function faultsOf(
  page: Page,
  visit: Visit,
  { language, scheme, narrow: small }: Dress,
  ...axe: readonly [rules: readonly string[] | null, part: 'page' | 'state']
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme });
  if ((await languageOf(page)) !== language) await speak(page, language);
  await page.setViewportSize(small || visit.narrow ? narrow : wide);
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  const faults = [...(await misnamed(page, visit, language)), ...(await strays(page, language))];
  faults.push(...(await seriousFaults(page, ...axe)));
  await page.setViewportSize(narrow);
  return [...faults, ...(await cutOff(page))];
}

test(
  'every page is well, in Korean and English, light and dark, wide and narrow',
  async () => {
    const faults: Record<string, string[]> = {};
    // Walks leave rules to them.
    expect(visits.map(({ name }) => name)).toEqual(expect.arrayContaining([...walked]));
    const dressesOf = dressed(visits);
    for (const [at, visit] of visits.entries()) {
      const { page } = visitors.of(visit);
      const opened = await languageOf(page);
      const { isFirst, dresses: all } = dressesOf[at] as (typeof dressesOf)[number];
      const worn = all.toSorted((a, b) => Number(b.language === opened) - Number(a.language === opened));
      // In the width that comes first: each change of it draws all of the page anew.
      const small = visit.narrow || (worn[0]?.narrow === true && !visit.wide);
      const open = async (language: SpokenLanguage) => {
        await page.setViewportSize(small ? narrow : wide);
        await look(page, visit, words[language]).catch((cause: unknown) => {
          const width = small ? 'narrow window; mark it where a wide one alone has what opens it' : 'wide window';
          throw new Error(`${visit.name} does not open in a ${width}`, { cause });
        });
      };
      await open(opened);
      // Rules beside colours are of what stands on a page, not of its dress: they are looked at once. The menu, and what lies below a
      // dialog, is of the page.
      let rules: readonly string[] | null = null;
      for (const dress of worn) {
        if (visit.written && dress.language !== (await languageOf(page))) {
          await speak(page, dress.language);
          await open(dress.language);
        }
        const found = await faultsOf(page, visit, dress, rules, isFirst ? 'page' : 'state');
        rules = ['color-contrast'];
        const { language, scheme } = dress;
        const width = dress.narrow ? 'narrow' : 'wide';
        if (found.length > 0) faults[`${visit.name}, ${language}, ${scheme}, ${width}`] = found;
      }
    }
    expect(faults).toEqual({});
  },
  SWEEP_MS,
);

test('no page asked anything of another host, and none complained', () => {
  for (const { foreign, complaints } of visitors.all) {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  }
});

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
  const tab = await filled.admin.context.newPage();
  await tab.goto('/console/');
  await tab.getByRole('heading', { name: words.en.overview.title }).waitFor();
  await choose(page, 'en', '한국어');
  await page.getByRole('heading', { name: words.ko.overview.title }).waitFor();
  // Another tab follows by itself.
  await tab.getByRole('heading', { name: words.ko.overview.title }).waitFor();
  await tab.close();
  const stored = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().endsWith('/me'),
  );
  await choose(page, 'ko', words.ko.shell.theme_dark);
  await stored;
  const isKept = async (where: Page) => {
    await where.getByRole('heading', { name: words.ko.overview.title, exact: true }).waitFor();
    await where.locator('html[lang=ko][data-mantine-color-scheme=dark]').waitFor();
  };
  await isKept(page);
  await page.reload();
  await isKept(page);
  const other = await filled.studio.signedIn(administrator.email);
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
  await expect.poll(() => visitor.page.locator('html').getAttribute('lang')).toBe('en');
});
