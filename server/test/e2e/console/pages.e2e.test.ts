import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFaults } from '../../support/browser.ts';
import { cutOff, misnamed, narrow, strays, wide } from './faults.ts';
import { type Filled, openFilled } from './filled.ts';
import { type Visitors, type Visit, look, visitorsOf, visitsOf } from './visits.ts';
import { words } from './words.ts';

// Every page, light and dark, wide and as narrow as a phone: nothing that keeps people out, nothing cut off, no complaint, and
// in English no Hangul but what people have written.

/** Sixty pages in a browser, on a machine that has other work too. */
const SLOW_MS = 900_000;

let filled: Filled;
let visitors: Visitors;
let visits: readonly Visit[];

beforeAll(async () => {
  filled = await openFilled();
  visitors = await visitorsOf(filled);
  await visitors.prefer('en', 'system');
  visits = await visitsOf(filled);
});
afterAll(() => filled?.close());

async function faultsOf(visit: Visit): Promise<string[]> {
  const { page } = visitors.of(visit);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(visit.narrow ? narrow : wide);
  await look(page, visit, words.en);
  const light = [...(await misnamed(page, visit, 'en')), ...(await strays(page, 'en')), ...(await seriousFaults(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  // The theme changes nothing but colours.
  const dark = await seriousFaults(page, ['color-contrast']);
  await page.setViewportSize(narrow);
  return [...light, ...dark, ...(await cutOff(page))];
}

test(
  'every page is well: light and dark, wide and narrow',
  async () => {
    const faults: Record<string, string[]> = {};
    for (const visit of visits) {
      const found = await faultsOf(visit);
      if (found.length > 0) faults[visit.name] = found;
    }
    expect(faults).toEqual({});
  },
  SLOW_MS,
);

test('no page asked anything of another host, and none complained', () => {
  for (const { foreign, complaints } of visitors.all) {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  }
});
