import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Filled, openFilled } from './filled.ts';
import { unlike } from './pictures.ts';
import { type Visit, type Visitors, look, speak, visitorsOf, visitsOf } from './visits.ts';
import { type SpokenLanguage, words } from './words.ts';

// How the main views look, beside pictures that are kept. `npm run test:long -- --pictures --write` keeps what is there now.

const root = join(import.meta.dirname, '../../../..');
const folder = join(root, 'server/test/pictures');
const outcome = join(root, '.runtime/pictures');
const writes = process.env['STUDIO_TEST_PICTURES'] === 'write';

/** Names of visits. Each is seen in one language and scheme, the next one in others. */
const mainViews = [
  'overview',
  'chat',
  'conversation',
  'prompts',
  'playground with an answer',
  'collections',
  'a collection',
  'search test',
  'evaluation',
  'a document of a collection',
  'agents',
  'an agent',
  'an agent being built',
  'reviews',
  'a review',
  'tools',
  'keys',
  'models that are served',
  'users',
  'settings',
];
const size = { width: 1280, height: 800 };

let filled: Filled;
let visitors: Visitors;
let visits: readonly Visit[];
let bench: Page;

beforeAll(async () => {
  filled = await openFilled();
  visitors = await visitorsOf(filled);
  visits = await visitsOf(filled);
  ({ page: bench } = await filled.studio.browser.person());
});
afterAll(() => filled?.close());

test('the main views look as they did', async () => {
  const found: string[] = [];
  for (const [at, name] of mainViews.entries()) {
    const visit = visits.find((one) => one.name === name);
    if (visit === undefined) throw new Error(`There is no visit ${name}`);
    const { page } = visitors.of(visit);
    const language: SpokenLanguage = at % 2 === 0 ? 'ko' : 'en';
    const scheme = at % 4 < 2 ? 'light' : 'dark';
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme });
    // Loaded anew: what was taken out of the page before is drawn again.
    await page.goto('/console/profile');
    await page.locator('h1').waitFor();
    await speak(page, language);
    await look(page, visit, words[language]);
    const wrong = await unlike(page, name.replaceAll(' ', '-'), { bench, folder, outcome, writes });
    if (wrong !== null) found.push(`${name}: ${wrong}`);
  }
  expect(found).toEqual([]);
}, 900_000);
