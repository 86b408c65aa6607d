import type { BrowserContext } from 'playwright-core';

// The pages that are open while a test runs, for what a failing one has to tell. Apart from the browser, which most tests do not load.

/** What people's browsers are open in this process. */
export const openContexts = new Set<BrowserContext>();

/** Time for a page to tell what it shows: one that hangs has nothing to tell. */
const TIMEOUT_MS = 5_000;
/** Letters of a page: its headings, buttons and messages, not all of a long table. */
const MAX_LETTERS = 4_000;
/** What a page is about, what lies over it, and what it says at the edge; all of it where it has no main part. */
const PARTS = 'main, [role=dialog], [role=menu], [role=listbox], .mantine-Notifications-root';

/** What all open pages show, as those hear it who do not see it, with their addresses. */
export async function shownNow(): Promise<string> {
  const pages = [...openContexts].flatMap((context) => context.pages());
  const shown = await Promise.all(
    pages.map(async (page) => {
      try {
        const parts = await page.locator(PARTS).all();
        const all = parts.length === 0 ? [page.locator('body')] : parts;
        const told = await Promise.all(all.map((part) => part.ariaSnapshot({ timeout: TIMEOUT_MS })));
        return told.join('\n');
      } catch (error) {
        return `nothing to be told: ${String(error).slice(0, 200)}`;
      }
    }),
  );
  return pages.map((page, at) => `${page.url()}\n${shown[at]?.slice(0, MAX_LETTERS) ?? ''}`).join('\n\n');
}
