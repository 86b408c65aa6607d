import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';

// Ways between pages of the console that load nothing anew: a load takes ten times as long.

/** What is still on its way: it is gone before a page is judged. */
const waiting = '[class*=Skeleton-root], [class*=LoadingOverlay], [class*=Loader-root]';

/** Resolves once the focus is within a place: a menu that has just opened takes it a moment later. */
export const holdsFocus = (place: Locator): Promise<void> =>
  eventually(async () => expect(await place.evaluate((element) => element.matches(':focus-within'))).toBe(true));

/** An address that no page has: between two states of one page, so that the second begins anew. */
export const NOWHERE = '/nowhere';

/** What a path below /console leads to, whatever it shows of it. */
export const pageOf = (path: string): string => /^\/[\w-]*/.exec(path)?.[0] ?? '';

/** Leads the console to another address, as its links do. Resolves when the heading of that page is there. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState({}, '', ${JSON.stringify(`/console${path}`)});
  }`);
  await page.locator('h1:not([data-left])').waitFor();
}

/**
 * Opens an address as `page.goto` does; in a page that shows the console already it is a move, which begins that page anew. What was
 * read less than five seconds before is not read again: after a change behind the page, it is loaded.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const path = address.replace(/^\/console/, '');
  if ((await page.locator('#main').count()) === 0) return void (await page.goto(address));
  if (pageOf(new URL(page.url()).pathname.replace(/^\/console/, '')) === pageOf(path)) await moveTo(page, NOWHERE);
  return moveTo(page, path);
}

/** Resolves when a page is there, and nothing of it is on its way any more. */
export const isAllThere = (page: Page): Promise<void> =>
  eventually(async () => {
    // Before its first heading is drawn nothing waits yet.
    if ((await page.locator('h1').count()) === 0) throw new Error(`${page.url()} has no heading yet`);
    if ((await page.locator(waiting).count()) > 0) throw new Error(`${page.url()} still waits for something`);
  });
